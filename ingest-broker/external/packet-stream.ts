import { type Packet, parser } from 'mqtt-packet';
import { payloadBytesMax } from '../receive.js';
import { ProtocolViolationError } from '../wire/violation.js';
import { createPacketShortener } from './truncate-packets.js';

/** A topic and its length, and a packet identifier. */
const aroundPayloadBytes = 65_535 + 4;

/** A message truncated to this is still recognized as too long, with any topic. */
const bodyBytesMax = payloadBytesMax + aroundPayloadBytes + 1;

const mqtt311 = 4;

/**
 * Parses the bytes from a broker into packets.
 *
 * @throws ProtocolViolationError if it is not MQTT 3.1.1; the stream cannot be continued then
 */
export function createPacketStream(onPacket: (packet: Packet) => void): (chunk: Buffer) => void {
  const truncate = createPacketShortener(bodyBytesMax);
  const packets = parser({ protocolVersion: mqtt311 });
  let flaw: Error | undefined;
  packets.on('packet', (packet) => {
    if (!flaw) onPacket(packet);
  });
  packets.on('error', (error: Error) => {
    flaw ??= error;
  });
  return function take(chunk) {
    for (const piece of truncate(chunk)) {
      packets.parse(piece);
      if (flaw) throw new ProtocolViolationError(flaw.message);
    }
  };
}
