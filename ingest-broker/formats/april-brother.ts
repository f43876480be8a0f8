import { decode } from '@msgpack/msgpack';
import { advertisedTelemetry } from './advertisement.js';
import type { Format } from './format.js';
import { type Finding, type FrameFormat, jsonFormat, understandFrames } from './frame-format.js';
import { type Frame, fieldOf, framesOf, valuesMax } from './json-frames.js';
import { macOf } from './values.js';

/** The type of the advertisement, six bytes of the address, and the RSSI. */
const addressBegin = 1;
const rssiAt = 7;
/** As MessagePack begins a map or an array of any length; no JSON text begins with these bytes. */
const isMessagePack = (byte = 0) => (byte >= 0x80 && byte <= 0x9f) || (byte >= 0xdc && byte <= 0xdf);
/** Bounds of what is decoded: no message has more bytes, and each item takes one at least. */
const limits = {
  maxStrLength: 65_536,
  maxBinLength: 65_536,
  maxArrayLength: valuesMax,
  maxMapLength: 1000,
  maxExtLength: 0,
};

/**
 * April Brother BLE gateway V4: a list of advertisements, in MessagePack as bytes, in JSON as bytes in hexadecimal or
 * as an array of type, address, RSSI and content. `time` is the time since the gateway started, so that the time of
 * receipt counts. Facts: the user guide in `AprilBrother/wiki.aprbrother`.
 */
export const aprilBrotherFrames: FrameFormat = {
  findings(frame) {
    const devices = fieldOf(frame, 'devices');
    if (!Array.isArray(devices) || !Object.hasOwn(frame, 'mid')) return undefined;
    return devices.slice(0, valuesMax).map((device: unknown, index) => findingOf(device, `devices[${index}]`));
  },
  isStatus: (frame) => ['v', 'mid', 'ip'].every((name) => Object.hasOwn(frame, name)),
  alwaysHasRssi: true,
};

const json = jsonFormat(aprilBrotherFrames);

export const aprilBrother: Format = (input) => {
  if (!isMessagePack(input.payload[0])) return json(input);
  let value: unknown;
  try {
    value = decode(input.payload, limits);
  } catch (error) {
    return { kind: 'rejected', reason: `the payload is not valid MessagePack: ${(error as Error).message}` };
  }
  return understandFrames(aprilBrotherFrames, framesOf({ values: [value], loss: undefined }), input);
};

function findingOf(device: unknown, path: string): Finding {
  if (Array.isArray(device)) return readOfParts(device, path);
  const bytes = typeof device === 'string' ? Buffer.from(device, 'hex') : device;
  if (!(bytes instanceof Uint8Array) || bytes.length <= rssiAt) return { flaw: `${path} is no advertisement` };
  const level = bytes[rssiAt] ?? 0;
  return {
    tagType: 'ble',
    value: Buffer.from(bytes.subarray(addressBegin, rssiAt)).toString('hex').toUpperCase(),
    path,
    timeMs: 'unused',
    rssi: level < 128 ? level : level - 256,
    telemetry: advertisedTelemetry(bytes.subarray(rssiAt + 1)),
  };
}

function readOfParts([, address, rssi, content]: readonly unknown[], path: string): Finding {
  return {
    tagType: 'ble',
    value: macOf(address),
    path: `${path}[1]`,
    rssi,
    timeMs: 'unused',
    telemetry: advertisedTelemetry(content),
  };
}

/** Returns whether an object is one of this gateway's, for automatic detection. */
export function isAprilBrother(frame: Frame): boolean {
  return ['v', 'mid', 'ip', 'mac', 'devices'].every((name) => Object.hasOwn(frame, name));
}
