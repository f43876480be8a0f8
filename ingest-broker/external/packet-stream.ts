import { type Packet, parser } from 'mqtt-packet';
import { payloadBytesMax } from '../receive.js';
import { createFraming, type Header } from '../wire/framing.js';
import { packetTypes } from '../wire/packet-types.js';
import { OversizedPacketError, ProtocolViolationError } from '../wire/violation.js';

/** A topic and its length, and a packet identifier. */
const aroundPayloadBytes = 65_535 + 4;

/** A message truncated to this is still recognized as too long, with any topic. */
const bodyBytesMax = payloadBytesMax + aroundPayloadBytes + 1;

const mqtt311 = 4;

/**
 * Parses the bytes from a broker into packets. A message that is too long is truncated and not rejected, since the broker
 * would otherwise repeat it forever.
 *
 * @throws ProtocolViolationError if it is not MQTT 3.1.1; the stream cannot be continued then
 */
export function createPacketStream(onPacket: (packet: Packet) => void): (chunk: Buffer) => void {
  const framing = createFraming(requireMessage, () => {}, bodyBytesMax);
  const packets = parser({ protocolVersion: mqtt311 });
  let flaw: Error | undefined;
  packets.on('packet', (packet) => {
    if (!flaw) onPacket(packet);
  });
  packets.on('error', (error: Error) => {
    flaw ??= error;
  });
  return function take(chunk) {
    framing.give(chunk);
    for (let packet = framing.take(); packet; packet = framing.take()) {
      packets.parse(packet.bytes);
      if (flaw) throw new ProtocolViolationError(flaw.message);
    }
  };
}

/** Only a message may be too long. */
function requireMessage({ type, bodyBytes }: Header): void {
  if (bodyBytes > bodyBytesMax && type !== packetTypes.publish) throw new OversizedPacketError(bodyBytes);
}
