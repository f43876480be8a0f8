import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createRejectionDelay } from '../../gateway/rejection-delay.js';
import { useFakeTimers } from '../support/shared.js';

beforeEach(() => {
  useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

const openResponse = () => Object.assign(new EventEmitter(), { destroyed: false }) as unknown as ServerResponse;

/** Starts the delay of a rejection and returns whether it is over. */
function begin(delay: ReturnType<typeof createRejectionDelay>, response = openResponse()): () => Promise<boolean> {
  let isOver = false;
  void delay(response).then(() => {
    isOver = true;
  });
  return async () => {
    await vi.advanceTimersByTimeAsync(0);
    return isOver;
  };
}

test('a rejection waits a second', async () => {
  const isOver = begin(createRejectionDelay());
  await vi.advanceTimersByTimeAsync(999);
  expect(await isOver()).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(await isOver()).toBe(true);
});

test('a limited number wait; the next is sent at once, until one of them has ended', async () => {
  const delay = createRejectionDelay({ waitingMax: 2 });
  const waiting = [begin(delay), begin(delay)];
  expect(await begin(delay)()).toBe(true);
  expect(await Promise.all(waiting.map((isOver) => isOver()))).toEqual([false, false]);
  await vi.advanceTimersByTimeAsync(1000);
  expect(await begin(delay)()).toBe(false);
});

test('a client that leaves is not waited for', async () => {
  const delay = createRejectionDelay({ waitingMax: 1 });
  const response = openResponse();
  // A service of earlier files in this worker can have timers too.
  const timers = vi.getTimerCount();
  const isOver = begin(delay, response);
  expect(vi.getTimerCount()).toBe(timers + 1);
  response.emit('close');
  expect(vi.getTimerCount()).toBe(timers);
  expect(response.listenerCount('close')).toBe(0);
  expect(await isOver()).toBe(true);
  expect(await begin(delay)()).toBe(false);
});
