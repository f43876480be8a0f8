import { RedisUnavailableError, type SharedRedis } from '../server/index.js';
import type { Budget, LocalRateLimiter, RateLimiter } from './rate-limit.js';
import { createRedisWindows, type SharedWindow } from './redis-windows.js';

export type SharedRateLimiterOptions = {
  requests: number;
  windowSeconds: number;
  /** Used while Redis is unavailable. */
  local: LocalRateLimiter;
};

/**
 * Creates a rate limiter with one count for all processes on one Redis. While Redis is unavailable each process counts
 * by itself, from zero: requests are still answered, and together the processes allow as many budgets as there are
 * processes.
 */
export function createSharedRateLimiter(redis: SharedRedis, options: SharedRateLimiterOptions): RateLimiter {
  const { requests, windowSeconds, local } = options;
  const windows = createRedisWindows(redis, { requests, windowMs: windowSeconds * 1000 });

  async function shared(look: Promise<SharedWindow>, otherwise: () => Budget): Promise<Budget> {
    try {
      return budgetOf(await look, requests);
    } catch (error) {
      if (error instanceof RedisUnavailableError) return otherwise();
      throw error;
    }
  }

  return {
    take(key, count = 1) {
      if (redis.isUnavailable()) return local.take(key, count);
      return shared(windows.take(key, count), () => local.take(key, count));
    },
    peek: (key) => (redis.isUnavailable() ? local.peek(key) : shared(windows.look(key), () => local.peek(key))),
  };
}

function budgetOf({ taken, closesAtMs, nowMs, isOver }: SharedWindow, limit: number): Budget {
  return {
    limit,
    // A window can have been opened under a larger limit than the present one.
    remaining: Math.max(0, limit - taken),
    resetAtSeconds: Math.ceil(closesAtMs / 1000),
    retryAfterSeconds: isOver ? Math.max(1, Math.ceil((closesAtMs - nowMs) / 1000)) : undefined,
  };
}
