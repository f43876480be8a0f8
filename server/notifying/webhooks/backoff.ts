const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

/** The delay before each attempt; the first one is due at once. */
const delaysMs = [0, 5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 10 * hour];

/** The longest delay that a receiver can ask for. */
const retryAfterMaxMs = 24 * hour;

export type NextAttempt = {
  /** Attempts that were made, the last one included. */
  attempts: number;
  retryAfterMs: number | null;
  /** From 0 to 1, for the jitter. */
  random: number;
};

/**
 * Returns how long to wait before the next attempt, or undefined after the last one. Up to a tenth is added, so that what
 * failed together is not tried together; `Retry-After` makes it longer, never shorter.
 */
export function delayBeforeNext({ attempts, retryAfterMs, random }: NextAttempt): number | undefined {
  const delayMs = delaysMs[attempts];
  if (delayMs === undefined) return undefined;
  const jittered = delayMs * (1 + random / 10);
  return Math.round(Math.max(jittered, Math.min(retryAfterMs ?? 0, retryAfterMaxMs)));
}
