import { describe, expect, test } from 'vitest';
import { createRateLimiter } from '../../gateway/rate-limit.js';

const startMs = 1_700_000_000_250;

function createWorld(options: { requests?: number; windowSeconds?: number; entriesMax?: number } = {}) {
  const clock = { ms: startMs };
  const limiter = createRateLimiter({
    requests: 3,
    windowSeconds: 60,
    entriesMax: 1000,
    ...options,
    nowMs: () => clock.ms,
  });
  return { clock, limiter };
}

describe('one key', () => {
  test('counts down, then rejects until the window closes', () => {
    const { clock, limiter } = createWorld();
    const resetAtSeconds = 1_700_000_061;
    expect(limiter.take('a')).toStrictEqual({ limit: 3, remaining: 2, resetAtSeconds, retryAfterSeconds: undefined });
    clock.ms += 10_000;
    expect(limiter.take('a')).toStrictEqual({ limit: 3, remaining: 1, resetAtSeconds, retryAfterSeconds: undefined });
    expect(limiter.take('a')).toStrictEqual({ limit: 3, remaining: 0, resetAtSeconds, retryAfterSeconds: undefined });
    expect(limiter.take('a')).toStrictEqual({ limit: 3, remaining: 0, resetAtSeconds, retryAfterSeconds: 50 });
    clock.ms += 49_999;
    expect(limiter.take('a')).toStrictEqual({ limit: 3, remaining: 0, resetAtSeconds, retryAfterSeconds: 1 });
    clock.ms += 1;
    expect(limiter.take('a')).toMatchObject({ remaining: 2, retryAfterSeconds: undefined });
  });

  test('a client that waits for Retry-After has a budget again, also by the reset time', () => {
    const { clock, limiter } = createWorld({ requests: 1 });
    limiter.take('a');
    clock.ms += 20_700;
    const { retryAfterSeconds = 0, resetAtSeconds } = limiter.take('a');
    expect(resetAtSeconds * 1000).toBeGreaterThanOrEqual(startMs + 60_000);
    clock.ms += retryAfterSeconds * 1000;
    expect(limiter.take('a').retryAfterSeconds).toBeUndefined();
  });

  test('a clock set back does not prolong a window', () => {
    const { clock, limiter } = createWorld({ requests: 1 });
    limiter.take('a');
    clock.ms -= 3_600_000;
    expect(limiter.take('a')).toMatchObject({ retryAfterSeconds: undefined, resetAtSeconds: 1_699_996_461 });
  });
});

test('keys have budgets of their own', () => {
  const { limiter } = createWorld({ requests: 1 });
  for (const key of ['a', 'b', '__proto__', 'constructor', '']) {
    expect(limiter.take(key).retryAfterSeconds).toBeUndefined();
    expect(limiter.take(key).retryAfterSeconds).toBe(60);
  }
});

describe('a flood of keys', () => {
  test('does not give a spent budget back', () => {
    const { limiter } = createWorld({ requests: 1, entriesMax: 100 });
    limiter.take('spent');
    for (let index = 0; index < 5_000; index += 1) limiter.take(`flood-${index}`);
    expect(limiter.take('spent').retryAfterSeconds).toBe(60);
  });

  test('leaves the budgets of keys seen before alone', () => {
    const { limiter } = createWorld({ requests: 10, entriesMax: 100 });
    limiter.take('earlier');
    for (let index = 0; index < 50_000; index += 1) limiter.take(`flood-${index}`);
    expect(limiter.take('earlier').remaining).toBe(8);
  });

  test('is limited itself once the table is full', () => {
    const { limiter } = createWorld({ requests: 1, entriesMax: 100 });
    let passed = 0;
    for (let index = 0; index < 50_000; index += 1) {
      if (limiter.take(`flood-${index}`).retryAfterSeconds === undefined) passed += 1;
    }
    expect(passed).toBeGreaterThan(100);
    expect(passed).toBeLessThanOrEqual(100 + 1024);
  });

  test('a key that shares a window stays in it when a counter becomes free', () => {
    const { clock, limiter } = createWorld({ requests: 1, entriesMax: 1 });
    limiter.take('first');
    clock.ms += 30_000;
    limiter.take('late');
    clock.ms += 30_000;
    expect(limiter.take('late').retryAfterSeconds).toBe(30);
    clock.ms += 30_000;
    expect(limiter.take('late').retryAfterSeconds).toBeUndefined();
  });

  test('is forgotten when its windows have closed', () => {
    const { clock, limiter } = createWorld({ requests: 1, entriesMax: 100 });
    for (let index = 0; index < 5_000; index += 1) limiter.take(`flood-${index}`);
    clock.ms += 60_000;
    for (let index = 0; index < 100; index += 1) {
      expect(limiter.take(`new-${index}`).retryAfterSeconds).toBeUndefined();
      expect(limiter.take(`new-${index}`).retryAfterSeconds).toBe(60);
    }
  });

  test('takes the time of its requests and no more', () => {
    const { clock, limiter } = createWorld({ entriesMax: 10_000 });
    // With work for each address that is kept, this would take far longer than a test may.
    let admitted = 0;
    for (let index = 0; index < 300_000; index += 1) {
      clock.ms += 1;
      if (limiter.take(`flood-${index}`).retryAfterSeconds === undefined) admitted += 1;
    }
    // At least the number of keys with their own counter, in each of five minutes.
    expect(admitted).toBeGreaterThanOrEqual(50_000);
  });
});
