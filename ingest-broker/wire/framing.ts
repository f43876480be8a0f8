import type { Packet } from './packet-types.js';
import { ProtocolViolationError } from './violation.js';

/** The fixed header of a packet. */
export type Header = { type: number; flags: number; headerBytes: number; bodyBytes: number };

const lengthBytesMax = 4;
/** The initial buffer of an incomplete packet; it grows with what arrives, not with the announced length. */
const begunBytesMin = 512;

/**
 * Splits a stream of bytes into packets by their fixed headers (section 2.2), in chunks of any size.
 *
 * @param checkHeader throws for a header that makes its packet invalid, so that nobody waits for the rest
 * @param checkType does the same for a packet type, before the length of the packet is known
 * @param keptBytesMax a longer body is truncated to this while it arrives, and takes no more memory than others
 */
export function createFraming(
  checkHeader: (header: Header) => void,
  checkType: (type: number) => void = () => {},
  keptBytesMax: number = Number.POSITIVE_INFINITY,
) {
  let given: Buffer = Buffer.alloc(0);
  /** The buffer of the incomplete packet; `begunBytes` of the packet have arrived. */
  let begun: Buffer = given;
  let begunBytes = 0;
  /** Bytes of the truncated packet that are still to come. */
  let surplus = 0;

  function checkedHeader(bytes: Buffer): Header | undefined {
    const [first] = bytes;
    if (first !== undefined) checkType(first >> 4);
    const header = headerOf(bytes);
    if (header) checkHeader(header);
    return header;
  }

  /** Moves bytes from the chunk to the incomplete packet. */
  function gather(bytes: number): void {
    const moved = Math.min(bytes, given.length);
    if (begunBytes + moved > begun.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(begunBytesMin, 2 * begun.length, begunBytes + moved));
      begun.copy(larger, 0, 0, begunBytes);
      begun = larger;
    }
    given.copy(begun, begunBytes, 0, moved);
    begunBytes += moved;
    given = given.subarray(moved);
  }

  function takeBegun(): Packet | undefined {
    let header = checkedHeader(begun.subarray(0, begunBytes));
    while (!header && given.length > 0) {
      gather(1);
      header = checkedHeader(begun.subarray(0, begunBytes));
    }
    if (!header) return undefined;
    gather(keptBytes(header) - begunBytes);
    if (begunBytes < keptBytes(header)) return undefined;
    const packet = endPacket(header, begun.subarray(0, begunBytes));
    begun = Buffer.alloc(0);
    begunBytes = 0;
    return packet;
  }

  function keptBytes({ headerBytes, bodyBytes }: Header): number {
    return headerBytes + Math.min(bodyBytes, keptBytesMax);
  }

  function endPacket(header: Header, bytes: Buffer): Packet {
    const packet = packetOf(header, bytes);
    surplus = header.bodyBytes - packet.body.length;
    return surplus > 0 ? packetFrom(packet, [packet.body]) : packet;
  }

  function dropSurplus(): void {
    const dropped = Math.min(surplus, given.length);
    surplus -= dropped;
    given = given.subarray(dropped);
  }

  return {
    /** Adds a chunk; the previous one must have been consumed. */
    give(bytes: Buffer): void {
      given = bytes;
    },
    /**
     * Returns the next packet, or undefined until more bytes are added.
     *
     * @throws ProtocolViolationError, and the errors of `checkHeader`; the stream cannot be continued then
     */
    take(): Packet | undefined {
      dropSurplus();
      if (begunBytes > 0) return takeBegun();
      const header = checkedHeader(given);
      const bytes = header ? keptBytes(header) : Number.POSITIVE_INFINITY;
      if (!header || given.length < bytes) {
        gather(given.length);
        return undefined;
      }
      const packet = endPacket(header, given.subarray(0, bytes));
      given = given.subarray(bytes);
      return packet;
    },
    /** Returns the memory of the incomplete packet, in bytes. */
    begunBytes: () => begun.length,
    /** Returns the bytes that were added but not consumed, and forgets them. */
    giveBack(): Buffer {
      const rest = given;
      given = Buffer.alloc(0);
      return rest;
    },
  };
}

/** Returns a packet with a body in parts, which are copied. */
export function packetFrom({ type, flags }: Pick<Packet, 'type' | 'flags'>, parts: readonly Uint8Array[]): Packet {
  const bodyBytes = parts.reduce((total, part) => total + part.length, 0);
  const header = Buffer.from([(type << 4) | flags, ...lengthBytes(bodyBytes)]);
  const bytes = Buffer.concat([header, ...parts], header.length + bodyBytes);
  return { type, flags, bytes, body: bytes.subarray(header.length) };
}

/** Returns the bytes of a remaining length. */
export function lengthBytes(length: number): number[] {
  const rest = Math.floor(length / 128);
  return rest > 0 ? [(length % 128) + 128, ...lengthBytes(rest)] : [length];
}

function packetOf({ type, flags, headerBytes }: Header, bytes: Buffer): Packet {
  return { type, flags, bytes, body: bytes.subarray(headerBytes) };
}

/**
 * Returns the fixed header at the beginning of some bytes, once it is complete.
 *
 * @throws ProtocolViolationError
 */
function headerOf(bytes: Buffer): Header | undefined {
  let bodyBytes = 0;
  for (let index = 1; index < bytes.length; index += 1) {
    const byte = bytes[index] ?? 0;
    bodyBytes += (byte & 127) * 128 ** (index - 1);
    if (byte < 128) {
      const first = bytes[0] ?? 0;
      return { type: first >> 4, flags: first & 15, headerBytes: index + 1, bodyBytes };
    }
    if (index === lengthBytesMax) throw new ProtocolViolationError('the remaining length has a fifth byte');
  }
  return undefined;
}
