import { expect, it } from 'vitest';
import { createMessageQueues, type Waiting } from '../../../../server/tracking/scans/message-queues.js';

/** A message of some reads, named by its topic, with its organization and reader. */
function message([orgId, readerId]: [orgId: number, readerId: number], topic: string, reads = 1): Waiting {
  const read = { tagType: 'rfid', value: 'E2', antenna: 1, rssiDbm: null, observedAtMs: null } as const;
  const content = { kind: 'reads', reads: Array.from({ length: reads }, () => read) } as const;
  return { message: { orgId, readerId, topic, content }, receivedAtMs: 0, resolve() {}, reject() {} };
}

const topics = (batch: readonly Waiting[]) => batch.map((waiting) => waiting.message.topic);

it('puts all that waits into one batch, readers in turn', () => {
  const queues = createMessageQueues();
  for (const reader of [1, 2]) for (const no of [1, 2, 3]) queues.add(message([1, reader], `${reader}.${no}`, 50));
  expect(topics(queues.take())).toEqual(['1.1', '2.1', '1.2', '2.2', '1.3', '2.3']);
});

it('gives an organization no second batch until the first one is settled', () => {
  const queues = createMessageQueues();
  for (const topic of ['1', '2']) queues.add(message([1, 1], topic));
  const first = queues.take();
  queues.add(message([1, 1], '3', 499));
  queues.sent(first);
  expect(queues.take()).toEqual([]);
  queues.settled(first);
  expect(topics(queues.take())).toEqual(['3']);
});

it('gives an organization a large second batch as soon as everything of the first one is sent or settled', () => {
  const queues = createMessageQueues();
  for (const topic of ['1', '2']) queues.add(message([1, 1], topic));
  const first = queues.take();
  queues.add(message([1, 1], '3', 499));
  queues.add(message([1, 2], 'another reader'));
  expect(queues.take()).toEqual([]);
  queues.sent(first.slice(0, 1));
  // A part of a batch is sent again after a fault.
  queues.sent(first.slice(0, 1));
  expect(queues.take()).toEqual([]);
  queues.settled(first.slice(1));
  const second = queues.take();
  expect(topics(second)).toEqual(['3', 'another reader']);
  queues.add(message([1, 1], '4', 500));
  queues.settled(first.slice(0, 1));
  expect(queues.take()).toEqual([]);
  queues.sent(second);
  expect(topics(queues.take())).toEqual(['4']);
});

it('gives large organizations batches of their own, and small ones a common batch', () => {
  const queues = createMessageQueues();
  queues.add(message([1, 1], 'large', 2000));
  queues.add(message([2, 2], 'large too', 2000));
  for (const orgId of [3, 4]) queues.add(message([orgId, orgId], 'small'));
  expect(topics(queues.take())).toEqual(['large']);
  expect(topics(queues.take())).toEqual(['large too']);
  expect(topics(queues.take())).toEqual(['small', 'small']);
});

it('makes no reader wait behind the backlog of another reader, and no organization behind another’s', () => {
  const queues = createMessageQueues();
  for (let no = 0; no < 1000; no += 1) queues.add(message([1, 1], 'backlog', 10));
  queues.add(message([1, 2], 'late'));
  queues.add(message([2, 3], 'other'));
  const first = queues.take();
  expect(topics(first).indexOf('late')).toBe(5);
  expect(first.length).toBe(401);
  queues.settled(first);
  // The other organization has waited for longer than the rest of the backlog.
  expect(topics(queues.take())[0]).toBe('other');
});

it('counts what waits, and hands all of it out at the end', () => {
  const queues = createMessageQueues();
  queues.add(message([1, 1], 'in work'));
  const batch = queues.take();
  queues.add(message([1, 1], '1', 7));
  queues.add(message([2, 2], '2', 3));
  expect(queues.messages()).toBe(2);
  const rest = queues.drain();
  expect(topics(rest)).toEqual(['1', '2']);
  queues.settled([...rest, ...batch]);
  expect([queues.messages(), queues.take()]).toEqual([0, []]);
});
