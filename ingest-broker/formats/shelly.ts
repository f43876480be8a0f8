import type { Finding, FrameFormat } from './frame-format.js';
import { type Frame, fieldOf, isFrame, valuesMax } from './json-frames.js';
import { epochOf, macText, textOf } from './values.js';

const notifications = ['NotifyStatus', 'NotifyFullStatus', 'NotifyEvent'];

/**
 * Shelly devices with Bluetooth as gateways of Shelly BLU and other BTHome devices: what the scripts of
 * `ALLTERCO/shelly-script-examples` publish, alone or as event of the device (NotifyEvent). Facts: these scripts, and
 * shelly-api-docs.shelly.cloud.
 */
export const shelly: FrameFormat = {
  findings(frame) {
    if (Object.hasOwn(frame, 'BTHome_version')) return [findingOf(frame, fieldOf(frame, 'ts'), 'address')];
    const params = fieldOf(frame, 'params');
    if (fieldOf(frame, 'method') !== 'NotifyEvent' || !isFrame(params)) return undefined;
    const events = fieldOf(params, 'events');
    if (!Array.isArray(events)) return undefined;
    const found = events.slice(0, valuesMax).flatMap((event: unknown, index) => {
      const data = isFrame(event) ? fieldOf(event, 'data') : undefined;
      if (!isFrame(event) || !isFrame(data) || !Object.hasOwn(data, 'address')) return [];
      return [findingOf(data, fieldOf(event, 'ts') ?? fieldOf(params, 'ts'), `params.events[${index}].data.address`)];
    });
    return found.length > 0 ? found : undefined;
  },
  isStatus: (frame) =>
    notifications.some((name) => fieldOf(frame, 'method') === name) &&
    Object.hasOwn(frame, 'src') &&
    isFrame(fieldOf(frame, 'params')),
  sideTopics: ['**/online', '**/status/*', '**/announce', 'shellies/announce', 'shellies/*/info', '**/debug/log'],
  alwaysHasRssi: true,
};

function findingOf(data: Frame, at: unknown, path: string): Finding {
  const address = textOf(fieldOf(data, 'address'));
  return {
    tagType: 'ble',
    value: address === undefined ? undefined : macText(address),
    path,
    rssi: fieldOf(data, 'rssi'),
    timeMs: epochOf(at, 's'),
    telemetry: {
      battery: fieldOf(data, 'battery'),
      temperature: fieldOf(data, 'temperature'),
      humidity: fieldOf(data, 'humidity'),
      motion: fieldOf(data, 'motion'),
      button: fieldOf(data, 'button'),
    },
  };
}
