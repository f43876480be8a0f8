const gzip = [0x1f, 0x8b];
const zlib = 0x78;
const zlibLevels = [0x01, 0x5e, 0x9c, 0xda];
/** The tag that marks the rest as CBOR (RFC 8949, section 3.4.6). */
const cborTag = [0xd9, 0xd9, 0xf7];
/** Characters that show whether a message is text. */
const beginningLength = 32;

export const textReason = 'the payload is text, not JSON';

/** Returns whether a payload does not begin as text, though JSON may stand in it. */
export function beginsAsBinary(payload: Uint8Array, text: string): boolean {
  const [beginning = ''] = text.trimStart().slice(0, beginningLength).split(/[{[]/, 1);
  // oxlint-disable-next-line no-control-regex
  if (/[\x00-\x08\x0E-\x1A\x1C-\x1F]/.test(beginning)) return true;
  // Texts that are only partly UTF-8 have printable characters around the others.
  return beginning.includes('\u{fffd}') && (payload[0] ?? 0) >= 0x80;
}

export function binaryReason(payload: Uint8Array): string {
  return `the payload is binary (${binaryKind(payload)}), not JSON`;
}

/** Names the format if the first bytes leave no doubt. */
function binaryKind(payload: Uint8Array): string {
  const [first = 0, second = 0] = payload;
  if (beginsWith(payload, gzip)) return 'gzip';
  if (first === zlib && zlibLevels.includes(second)) return 'zlib';
  // A map whose first key is a text.
  const isMap = (first >= 0xa1 && first <= 0xb7) || first === 0xbf;
  if (beginsWith(payload, cborTag) || (isMap && second >= 0x60 && second <= 0x78)) return 'CBOR';
  if ((first >= 0x80 && first <= 0x9f) || (first >= 0xdc && first <= 0xdf)) return 'MessagePack';
  return 'of an unknown format';
}

function beginsWith(payload: Uint8Array, bytes: readonly number[]): boolean {
  return bytes.every((byte, index) => payload[index] === byte);
}
