import { headerOf, lengthBytes } from '../wire/framing.js';
import { packetTypes } from '../wire/packet-types.js';
import { OversizedPacketError } from '../wire/violation.js';

/**
 * Truncates the messages in a stream of packets that are longer than `bodyBytesMax`, in chunks of any size, and leaves
 * everything else unchanged. So a message of any length is recognized as too long, and takes no more memory than
 * others. It is acknowledged, since the broker would otherwise repeat it forever.
 */
export function createPacketShortener(bodyBytesMax: number) {
  /** The beginning of an incomplete header. */
  let held: Buffer = Buffer.alloc(0);
  /** The bytes of the present packet that are still to come: first those to pass on, then those to drop. */
  let rest = 0;
  let surplus = 0;

  /**
   * Returns the parts of the chunk to pass on.
   *
   * @throws ProtocolViolationError
   */
  return function truncate(chunk: Buffer): Buffer[] {
    const bytes = held.length > 0 ? Buffer.concat([held, chunk]) : chunk;
    const pieces: Buffer[] = [];
    let position = 0;
    let begun = 0;
    held = Buffer.alloc(0);

    function passOn(): void {
      if (position > begun) pieces.push(bytes.subarray(begun, position));
      begun = position;
    }

    while (position < bytes.length) {
      if (rest > 0) {
        const step = Math.min(rest, bytes.length - position);
        rest -= step;
        position += step;
        continue;
      }
      if (surplus > 0) {
        passOn();
        const step = Math.min(surplus, bytes.length - position);
        surplus -= step;
        position += step;
        begun = position;
        continue;
      }
      const header = headerOf(bytes.subarray(position));
      if (!header) {
        passOn();
        held = Buffer.from(bytes.subarray(position));
        return pieces;
      }
      const { type, headerBytes, bodyBytes } = header;
      if (bodyBytes > bodyBytesMax) {
        if (type !== packetTypes.publish) throw new OversizedPacketError(bodyBytes);
        passOn();
        pieces.push(Buffer.from([bytes[position] ?? 0, ...lengthBytes(bodyBytesMax)]));
        begun = position + headerBytes;
      }
      position += headerBytes;
      rest = Math.min(bodyBytes, bodyBytesMax);
      surplus = bodyBytes - rest;
    }
    passOn();
    return pieces;
  };
}
