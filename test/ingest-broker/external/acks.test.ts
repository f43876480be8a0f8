import type { Packet } from 'mqtt-packet';
import { expect, it } from 'vitest';
import { createAcks } from '../../../ingest-broker/external/acks.js';

it('keeps acknowledgements in line, each for those before it, and none for one that never comes', () => {
  const sent: Packet[] = [];
  const ack = createAcks((packet) => sent.push(packet));
  const [one, two, three, four, five] = [1, 2, 3, 4, 5].map((messageId) => ack({ cmd: 'puback', messageId }));
  const ids = () => sent.map(({ messageId }) => messageId);
  three?.give();
  expect(ids()).toEqual([]);
  one?.give();
  expect(ids()).toEqual([1]);
  two?.withhold();
  expect(ids()).toEqual([1, 3]);
  five?.give();
  four?.give();
  expect(ids()).toEqual([1, 3, 4, 5]);
});
