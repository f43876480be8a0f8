import { isUtf8 } from 'node:buffer';
import { ProtocolViolationError, protocolError } from './violation.js';

/** The body of a packet, and how far it has been read. */
export type Fields = { readonly body: Buffer; position: number };

export function takeByte(fields: Fields, what: string): number {
  return takeSlice(fields, 1, what)[0] ?? 0;
}

/** Reads two bytes, the higher one first. */
export function takeNumber(fields: Fields, what: string): number {
  return takeSlice(fields, 2, what).readUInt16BE();
}

/** Reads bytes after their length. */
export function takeBytes(fields: Fields, what: string): Buffer {
  return takeSlice(fields, takeNumber(fields, what), what);
}

/** Reads a text. Returns its bytes, since most texts are only checked. */
export function takeText(fields: Fields, what: string): Buffer {
  const bytes = takeBytes(fields, what);
  if (!isUtf8(bytes)) throw new ProtocolViolationError(`${what} is not UTF-8 [MQTT-1.5.3-1]`);
  if (bytes.includes(0)) throw new ProtocolViolationError(`${what} contains U+0000 [MQTT-1.5.3-2]`);
  return bytes;
}

/** Reads the identifier of a packet that has to be acknowledged. */
export function takeIdentifier(fields: Fields): number {
  const identifier = takeNumber(fields, 'the packet identifier');
  if (identifier === 0) throw protocolError('the packet identifier is 0 [MQTT-2.3.1-1]');
  return identifier;
}

export function isAtEnd({ body, position }: Fields): boolean {
  return position === body.length;
}

/** Checks that nothing follows. */
export function takeEnd(fields: Fields): void {
  if (!isAtEnd(fields)) throw new ProtocolViolationError('the packet is longer than what it holds');
}

/** Reads a number in one to four bytes, the lowest seven bits first. */
export function takeVariable(fields: Fields, what: string): number {
  let value = 0;
  for (let factor = 1; factor < 128 ** 4; factor *= 128) {
    const byte = takeByte(fields, what);
    value += (byte & 127) * factor;
    if (byte < 128) return value;
  }
  throw new ProtocolViolationError(`${what} has a fifth byte`);
}

export function takeSlice(fields: Fields, length: number, what: string): Buffer {
  const end = fields.position + length;
  if (end > fields.body.length) throw new ProtocolViolationError(`the packet ends within ${what}`);
  const slice = fields.body.subarray(fields.position, end);
  fields.position = end;
  return slice;
}
