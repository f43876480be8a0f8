const publishType = 0x30;
const pubackType = 0x40;
const pingrespType = 0xd0;
const connackType = 0x20;

export const pingreqPacket = Buffer.from([0xc0, 0]);
export const disconnectPacket = Buffer.from([0xe0, 0]);

export type Publish = {
  readonly topic: Buffer;
  readonly payload: Uint8Array;
  /** Missing at QoS 0. */
  readonly id: number | undefined;
};

/** Returns one PUBLISH ([MQTT-3.3]), with one copy of the payload. */
export function publishPacket({ topic, payload, id }: Publish): Buffer {
  const rest = 2 + topic.length + (id === undefined ? 0 : 2) + payload.length;
  const lengthBytes = rest < 128 ? 1 : rest < 16_384 ? 2 : rest < 2_097_152 ? 3 : 4;
  const packet = Buffer.allocUnsafe(1 + lengthBytes + rest);
  let offset = packet.writeUInt8(id === undefined ? publishType : publishType | 2);
  for (let left = rest, no = 1; no <= lengthBytes; no += 1, left = Math.floor(left / 128)) {
    offset = packet.writeUInt8((left % 128) + (no < lengthBytes ? 128 : 0), offset);
  }
  offset = packet.writeUInt16BE(topic.length, offset);
  offset += topic.copy(packet, offset);
  if (id !== undefined) offset = packet.writeUInt16BE(id, offset);
  packet.set(payload, offset);
  return packet;
}

export type Answers = {
  onConnected(returnCode: number): void;
  onAck(id: number): void;
  onPong(): void;
};

/**
 * Parses what a broker sends to a publisher: packets of at most four bytes, in chunks of any size.
 *
 * @throws Error for a packet that no publisher expects
 */
export function createAnswers({ onConnected, onAck, onPong }: Answers): (chunk: Buffer) => void {
  let left: Buffer = Buffer.alloc(0);
  return (chunk) => {
    const bytes = left.length === 0 ? chunk : Buffer.concat([left, chunk]);
    let offset = 0;
    while (bytes.length - offset >= 2 && bytes.length - offset >= 2 + (bytes[offset + 1] ?? 0)) {
      const type = bytes[offset];
      if (type === pubackType) onAck(bytes.readUInt16BE(offset + 2));
      else if (type === pingrespType) onPong();
      else if (type === connackType) onConnected(bytes[offset + 3] ?? 0);
      else throw new Error(`the broker sent a packet of type ${type}`);
      offset += 2 + (bytes[offset + 1] ?? 0);
    }
    left = bytes.subarray(offset);
  };
}
