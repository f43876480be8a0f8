import { createHash } from 'node:crypto';
import { RedisUnavailableError, type SharedRedis } from '../server/index.js';
import type { Budget, LocalRateLimiter, RateLimiter } from './rate-limit.js';

export type SharedRateLimiterOptions = {
  requests: number;
  windowSeconds: number;
  /** Used while Redis is unavailable. */
  local: LocalRateLimiter;
};

/**
 * Counts requests in the window of a key, by the clock of Redis, which all processes share. The window is a hash that
 * expires when it closes, so no cleanup is needed. Redis runs the script atomically.
 */
const script = `
local now = redis.call('TIME')
local nowMs = now[1] * 1000 + math.floor(now[2] / 1000)
local limit, windowMs, count = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local window = redis.call('HMGET', KEYS[1], 'taken', 'closes')
local taken, closesAtMs = tonumber(window[1]), tonumber(window[2])
if not taken or nowMs >= closesAtMs then
  taken, closesAtMs = 0, nowMs + windowMs
  redis.call('HSET', KEYS[1], 'taken', 0, 'closes', string.format('%.0f', closesAtMs))
  redis.call('PEXPIRE', KEYS[1], windowMs)
end
if taken >= limit or taken + count > limit then return {taken, closesAtMs, nowMs, 1} end
return {redis.call('HINCRBY', KEYS[1], 'taken', count), closesAtMs, nowMs, 0}`;

const digest = createHash('sha1').update(script).digest('hex');

/**
 * Creates a rate limiter with one count for all processes on one Redis, in windows of a fixed length, opened by a key's
 * first request. While Redis is unavailable, each process counts by itself, from zero: requests are still answered, and
 * every process allows a whole budget.
 */
export function createSharedRateLimiter(redis: SharedRedis, options: SharedRateLimiterOptions): RateLimiter {
  const { requests, windowSeconds, local } = options;

  async function takeShared(key: string, count: number): Promise<Budget> {
    const args = [1, `budget:${key}`, requests, windowSeconds * 1000, Math.min(count, requests)] as const;
    try {
      return budgetOf((await redis.ask((connection) => evaluate(connection, args))) as Answer, requests);
    } catch (error) {
      if (error instanceof RedisUnavailableError) return local.take(key, count);
      throw error;
    }
  }

  return {
    take: (key, count = 1) => (redis.isUnavailable() ? local.take(key, count) : takeShared(key, count)),
  };
}

/** What the script returns; `isOver` is 1 if there was no request left. */
type Answer = [taken: number, closesAtMs: number, nowMs: number, isOver: 0 | 1];

function budgetOf([taken, closesAtMs, nowMs, isOver]: Answer, limit: number): Budget {
  return {
    limit,
    // A window can have been opened under a larger limit than the present one.
    remaining: Math.max(0, limit - taken),
    resetAtSeconds: Math.ceil(closesAtMs / 1000),
    retryAfterSeconds: isOver === 1 ? Math.max(1, Math.ceil((closesAtMs - nowMs) / 1000)) : undefined,
  };
}

/** Runs the script by its digest, unless Redis was restarted since. */
async function evaluate(
  connection: SharedRedis['connection'],
  args: readonly [number, ...(string | number)[]],
): Promise<unknown> {
  try {
    return await connection.evalsha(digest, ...args);
  } catch (error) {
    if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) throw error;
    return connection.eval(script, ...args);
  }
}
