import { afterEach, expect, test, vi } from 'vitest';
import { createFairQueue } from '../../../../server/kernel/database/fair-queue.js';
import { createPresence } from '../../../../server/kernel/database/presence.js';
import { useFakeTimers } from '../../../support/shared.js';

afterEach(() => vi.useRealTimers());

/** Work that runs until the test ends it. */
function createWork() {
  const started: string[] = [];
  const ends: (() => void)[] = [];
  return {
    started,
    of: (name: string) => async () => {
      started.push(name);
      await new Promise<void>((resolve) => ends.push(resolve));
    },
    endFirst: () => ends.shift()?.(),
  };
}

/** Work whose result is not needed: some of it is still waiting when its test ends, and is rejected after that. */
const inBackground = (work: Promise<unknown>) => void work.catch(() => {});

/** Lets all work continue that can. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

test('an organization that is alone leaves half of the connections to others', async () => {
  const queue = createFairQueue({ inAll: 8 });
  const work = createWork();
  for (let call = 0; call < 20; call += 1) inBackground(queue.run(1, work.of('one')));
  await settle();
  expect(work.started.length).toBe(4);
  expect(queue.stats()).toMatchObject({ running: 4, waiting: 16 });
});

test('the call of another organization starts at once, however many calls of the first one wait', async () => {
  const queue = createFairQueue({ inAll: 4 });
  const work = createWork();
  for (let call = 0; call < 100; call += 1) inBackground(queue.run(1, work.of('many')));
  inBackground(queue.run(2, work.of('few')));
  await settle();
  expect(work.started).toContain('few');
});

test('organizations take turns', async () => {
  const queue = createFairQueue({ inAll: 1 });
  const work = createWork();
  for (let call = 0; call < 3; call += 1) inBackground(queue.run(1, work.of('A')));
  for (let call = 0; call < 3; call += 1) inBackground(queue.run(2, work.of('B')));
  for (let call = 0; call < 5; call += 1) {
    await settle();
    work.endFirst();
  }
  await settle();
  expect(work.started.join('')).toBe('ABABAB');
});

test('a call that fails gives its connection back', async () => {
  const queue = createFairQueue({ inAll: 1 });
  await expect(queue.run(1, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  await expect(queue.run(1, () => Promise.resolve('yes'))).resolves.toBe('yes');
  expect(queue.stats()).toEqual({ running: 0, waiting: 0, rejected: 0 });
});

test('a call that cannot start within four seconds is rejected with a time to retry', async () => {
  useFakeTimers();
  const queue = createFairQueue({ inAll: 1 });
  const work = createWork();
  inBackground(queue.run(1, work.of('slow')));
  const late = queue.run(1, work.of('late')).catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(4000);
  expect(await late).toMatchObject({ type: 'service_unavailable', retryAfterSeconds: 1 });
  expect(work.started).toEqual(['slow']);
  expect(queue.stats()).toEqual({ running: 1, waiting: 0, rejected: 1 });
});

test('more than 200 waiting calls of one organization are rejected at once, calls of others are not', async () => {
  const queue = createFairQueue({ inAll: 1 });
  const work = createWork();
  for (let call = 0; call < 201; call += 1) inBackground(queue.run(1, work.of('many')));
  await expect(queue.run(1, work.of('more'))).rejects.toMatchObject({ type: 'service_unavailable' });
  inBackground(queue.run(2, work.of('other')));
  work.endFirst();
  await settle();
  work.endFirst();
  await settle();
  expect(work.started).toContain('other');
});

test('nothing is started for a client that has left while it waited', async () => {
  const queue = createFairQueue({ inAll: 1 });
  const work = createWork();
  const presence = createPresence();
  inBackground(queue.run(1, work.of('first')));
  const left = queue.run(1, work.of('left'), presence);
  presence.leave();
  work.endFirst();
  await expect(left).rejects.toMatchObject({ type: 'service_unavailable' });
  expect(work.started).toEqual(['first']);
});

test('a statement that is canceled because its client has left does not count as a fault of the database', async () => {
  const queue = createFairQueue({ inAll: 1 });
  const presence = createPresence();
  const canceled = Object.assign(new Error('canceling statement due to user request'), {
    code: '57014',
    severity: 'ERROR',
  });
  await expect(queue.run(1, () => Promise.reject(canceled), presence)).rejects.toBe(canceled);
  const leave = () => {
    presence.leave();
    return Promise.reject(canceled);
  };
  const left = queue.run(1, leave, presence);
  await expect(left).rejects.toMatchObject({ type: 'service_unavailable', cause: undefined });
});

test('a closed queue rejects waiting and new calls, and is closed once no call is running', async () => {
  const queue = createFairQueue({ inAll: 1 });
  const work = createWork();
  const first = queue.run(1, work.of('first'));
  const waiting = queue.run(1, work.of('waiting')).catch((error: unknown) => error);
  const closed = Promise.all([queue.close(), queue.close()]).then(() => 'closed');
  expect(await waiting).toMatchObject({ type: 'service_unavailable' });
  await expect(queue.run(2, work.of('late'))).rejects.toMatchObject({ type: 'service_unavailable' });
  expect(await Promise.race([closed, settle()])).toBe(undefined);
  work.endFirst();
  await first;
  expect(await closed).toBe('closed');
  await queue.close();
  expect(work.started).toEqual(['first']);
});
