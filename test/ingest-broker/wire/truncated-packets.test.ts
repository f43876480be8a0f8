import { expect, it } from 'vitest';
import { createPacketStream } from '../../../ingest-broker/external/packet-stream.js';
import { createFraming } from '../../../ingest-broker/wire/framing.js';
import { OversizedPacketError, ProtocolViolationError } from '../../../ingest-broker/wire/violation.js';
import { packet, packetTypes } from '../../support/raw-mqtt.js';

const bodyBytesMax = 200;
const message = (bytes: number, fill: string) => packet(packetTypes.publish, 2, Buffer.alloc(bytes, fill));

/** Two messages too long among others that are not, and what is to be left of them. */
const stream = Buffer.concat([
  message(3, 'a'),
  message(500, 'b'),
  message(200, 'c'),
  message(201, 'd'),
  message(0, ''),
]);
const truncated = [message(3, 'a'), message(200, 'b'), message(200, 'c'), message(200, 'd'), message(0, '')];

it('cuts messages that are too long, wherever the stream is broken', () => {
  for (let first = 0; first <= stream.length; first += 1) {
    for (const second of [first, first + 1, first + 2, first + 300]) {
      const framing = createFraming(
        () => {},
        () => {},
        bodyBytesMax,
      );
      const found: Buffer[] = [];
      for (const chunk of [stream.subarray(0, first), stream.subarray(first, second), stream.subarray(second)]) {
        framing.give(chunk);
        for (let next = framing.take(); next; next = framing.take()) found.push(next.bytes);
      }
      const isSame =
        found.length === truncated.length && found.every((bytes, at) => bytes.equals(truncated[at] ?? bytes));
      expect(isSame, `broken at ${first} and ${second}`).toBe(true);
    }
  }
});

it('rejects other packets of a broker that are too long, and lengths without an end', () => {
  const take = (bytes: Buffer) => createPacketStream(() => {})(bytes);
  expect(() => take(packet(packetTypes.suback, 0, Buffer.alloc(400_000)))).toThrow(OversizedPacketError);
  expect(() => take(Buffer.from([0x32, 255, 255, 255, 255, 1]))).toThrow(ProtocolViolationError);
});
