/** The fixed header of a packet that is longer than allowed. */
export type Oversized = { type: number; bytes: number };

const publishType = 3;

/**
 * Follows the packets in a stream of bytes by their fixed headers alone, in whatever pieces they come, so that a packet is
 * known to be too long before anybody waits for the rest of it ([MQTT-2.2.3]).
 */
export function createPacketSizes(bytesMax: number) {
  /** What is still to come of the packet under way. */
  let rest = 0;
  let type = 0;
  /** Length bytes read of the header under way; -1 between packets. */
  let lengthBytes = -1;
  let length = 0;

  /** The first packet of the chunk that is too long, if any; after that the stream is lost. */
  return function follow(chunk: Uint8Array): Oversized | undefined {
    let position = 0;
    while (position < chunk.length) {
      if (rest > 0) {
        const skipped = Math.min(rest, chunk.length - position);
        rest -= skipped;
        position += skipped;
        continue;
      }
      const byte = chunk[position] ?? 0;
      position += 1;
      if (lengthBytes < 0) {
        type = byte >> 4;
        length = 0;
        lengthBytes = 0;
        continue;
      }
      length += (byte & 127) * 128 ** lengthBytes;
      lengthBytes += 1;
      if (byte < 128) {
        if (length > bytesMax) return { type, bytes: length };
        rest = length;
        lengthBytes = -1;
      } else if (lengthBytes === 4) return { type, bytes: Number.POSITIVE_INFINITY };
    }
    return undefined;
  };
}

export function isPublish({ type }: Oversized): boolean {
  return type === publishType;
}
