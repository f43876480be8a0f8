import { advertisedTelemetry } from './advertisement.js';
import type { Finding, FrameFormat } from './frame-format.js';
import { type Frame, fieldOf, isFrame, valuesMax } from './json-frames.js';
import { epochOf, macOf } from './values.js';

const otherActions = ['gateway_status', 'heartbeat', 'api_reply', 'data.connection_state', 'data.notification'];

/**
 * Cassia gateways: a list of devices, each with its addresses in a list; the time in milliseconds is beside it. Facts:
 * the MQTT API in the wiki of `CassiaNetworks/CassiaSDKGuide`.
 */
export const cassia: FrameFormat = {
  findings(frame) {
    if (fieldOf(frame, 'action') !== 'data.scan') return undefined;
    const data = fieldOf(frame, 'data');
    const items: unknown[] = Array.isArray(data) ? data : [data];
    const timeMs = epochOf(fieldOf(frame, 'timestamp'), 'ms');
    return items.slice(0, valuesMax).map((item, index) => findingOf(item, `data[${index}]`, timeMs));
  },
  isStatus: (frame) =>
    otherActions.some((name) => fieldOf(frame, 'action') === name) && Object.hasOwn(frame, 'gateway'),
  sideTopics: ['**/gateway_status', 'up/*/heartbeat', 'up/*/api_reply', 'up/*/connection_state', 'up/*/notification'],
  alwaysHasRssi: true,
};

function findingOf(item: unknown, path: string, timeMs: number | null): Finding {
  if (!isFrame(item)) return { flaw: `${path} is not an object` };
  const addresses = fieldOf(item, 'bdaddrs');
  const first: unknown = Array.isArray(addresses) ? addresses[0] : addresses;
  const address: Frame = isFrame(first) ? first : {};
  return {
    tagType: 'ble',
    value: macOf(fieldOf(address, 'bdaddr')),
    path: `${path}.bdaddrs[0].bdaddr`,
    item,
    rssi: fieldOf(item, 'rssi'),
    timeMs: epochOf(fieldOf(item, 'timestamp'), 'ms') ?? timeMs,
    isPublic: fieldOf(address, 'bdaddrType') === 'public',
    telemetry: advertisedTelemetry(fieldOf(item, 'adData')) ?? advertisedTelemetry(fieldOf(item, 'scanData')),
  };
}
