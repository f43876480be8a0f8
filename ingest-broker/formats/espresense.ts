import type { FrameFormat } from './frame-format.js';
import { type Frame, fieldOf } from './json-frames.js';
import type { RawTelemetry } from './telemetry.js';
import { asMac, beaconText, numberOf, textOf } from './values.js';

const beaconId = /^(?:iBeacon|altBeacon):([0-9a-f-]{32,36})-(\d+)-(\d+)$/i;

/**
 * ESPresense: one object per device and node. `id` names a device across changes of its address where ESPresense can
 * tell: a beacon, a phone whose key it knows, or a name that was given to it. Other ids are fingerprints that many
 * devices of a model have, so the address counts. Facts: espresense.com and `ESPresense/ESPresense`.
 */
export const espresense: FrameFormat = {
  findings(frame) {
    if (!Object.hasOwn(frame, 'id') || !(Object.hasOwn(frame, 'distance') || Object.hasOwn(frame, 'rssi@1m'))) {
      return undefined;
    }
    const rssi = fieldOf(frame, 'rssi');
    const distance = fieldOf(frame, 'distance');
    return [
      {
        tagType: 'ble',
        value: valueOf(frame) ?? fieldOf(frame, 'id'),
        path: 'id',
        rssi,
        distance,
        telemetry: decodedTelemetry(frame),
      },
    ];
  },
  isStatus: (frame) => ['ip', 'uptime', 'firm'].every((name) => Object.hasOwn(frame, name)),
  sideTopics: ['espresense/rooms/**', 'espresense/settings/**'],
  alwaysHasRssi: true,
};

function decodedTelemetry(frame: Frame): RawTelemetry {
  const millivolts = numberOf(fieldOf(frame, 'mV'));
  return {
    battery: fieldOf(frame, 'batt'),
    voltage: millivolts === undefined ? undefined : millivolts / 1000,
    temperature: fieldOf(frame, 'temp'),
    humidity: fieldOf(frame, 'rh'),
  };
}

function valueOf(frame: Frame): string | undefined {
  const id = textOf(fieldOf(frame, 'id'));
  const mac = asMac(textOf(fieldOf(frame, 'mac')) ?? '');
  if (id === undefined || asMac(id) !== undefined) return mac ?? asMac(id ?? '');
  const [, uuid, major, minor] = beaconId.exec(id) ?? [];
  const beacon = uuid === undefined ? undefined : beaconText(uuid, major, minor);
  if (beacon !== undefined) return beacon;
  const isNamed = id.startsWith('irk:') || !id.includes(':');
  return isNamed ? id : (mac ?? id);
}
