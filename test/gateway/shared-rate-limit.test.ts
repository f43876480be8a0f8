import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Budget, createRateLimiter, type RateLimiter } from '../../gateway/rate-limit.js';
import { createSharedRateLimiter } from '../../gateway/shared-rate-limit.js';
import { createLog } from '../../server/kernel/log.js';
import { connectRedis } from '../../server/kernel/redis.js';
import { startRedis, type TestRedis } from '../support/redis.js';

let server: TestRedis;
let plain: Redis;

beforeAll(async () => {
  server = await startRedis();
  plain = new Redis(server.url);
  plain.on('error', () => {});
});

afterAll(async () => {
  plain.disconnect();
  await server[Symbol.asyncDispose]();
});

type Process = RateLimiter & AsyncDisposable & { isUnavailable(): boolean };

/** What one gateway has: a connection of its own, and a local limiter that nobody else counts in. */
async function startProcess({ requests = 3, windowSeconds = 60 } = {}): Promise<Process> {
  const redis = connectRedis({ url: server.url, log: createLog('silent') });
  await redis.start();
  const local = createRateLimiter({ requests, windowSeconds, nowMs: Date.now, entriesMax: 100 });
  return {
    ...createSharedRateLimiter(redis, { requests, windowSeconds, local }),
    isUnavailable: redis.isUnavailable,
    [Symbol.asyncDispose]: () => redis.stop(),
  };
}

async function remaining(answer: Budget | Promise<Budget>): Promise<number> {
  return (await answer).remaining;
}

describe('with Redis there', () => {
  test('two processes count one budget', async () => {
    await using one = await startProcess();
    await using other = await startProcess();
    const begunMs = performance.now();
    expect(await remaining(one.take('key:a'))).toBe(2);
    expect(await remaining(other.take('key:a'))).toBe(1);
    expect(await remaining(one.take('key:a'))).toBe(0);
    const { retryAfterSeconds = 0 } = await other.take('key:a');
    expect(retryAfterSeconds).toBeGreaterThanOrEqual(59 - (performance.now() - begunMs) / 1000);
    expect(retryAfterSeconds).toBeLessThanOrEqual(60);
    expect(await remaining(one.take('key:b'))).toBe(2);
  });

  test('it answers like a limiter in memory, by the clock of Redis', async () => {
    await using shared = await startProcess();
    const [seconds = 0, microseconds = 0] = await plain.time();
    const nowMs = seconds * 1000 + microseconds / 1000;
    const found: Budget[] = [];
    for (let index = 0; index < 5; index += 1) found.push(await shared.take('key:same'));
    const local = createRateLimiter({ requests: 3, windowSeconds: 60, nowMs: () => nowMs, entriesMax: 10 });
    const expected = Array.from({ length: 5 }, () => local.take('key:same'));
    expect(found.map(({ limit, remaining: left }) => [limit, left])).toEqual(
      expected.map(({ limit, remaining: left }) => [limit, left]),
    );
    for (const [index, budget] of found.entries()) {
      expect(budget.retryAfterSeconds === undefined).toBe(expected[index]?.retryAfterSeconds === undefined);
      expect(budget.resetAtSeconds).toBe(found[0]?.resetAtSeconds);
      expect(Math.abs(budget.resetAtSeconds - (expected[index]?.resetAtSeconds ?? 0))).toBeLessThanOrEqual(30);
    }
  });

  test('requests made at once are each counted, and none over the budget passes', async () => {
    await using one = await startProcess({ requests: 40 });
    await using other = await startProcess({ requests: 40 });
    const answers = await Promise.all(
      Array.from({ length: 100 }, async (_, index) => (index % 2 ? one : other).take('key:rush')),
    );
    expect(answers.filter(({ retryAfterSeconds }) => retryAfterSeconds === undefined)).toHaveLength(40);
  });

  test('a window closes by itself, and takes its place in Redis with it', async () => {
    await using shared = await startProcess({ requests: 1, windowSeconds: 5 });
    await shared.take('key:brief');
    expect((await shared.take('key:brief')).retryAfterSeconds).toBeGreaterThan(0);
    expect(await plain.pttl('whereabouts:budget:key:brief')).toBeGreaterThan(0);
    await expect.poll(() => plain.exists('whereabouts:budget:key:brief')).toBe(0);
    expect((await shared.take('key:brief')).retryAfterSeconds).toBeUndefined();
  });

  test('a Redis that has forgotten its scripts gets them again', async () => {
    await using shared = await startProcess();
    await shared.take('key:script');
    await plain.script('FLUSH');
    expect(await remaining(shared.take('key:script'))).toBe(1);
  });

  test('a window opened under a larger limit leaves nothing, not less', async () => {
    await using large = await startProcess({ requests: 10 });
    await using small = await startProcess({ requests: 3 });
    for (let index = 0; index < 5; index += 1) await large.take('key:resized');
    expect(await small.take('key:resized')).toMatchObject({
      limit: 3,
      remaining: 0,
      retryAfterSeconds: expect.any(Number),
    });
  });
});

describe('with Redis unavailable', () => {
  test('each process counts for itself, at once, and together again when it is back', async () => {
    await using one = await startProcess();
    await using other = await startProcess();
    await one.take('key:outage');
    await server.kill();
    // Also the very first request after it went gets its answer.
    expect(await remaining(one.take('key:outage'))).toBe(2);
    await expect.poll(() => one.isUnavailable() && other.isUnavailable()).toBe(true);
    expect(one.take('key:outage')).toMatchObject({ remaining: 1 });
    expect(other.take('key:outage')).toMatchObject({ remaining: 2 });

    await server.restart();
    await expect.poll(() => one.isUnavailable() || other.isUnavailable()).toBe(false);
    expect(await remaining(one.take('key:outage'))).toBe(2);
    expect(await remaining(other.take('key:outage'))).toBe(1);
  });

  test('a Redis that hangs delays what is under way, and nothing after that', async () => {
    await using process = await startProcess();
    server.freeze();
    try {
      const underWay = Array.from({ length: 20 }, (_, index) => remaining(process.take(`key:hanging-${index}`)));
      expect(await Promise.all(underWay)).toEqual(underWay.map(() => 2));
      expect(process.isUnavailable()).toBe(true);
      expect(process.take('key:hanging-0')).toMatchObject({ remaining: 1 });
    } finally {
      server.thaw();
    }
    await expect.poll(() => process.isUnavailable()).toBe(false);
  });
});
