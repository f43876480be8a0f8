import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { DeadlineError, overdueExchanges, withDeadline } from '../../../server/kernel/deadline.js';
import { useFakeTimers } from '../../support/shared.js';

beforeEach(() => useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('an exchange that never ends is aborted at its deadline, and counted until it ends', async () => {
  let end = () => {};
  let told: unknown;
  const waiting = withDeadline({ what: 'mail', ms: 5000 }, (signal) => {
    signal.addEventListener('abort', () => (told = signal.reason));
    return new Promise<void>((resolve) => {
      end = resolve;
    });
  });
  const outcome = waiting.catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(5001);
  expect(await outcome).toEqual(new DeadlineError('mail', 5000));
  expect(told).toBeInstanceOf(DeadlineError);
  expect(overdueExchanges()).toBe(0);
  await vi.advanceTimersByTimeAsync(55_001);
  expect(overdueExchanges()).toBe(1);
  end();
  await vi.advanceTimersByTimeAsync(1);
  expect(overdueExchanges()).toBe(0);
});

test('an exchange settles as it does by itself, or early when its caller gives it up', async () => {
  expect(await withDeadline({ what: 'mail', ms: 5000 }, async () => 'sent')).toBe('sent');
  const fault = new Error('rejected');
  await expect(withDeadline({ what: 'mail', ms: 5000 }, () => Promise.reject(fault))).rejects.toBe(fault);
  const caller = new AbortController();
  const waiting = withDeadline(
    { what: 'mail', ms: 5000, signal: caller.signal },
    (signal) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('late')))),
  );
  caller.abort(fault);
  await expect(waiting).rejects.toBe(fault);
  await expect(withDeadline({ what: 'mail', ms: 1, signal: caller.signal }, async () => 'sent')).rejects.toBe(fault);
  expect(vi.getTimerCount()).toBe(0);
});
