import type { FrameFormat } from './frame-format.js';
import { type Frame, fieldOf, isFrame } from './json-frames.js';
import { base64Hex, dateTimeOf, hexText, numberOf, textOf } from './values.js';

const centi = 100;

/** Impinj IoT interface: one event per object; RSSI in hundredths of a dBm. Other events have no inventory. */
export const impinjIot: FrameFormat = {
  findings(frame) {
    const event = fieldOf(frame, 'tagInventoryEvent');
    if (event === undefined) return undefined;
    if (!isFrame(event)) return [{ flaw: 'tagInventoryEvent is not an object' }];
    const rssi = numberOf(fieldOf(event, 'peakRssiCdbm'));
    return [
      {
        tagType: 'rfid',
        value: epcOf(event),
        path: 'tagInventoryEvent.epcHex',
        antenna: fieldOf(event, 'antennaPort'),
        rssi: rssi === undefined ? undefined : rssi / centi,
        timeMs: dateTimeOf(fieldOf(frame, 'timestamp')),
      },
    ];
  },
  statusFields: ['eventType', 'timestamp', 'hostname'],
};

/** Returns the EPC of a read. Readers can be set to send the EPC as hexadecimal, as base64url, or both. */
function epcOf(event: Frame): string | undefined {
  const hex = textOf(fieldOf(event, 'epcHex'));
  if (hex) return hexText(hex);
  const epc = textOf(fieldOf(event, 'epc'));
  return epc ? base64Hex(epc) : undefined;
}
