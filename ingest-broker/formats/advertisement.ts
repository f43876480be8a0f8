import type { RawTelemetry } from './telemetry.js';

/** Longer advertisements exist, but none whose telemetry comes later. */
const advertisementBytesMax = 255;
const manufacturerData = 0xff;
const serviceData = 0x16;

type Decoder = (data: Buffer) => RawTelemetry | undefined;

/** Decoders by the type of a structure, then by the manufacturer or 16-bit service that it begins with. They get the rest. */
const decoders = new Map<number | undefined, ReadonlyMap<number, Decoder>>([
  [manufacturerData, new Map([[0x0499, ruuviTelemetry]])],
  [
    serviceData,
    new Map([
      [0xfc_d2, bthomeTelemetry],
      [0xfe_aa, eddystoneTelemetry],
      [0xfe_ab, mokoTelemetry],
      [0xff_e1, minewTelemetry],
    ]),
  ],
]);

/**
 * Returns the telemetry in an advertisement of a BLE tag, given as bytes or in hexadecimal: Ruuvi RAWv2, Eddystone TLM,
 * BTHome v2 without encryption, Minew's sensors and MOKO's T&H. Facts: docs.ruuvi.com, `google/eddystone`, bthome.io,
 * `reelyactive/advlib-ble-services` and `MKBeaconXPlus` of MOKO.
 */
export function advertisedTelemetry(advertisement: unknown): RawTelemetry | undefined {
  const bytes = bytesOf(advertisement);
  if (!bytes) return undefined;
  for (let at = 0; at + 3 < bytes.length; ) {
    const length = bytes[at] ?? 0;
    if (length === 0) return undefined;
    const decode = decoders.get(bytes[at + 1])?.get(bytes.readUInt16LE(at + 2));
    const telemetry = decode?.(bytes.subarray(at + 4, at + 1 + length));
    if (telemetry) return telemetry;
    at += 1 + length;
  }
  return undefined;
}

function bytesOf(advertisement: unknown): Buffer | undefined {
  if (typeof advertisement === 'string') return Buffer.from(advertisement.slice(0, 2 * advertisementBytesMax), 'hex');
  return advertisement instanceof Uint8Array
    ? Buffer.from(advertisement.subarray(0, advertisementBytesMax))
    : undefined;
}

function known(value: number, unavailable: number, convert: (value: number) => number): number | undefined {
  return value === unavailable ? undefined : convert(value);
}

/** RAWv2, also called data format 5. */
function ruuviTelemetry(data: Buffer): RawTelemetry | undefined {
  if (data[0] !== 5 || data.length < 16) return undefined;
  return {
    temperature: known(data.readInt16BE(1), -32_768, (steps) => steps / 200),
    humidity: known(data.readUInt16BE(3), 65_535, (steps) => steps / 400),
    voltage: known(data.readUInt16BE(13) >> 5, 2047, (millivolts) => (millivolts + 1600) / 1000),
    movements: known(data.readUInt8(15), 255, (count) => count),
  };
}

/** A plain TLM frame; the other version is encrypted. */
function eddystoneTelemetry(data: Buffer): RawTelemetry | undefined {
  if (data[0] !== 0x20 || data[1] !== 0 || data.length < 6) return undefined;
  return {
    voltage: known(data.readUInt16BE(2), 0, (millivolts) => millivolts / 1000),
    temperature: known(data.readInt16BE(4), -32_768, (steps) => steps / 256),
  };
}

/** Frames of Minew's tags: information (8), temperature and humidity (1), accelerometer (3). */
function minewTelemetry(data: Buffer): RawTelemetry | undefined {
  const product = data[1] ?? 0;
  if (data[0] !== 0xa1 || ![1, 3, 8].includes(product) || data.length < 7) return undefined;
  const battery = data[2];
  if (product !== 1) return { battery };
  return { battery, temperature: data.readInt16BE(3) / 256, humidity: data.readUInt16BE(5) / 256 };
}

/** The frame of MOKO's temperature and humidity sensors. */
function mokoTelemetry(data: Buffer): RawTelemetry | undefined {
  if (data[0] !== 0x70 || data.length < 7) return undefined;
  return { temperature: data.readInt16BE(3) / 10, humidity: data.readUInt16BE(5) / 10 };
}

type BthomeObject = { bytes: number; quantity?: keyof RawTelemetry; factor?: number; isSigned?: boolean };

/** The objects of BTHome v2 by their identifiers. The other ones are listed for their length alone. */
const bthomeObjects = new Map<number, BthomeObject>([
  [0x01, { bytes: 1, quantity: 'battery' }],
  [0x02, { bytes: 2, quantity: 'temperature', factor: 0.01, isSigned: true }],
  [0x03, { bytes: 2, quantity: 'humidity', factor: 0.01 }],
  [0x21, { bytes: 1, quantity: 'motion' }],
  [0x22, { bytes: 1, quantity: 'motion' }],
  [0x2e, { bytes: 1, quantity: 'humidity' }],
  [0x3a, { bytes: 1, quantity: 'button' }],
  [0x45, { bytes: 2, quantity: 'temperature', factor: 0.1, isSigned: true }],
  [0x57, { bytes: 1, quantity: 'temperature', isSigned: true }],
  [0x58, { bytes: 1, quantity: 'temperature', factor: 0.35, isSigned: true }],
  ...[0x00, 0x09, 0x2f, 0x46, 0x59, 0x60].map((id) => sized(id, 1)),
  ...range(0x0f, 0x11).map((id) => sized(id, 1)),
  ...range(0x15, 0x20).map((id) => sized(id, 1)),
  ...range(0x23, 0x2d).map((id) => sized(id, 1)),
  ...[0x06, 0x07, 0x08, 0x0c, 0x0d, 0x0e, 0x12, 0x13, 0x14, 0x3c, 0x3d, 0x3f, 0x40].map((id) => sized(id, 2)),
  ...[0x41, 0x43, 0x44, 0x47, 0x48, 0x49, 0x4a, 0x51, 0x52, 0x56, 0x5a, 0x5d, 0x5e, 0x5f].map((id) => sized(id, 2)),
  ...[0x04, 0x05, 0x0a, 0x0b, 0x42, 0x4b].map((id) => sized(id, 3)),
  ...[0x3e, 0x4c, 0x4d, 0x4e, 0x4f, 0x50, 0x55, 0x5b, 0x5c].map((id) => sized(id, 4)),
]);

function sized(id: number, bytes: number): [number, BthomeObject] {
  return [id, { bytes }];
}

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

/** Unknown objects end the reading, as their length is not known. */
function bthomeTelemetry(data: Buffer): RawTelemetry | undefined {
  const isEncrypted = ((data[0] ?? 0) & 1) === 1;
  if (isEncrypted || (data[0] ?? 0) >> 5 !== 2) return undefined;
  const telemetry: RawTelemetry = {};
  for (let at = 1; at < data.length; ) {
    const object = bthomeObjects.get(data[at] ?? 0);
    if (!object || at + object.bytes >= data.length) break;
    const { bytes, quantity, factor = 1, isSigned = false } = object;
    // A device with several buttons sends 0 for each that is not pressed.
    if (quantity && !telemetry[quantity]) {
      const value = isSigned ? data.readIntLE(at + 1, bytes) : data.readUIntLE(at + 1, bytes);
      telemetry[quantity] = Math.round(value * factor * 100) / 100;
    }
    at += 1 + bytes;
  }
  return telemetry;
}
