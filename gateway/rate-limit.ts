import { randomInt } from 'node:crypto';

/** The present budget of a caller; the values of the rate-limit headers. */
export type Budget = {
  limit: number;
  /** Requests left until the reset, never negative. */
  remaining: number;
  /** Unix time in whole seconds, rounded up, when the whole budget is available again. */
  resetAtSeconds: number;
  /** Whole seconds to wait, at least 1, when the request is over budget; otherwise undefined. */
  retryAfterSeconds: number | undefined;
};

/** Counts requests per key. If several processes share the count, the answer takes a round trip. */
export type RateLimiter = {
  /** Counts requests, one by default: all of them, or none if they exceed the budget. */
  take(key: string, count?: number): Budget | Promise<Budget>;
};

/** A rate limiter that answers at once. */
export type LocalRateLimiter = { take(key: string, count?: number): Budget };

export type RateLimiterOptions = {
  /** Requests a key has per window. */
  requests: number;
  windowSeconds: number;
  /** The clock: Unix time in milliseconds. */
  nowMs: () => number;
  /** Keys with their own counter; further ones share counters until one is free. */
  entriesMax: number;
};

type Window = { openedAtMs: number; closesAtMs: number; taken: number };

const sharedWindowsMax = 1024;
const expiredPerCall = 2;

/**
 * Creates a rate limiter in the memory of this process: windows of a fixed length, opened by a key's first request.
 *
 * Memory is limited by `entriesMax`, and no live window is ever dropped for a new one, so nobody regains a budget by
 * flooding the table with other keys. While it is full, new keys are spread over 1024 shared windows by a hash with a
 * secret seed; a key that shares one stays there until it closes.
 */
export function createRateLimiter(options: RateLimiterOptions): LocalRateLimiter {
  const { requests, windowSeconds, nowMs, entriesMax } = options;
  const windowMs = windowSeconds * 1000;
  const seed = randomInt(2 ** 32);
  // In the order of opening, since a reopened window goes to the end: the first windows close first.
  const own = new Map<string, Window>();
  const shared = new Map<string, Window>();

  /**
   * Returns whether a window is open. Also false after the clock was set back, so that no window lasts longer than it
   * should.
   */
  function isLive(window: Window | undefined, now: number): window is Window {
    return window !== undefined && now >= window.openedAtMs && now < window.closesAtMs;
  }

  function dropExpired(now: number): void {
    let left = expiredPerCall;
    for (const [key, window] of own) {
      if (left === 0 || isLive(window, now)) return;
      own.delete(key);
      left -= 1;
    }
  }

  function find(key: string, now: number): Window | undefined {
    const window = own.get(key);
    if (isLive(window, now)) return window;
    if (shared.size === 0) return undefined;
    const common = shared.get(bucketOf(key, seed));
    return isLive(common, now) ? common : undefined;
  }

  function open(key: string, now: number): Window {
    own.delete(key);
    const window = { openedAtMs: now, closesAtMs: now + windowMs, taken: 0 };
    if (own.size < entriesMax) own.set(key, window);
    else shared.set(bucketOf(key, seed), window);
    return window;
  }

  function budgetOf({ taken, closesAtMs }: Window, now: number, over: boolean): Budget {
    return {
      limit: requests,
      remaining: requests - taken,
      resetAtSeconds: Math.ceil(closesAtMs / 1000),
      retryAfterSeconds: over ? Math.max(1, Math.ceil((closesAtMs - now) / 1000)) : undefined,
    };
  }

  return {
    take(key, count = 1) {
      const now = nowMs();
      dropExpired(now);
      const window = find(key, now) ?? open(key, now);
      // Requests that are counted together may exceed the whole budget. They are allowed while the budget is untouched.
      const cost = Math.min(count, requests);
      const over = window.taken + cost > requests;
      if (!over) window.taken += cost;
      return budgetOf(window, now, over);
    },
  };
}

/** Returns the shared window of a key: FNV-1a with a seed, so that clients cannot choose whose window they share. */
function bucketOf(key: string, seed: number): string {
  let hash = seed;
  for (let at = 0; at < key.length; at += 1) hash = Math.imul(hash ^ key.charCodeAt(at), 0x01000193);
  hash ^= hash >>> 16;
  return String((hash >>> 0) % sharedWindowsMax);
}
