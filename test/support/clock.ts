import { setTimeout as delay } from 'node:timers/promises';

/** How much of a period a test may take on a busy machine. */
const marginMs = 40_000;

/**
 * Resolves at once, unless the present period of the clock, such as a day (UTC), is nearly over: then when the next one has begun.
 * For tests whose steps have to be in one period.
 */
export async function untilWellWithin(periodMs: number): Promise<void> {
  const leftMs = periodMs - (Date.now() % periodMs);
  if (leftMs < marginMs) await delay(leftMs + 1);
}
