import { advertisedTelemetry } from './advertisement.js';
import type { FrameFormat } from './frame-format.js';
import { type Frame, fieldOf } from './json-frames.js';
import type { RawTelemetry } from './telemetry.js';
import { asMac, epochOf, macOf, textOf } from './values.js';

/**
 * Minew G1 BLE gateway: an array with one object per device, including the gateway itself, which has `gateway` instead of
 * `mac` in the short form. Facts: Minew's manual of the G1, and `reelyactive/barnowl-minew`.
 */
export const minewG1: FrameFormat = {
  findings(frame) {
    if (fieldOf(frame, 'type') === 'Gateway' || !Object.hasOwn(frame, 'mac')) return undefined;
    return [
      {
        tagType: 'ble',
        value: macOf(fieldOf(frame, 'mac')),
        path: 'mac',
        rssi: fieldOf(frame, 'rssi'),
        timeMs: epochOf(fieldOf(frame, 'timestamp'), 'ms'),
        telemetry: decodedTelemetry(frame),
      },
    ];
  },
  isStatus: (frame) =>
    (fieldOf(frame, 'type') === 'Gateway' && Object.hasOwn(frame, 'mac')) ||
    (asMac(textOf(fieldOf(frame, 'gateway')) ?? '') !== undefined &&
      !Object.hasOwn(frame, 'mac') &&
      Object.values(frame).every((value) => typeof value !== 'object')),
  alwaysHasRssi: true,
};

/** The gateway decodes some tags, and forwards what others send. The battery of a tag that does not report one is 0. */
function decodedTelemetry(frame: Frame): RawTelemetry | undefined {
  const [battery, temperature, humidity] = ['battery', 'temperature', 'humidity'].map((name) => fieldOf(frame, name));
  const isDecoded = Boolean(battery) || temperature !== undefined;
  return isDecoded
    ? { battery: battery || undefined, temperature, humidity }
    : advertisedTelemetry(fieldOf(frame, 'rawData'));
}
