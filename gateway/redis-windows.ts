import { createHash } from 'node:crypto';
import type { SharedRedis } from '../server/index.js';

/** A window of one key as stored in Redis, by the clock of Redis. */
export type SharedWindow = {
  taken: number;
  /** Epoch milliseconds; the present for a key without a window. */
  closesAtMs: number;
  nowMs: number;
  /** Whether there was no request left. */
  isOver: boolean;
};

type Connection = SharedRedis['connection'];

const keyPrefix = 'budget:';

/**
 * Counts requests in the window of a key; `0` only reads it. The window is a hash that expires when it closes, so no
 * cleanup is needed. Redis runs the script atomically, and all processes share its clock.
 */
const script = `
local now = redis.call('TIME')
local nowMs = now[1] * 1000 + math.floor(now[2] / 1000)
local limit, windowMs, count = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local window = redis.call('HMGET', KEYS[1], 'taken', 'closes')
local taken, closesAtMs = tonumber(window[1]), tonumber(window[2])
if not taken or nowMs >= closesAtMs then
  taken, closesAtMs = 0, nowMs
  if count > 0 then
    closesAtMs = nowMs + windowMs
    redis.call('HSET', KEYS[1], 'taken', 0, 'closes', string.format('%.0f', closesAtMs))
    redis.call('PEXPIRE', KEYS[1], windowMs)
  end
end
if taken >= limit or taken + count > limit then return {taken, closesAtMs, nowMs, 1} end
if count > 0 then taken = redis.call('HINCRBY', KEYS[1], 'taken', count) end
return {taken, closesAtMs, nowMs, 0}`;

const digest = createHash('sha1').update(script).digest('hex');

export type WindowOptions = { requests: number; windowMs: number };

/** Creates windows of a fixed length in Redis, opened by a key's first request. Both methods throw `RedisUnavailableError`. */
export function createRedisWindows(redis: SharedRedis, { requests, windowMs }: WindowOptions) {
  async function run(key: string, count: number): Promise<SharedWindow> {
    const args = [1, `${keyPrefix}${key}`, requests, windowMs, count] as const;
    const answer = await redis.ask((connection) => evaluate(connection, args));
    const [taken, closesAtMs, nowMs, over] = answer as [number, number, number, number];
    return { taken, closesAtMs, nowMs, isOver: over === 1 };
  }
  return {
    take: (key: string, count: number) => run(key, Math.min(count, requests)),
    look: (key: string) => run(key, 0),
  };
}

/** Runs the script by its digest, unless Redis was restarted since. */
async function evaluate(connection: Connection, args: readonly [number, ...(string | number)[]]): Promise<unknown> {
  try {
    return await connection.evalsha(digest, ...args);
  } catch (error) {
    if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) throw error;
    return connection.eval(script, ...args);
  }
}
