import { advertisedTelemetry } from './advertisement.js';
import { type Finding, type FrameFormat, listFindings } from './frame-format.js';
import { type Frame, fieldOf, isFrame, valuesMax } from './json-frames.js';
import { asMac, epochOf, macOf, textOf } from './values.js';

const notifications = ['NotifyStatus', 'NotifyFullStatus', 'NotifyEvent'];

/**
 * Shelly devices with Bluetooth as gateways of Shelly BLU and other BTHome devices: what the scripts of
 * `ALLTERCO/shelly-script-examples` publish, alone or as event of the device (NotifyEvent), and the scans of Home
 * Assistant's script. Facts: these scripts, `aioshelly/ble`, and shelly-api-docs.shelly.cloud.
 */
export const shelly: FrameFormat = {
  findings(frame) {
    if (Object.hasOwn(frame, 'BTHome_version') || (Object.hasOwn(frame, 'addr') && serviceData(frame))) {
      return [findingOf(frame, fieldOf(frame, 'ts'), 'address')];
    }
    const params = fieldOf(frame, 'params');
    if (!isFrame(params)) return undefined;
    const [devices, events] = [fieldOf(params, 'blu'), fieldOf(params, 'events')];
    if (fieldOf(frame, 'method') === 'NotifyStatus' && isFrame(devices)) {
      return listFindings({ blu: Object.values(devices) }, 'blu', (device, path) =>
        findingOf(device, fieldOf(params, 'ts'), `${path}.addr`),
      );
    }
    if (fieldOf(frame, 'method') !== 'NotifyEvent' || !Array.isArray(events)) return undefined;
    const found = events.slice(0, valuesMax).flatMap((event: unknown, index) => {
      if (!isFrame(event)) return [];
      const [data, path] = [fieldOf(event, 'data'), `params.events[${index}].data`];
      const at = fieldOf(event, 'ts') ?? fieldOf(params, 'ts');
      if (fieldOf(event, 'event') === 'ble.scan_result') return scanFindings(data, at, path);
      const isDevice = isFrame(data) && (Object.hasOwn(data, 'address') || Object.hasOwn(data, 'addr'));
      return isDevice ? [findingOf(data, at, `${path}.address`)] : [];
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

/** In version 1 one advertisement, in version 2 a list of them: address, RSSI, and the content in base64. */
function scanFindings(data: unknown, at: unknown, path: string): Finding[] {
  const [version, ...parts] = Array.isArray(data) ? (data as unknown[]) : [];
  const scans: unknown = version === 2 ? parts[0] : [parts];
  if (!Array.isArray(scans)) return [{ flaw: `${path} is no list of scans` }];
  return scans.slice(0, valuesMax).map((scan: unknown): Finding => {
    const [address, rssi, content] = Array.isArray(scan) ? (scan as unknown[]) : [];
    const telemetry = typeof content === 'string' ? advertisedTelemetry(Buffer.from(content, 'base64')) : undefined;
    const value = asMac(textOf(address) ?? '');
    if (value === undefined) return { flaw: `${path} has a scan without the address of a device` };
    return { tagType: 'ble', value, path, rssi, timeMs: epochOf(at, 's'), telemetry };
  });
}

/** Some scripts put the measured values into an object of their own. */
function serviceData(data: Frame): Frame | undefined {
  const measured = fieldOf(data, 'service_data');
  return isFrame(measured) ? measured : undefined;
}

function findingOf(data: Frame, at: unknown, path: string): Finding {
  const measured = serviceData(data) ?? data;
  return {
    tagType: 'ble',
    value: macOf(fieldOf(data, 'address') ?? fieldOf(data, 'addr')),
    path,
    item: data,
    rssi: fieldOf(data, 'rssi'),
    timeMs: epochOf(at, 's'),
    telemetry: {
      battery: fieldOf(measured, 'battery'),
      temperature: fieldOf(measured, 'temperature'),
      humidity: fieldOf(measured, 'humidity'),
      motion: fieldOf(measured, 'motion'),
      button: fieldOf(measured, 'button'),
    },
  };
}
