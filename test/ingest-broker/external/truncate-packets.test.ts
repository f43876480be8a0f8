import { expect, it } from 'vitest';
import { createPacketShortener } from '../../../ingest-broker/external/truncate-packets.js';
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
const truncated = Buffer.concat([
  message(3, 'a'),
  message(200, 'b'),
  message(200, 'c'),
  message(200, 'd'),
  message(0, ''),
]);

it('cuts messages that are too long, wherever the stream is broken', () => {
  for (let first = 0; first <= stream.length; first += 1) {
    for (const second of [first, first + 1, first + 2, first + 300]) {
      const truncate = createPacketShortener(bodyBytesMax);
      const chunks = [stream.subarray(0, first), stream.subarray(first, second), stream.subarray(second)];
      expect(Buffer.concat(chunks.flatMap(truncate)).equals(truncated), `broken at ${first} and ${second}`).toBe(true);
    }
  }
});

it('passes on what it is given in as few pieces', () => {
  const short = Buffer.concat([message(3, 'a'), message(200, 'b'), message(100, 'c')]);
  expect(createPacketShortener(bodyBytesMax)(short)).toEqual([short]);
});

it('rejects other packets that are too long, and lengths without an end', () => {
  expect(() => createPacketShortener(bodyBytesMax)(packet(packetTypes.suback, 0, Buffer.alloc(201)))).toThrow(
    OversizedPacketError,
  );
  expect(() => createPacketShortener(bodyBytesMax)(Buffer.from([0x32, 255, 255, 255, 255, 1]))).toThrow(
    ProtocolViolationError,
  );
});
