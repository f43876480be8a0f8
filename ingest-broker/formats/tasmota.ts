import { advertisedTelemetry } from './advertisement.js';
import type { Finding, FrameFormat } from './frame-format.js';
import { type Frame, fieldOf, isFrame } from './json-frames.js';
import { hasOwnNetwork } from './resembles-read.js';
import type { RawTelemetry } from './telemetry.js';
import { dateTimeOf, hexOf, macOf, macText, numberOf, textOf } from './values.js';

const cardReaders = ['RC522', 'PN532', 'RDM6300'];
/** Shorter codes are keys that were pressed at a reader with a keypad. */
const cardBitsMin = 24;
const status = ['Uptime', 'UptimeSec', 'TempUnit', 'Heap', 'LoadAvg'];

/**
 * Tasmota: one object, in which each driver has a field of its own. A beacon that is gone is reported with the RSSI 0
 * and the state OFF. `Time` is local without its offset unless Tasmota is set to add one, so that mostly the time of
 * receipt counts. Facts: `tasmota/docs` (Bluetooth, RC522, PN532, RDM6300) and `arendst/Tasmota` (xsns_40, 52, 62, 82).
 */
export const tasmota: FrameFormat = {
  findings(frame) {
    const timeMs = dateTimeOf(fieldOf(frame, 'Time')) ?? ('unused' as const);
    const found = Object.keys(frame).flatMap((key) => {
      const part = fieldOf(frame, key);
      return isFrame(part) ? findingsOf(key, part, frame).map((finding) => ({ item: part, ...finding, timeMs })) : [];
    });
    return found.length > 0 || Object.hasOwn(frame, 'BLEDevices') ? found : undefined;
  },
  isStatus: (frame) =>
    isFrame(fieldOf(frame, 'BLEOperation')) ||
    (typeof fieldOf(frame, 'Time') === 'string' && status.some((name) => Object.hasOwn(frame, name))),
  sideTopics: [
    '**/LWT',
    '**/STATE',
    '**/INFO1',
    '**/INFO2',
    '**/INFO3',
    '**/UPTIME',
    // What a rule or a serial card reader publishes comes there too.
    '**/RESULT?',
    'stat/**?',
    'tasmota/discovery/**',
  ],
};

function findingsOf(key: string, part: Frame, frame: Frame): Finding[] {
  if (key === 'BLEDevices') return devicesOf(part);
  if (key === 'Wiegand')
    return (numberOf(fieldOf(part, 'Size')) ?? cardBitsMin) < cardBitsMin ? [{ noRead: true }] : [cardOf(key, part)];
  if (cardReaders.includes(key)) return [cardOf(key, part)];
  if (key === 'IBEACON') return [beaconOf(part, macOf(fieldOf(part, 'MAC')), 'IBEACON.MAC')];
  if (key.startsWith('IBEACON_')) return [beaconOf(part, macText(key.slice('IBEACON_'.length)), key)];
  const mac = textOf(fieldOf(part, 'mac'));
  if (mac === undefined || !Object.hasOwn(part, 'RSSI') || hasOwnNetwork(part)) return [];
  const telemetry = advertisedTelemetry(fieldOf(part, 'p')) ?? measuredOf(part, fieldOf(frame, 'TempUnit') === 'F');
  // The type of the address may follow it.
  return [{ ...beaconOf(part, macText(mac.replace(/\/\d$/, '')), `${key}.mac`), telemetry }];
}

/** What Bluetooth sensors measure, in the unit that the device is set to. */
function measuredOf(part: Frame, isFahrenheit: boolean): RawTelemetry {
  const temperature = numberOf(fieldOf(part, 'Temperature'));
  return {
    battery: fieldOf(part, 'Battery'),
    temperature: temperature !== undefined && isFahrenheit ? (temperature - 32) / 1.8 : temperature,
    humidity: fieldOf(part, 'Humidity'),
  };
}

function cardOf(key: string, part: Frame): Finding {
  return { tagType: 'rfid', value: hexOf(fieldOf(part, 'UID')), path: `${key}.UID` };
}

function beaconOf(part: Frame, value: unknown, path: string): Finding {
  const rssi = fieldOf(part, 'RSSI');
  if (fieldOf(part, 'STATE') === 'OFF' || rssi === undefined || numberOf(rssi) === 0) return { noRead: true };
  return { tagType: 'ble', value, path, rssi };
}

/** The list of the ESP32, keyed by address; `total` is the number of devices. */
function devicesOf(list: Frame): Finding[] {
  return Object.keys(list).flatMap((address): Finding[] => {
    const device = fieldOf(list, address);
    if (!isFrame(device)) return [];
    const rssi = fieldOf(device, 'r');
    if (rssi === undefined || numberOf(rssi) === 0) return [{ noRead: true }];
    return [{ tagType: 'ble', value: macText(address), path: `BLEDevices.${address}`, rssi, item: device }];
  });
}
