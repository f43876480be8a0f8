import { expect, it } from 'vitest';
import { createMessageQueues, type Waiting } from '../../../server/scans/message-queues.js';

/** A message of some reads, named by its topic, with its organization and reader. */
function message([orgId, readerId]: [orgId: number, readerId: number], topic: string, reads = 1): Waiting {
  const read = { tagType: 'rfid', value: 'E2', antenna: 1, rssiDbm: null, observedAtMs: null } as const;
  const content = { kind: 'reads', reads: Array.from({ length: reads }, () => read) } as const;
  return { message: { orgId, readerId, topic, content }, receivedAtMs: 0, resolve() {}, reject() {} };
}

const topics = (batch: readonly Waiting[]) => batch.map((waiting) => waiting.message.topic);

const nobody = new Set<number>();

it('gives a reader’s messages in their order, and none while some of it are out', () => {
  const queues = createMessageQueues();
  for (const topic of ['1', '2', '3']) queues.add(message([1, 1], topic, 40));
  const first = queues.take(60);
  expect(topics(first)).toEqual(['1', '2']);
  expect(queues.take(60)).toEqual([]);
  queues.add(message([1, 1], '4'));
  expect(queues.take(60)).toEqual([]);
  // Half of it is settled: what is left may not be overtaken.
  queues.release(first.slice(0, 1));
  expect(queues.take(60)).toEqual([]);
  queues.release(first.slice(1));
  expect(topics(queues.take(60))).toEqual(['3', '4']);
});

it('lets readers of one organization be stored side by side', () => {
  const queues = createMessageQueues();
  queues.add(message([1, 1], 'a'));
  expect(topics(queues.take(10))).toEqual(['a']);
  queues.add(message([1, 2], 'b'));
  expect(topics(queues.take(10))).toEqual(['b']);
});

it('makes no reader wait behind the backlog of another reader, or of another organization', () => {
  const queues = createMessageQueues();
  for (let reader = 1; reader <= 5; reader += 1) {
    for (let no = 0; no < 100; no += 1) queues.add(message([1, reader], `${reader}`, 10));
  }
  queues.add(message([1, 6], 'late'));
  queues.add(message([2, 7], 'other'));
  const batch = topics(queues.take(400));
  expect(batch.indexOf('other')).toBeLessThanOrEqual(5);
  expect(batch).toContain('late');
  // What is left of the batch is shared by those with more.
  expect(batch.length).toBeGreaterThanOrEqual(40);
});

it('gives a reader that had a turn its next one last', () => {
  const queues = createMessageQueues();
  for (const reader of [1, 2, 3]) for (const no of [1, 2]) queues.add(message([1, reader], `${reader}.${no}`, 50));
  const first = queues.take(50);
  queues.release(first);
  expect(topics(queues.take(100))).toEqual(['2.1', '3.1']);
});

it('puts what was not stored first in line again', () => {
  const queues = createMessageQueues();
  queues.add(message([1, 1], '1'));
  const batch = queues.take(10);
  queues.add(message([1, 1], '2'));
  expect(queues.messages()).toBe(1);
  queues.putBack(batch, nobody);
  expect(queues.messages()).toBe(2);
  expect(topics(queues.take(10))).toEqual(['1', '2']);
});

it('sets an organization apart whose tree is busy, until one batch of it got through', () => {
  const queues = createMessageQueues();
  queues.add(message([1, 1], 'busy'));
  queues.add(message([2, 2], 'free'));
  queues.putBack(queues.take(10), new Set([1]));
  queues.add(message([1, 3], 'busy too'));
  expect(topics(queues.take(10))).toEqual(['free']);
  const waited = queues.takeBusy(10);
  expect(topics(waited)).toEqual(['busy', 'busy too']);
  queues.add(message([1, 4], 'more'));
  // One batch that waits for a tree is enough, and leaves space for another organization’s.
  expect(queues.takeBusy(10)).toEqual([]);
  expect(queues.take(10)).toEqual([]);
  queues.release(waited);
  expect(topics(queues.take(10))).toEqual(['more']);
});

it('counts what waits, and hands all of it out at the end', () => {
  const queues = createMessageQueues();
  queues.add(message([1, 1], '1', 7));
  queues.add(message([2, 2], '2', 3));
  expect([queues.messages(), queues.reads()]).toEqual([2, 10]);
  const rest = queues.drain();
  expect(topics(rest)).toEqual(['1', '2']);
  queues.release(rest);
  expect([queues.messages(), queues.reads(), queues.take(10)]).toEqual([0, 0, []]);
});
