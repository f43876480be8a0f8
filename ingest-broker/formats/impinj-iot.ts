import type { FrameFormat } from './frame-format.js';
import { type Frame, fieldOf, isFrame } from './json-frames.js';
import { base64Hex, dateTimeOf, hexOf, hexText, numberOf, textOf } from './values.js';

const centi = 100;

/** The events of the interface that have no tag, each with its content in a field named after it. */
const otherEvents = ['inventoryStatus', 'inventoryTerminated', 'gpiTransition', 'diagnostic', 'overflow'].concat([
  'antennaConnected',
  'antennaDisconnected',
  'antennaAttributeEvent',
  'heartbeat',
  'keepAlive',
]);

/**
 * Impinj IoT interface: one event per object; RSSI in hundredths of a dBm. Other events have no inventory. Facts:
 * Impinj's description of the IoT device interface (platform.impinj.com).
 */
export const impinjIot: FrameFormat = {
  findings(frame) {
    const event = fieldOf(frame, 'tagInventoryEvent');
    if (event === undefined) return undefined;
    if (!isFrame(event)) return [{ flaw: 'tagInventoryEvent is not an object' }];
    const epc = epcOf(event);
    if ('flaw' in epc) return [epc];
    const rssi = numberOf(fieldOf(event, 'peakRssiCdbm'));
    return [
      {
        tagType: 'rfid',
        ...epc,
        antenna: fieldOf(event, 'antennaPort'),
        rssi: rssi === undefined ? undefined : rssi / centi,
        // A report that was held back for its interval is later than the read.
        timeMs: dateTimeOf(fieldOf(event, 'lastSeenTime')) ?? dateTimeOf(fieldOf(frame, 'timestamp')),
        item: event,
      },
    ];
  },
  isStatus(frame) {
    const event = otherEvents.find((name) => isFrame(fieldOf(frame, `${name}Event`)));
    // Older firmware has no type.
    const type = fieldOf(frame, 'eventType');
    return event !== undefined && Object.hasOwn(frame, 'timestamp') && (type === undefined || type === event);
  },
};

/** EPCs of 96 bits and more in hexadecimal, which simulators and gateways send where the reader sends base64url. */
const hexEpc = /^(?:[0-9A-F]{4}){6,}$/i;

/** Returns the EPC of a read. Readers can be set to send the EPC as hexadecimal, as base64url, or both. */
function epcOf(event: Frame): { value: unknown; path: string } | { flaw: string } {
  const [hex, epc] = [fieldOf(event, 'epcHex'), fieldOf(event, 'epc')];
  const [hexPath, path] = ['tagInventoryEvent.epcHex', 'tagInventoryEvent.epc'];
  if (textOf(hex) || epc === undefined) return { value: hexOf(hex), path: hexPath };
  const text = textOf(epc);
  if (!text) return { value: text ?? epc, path };
  const value = hexEpc.test(text) ? hexText(text) : base64Hex(text);
  return value === undefined ? { flaw: `${path} is neither hexadecimal nor base64url` } : { value, path };
}
