const hourMs = 3_600_000;

/**
 * Returns when the user's day began, to the whole minute, in epoch milliseconds. Limited to the last 48 hours, since
 * with a clock that is wrong by years the query would read the moves of years.
 */
export function viewersDay(givenMs: number, nowMs = Date.now()): number {
  const began = Math.min(Math.max(givenMs, nowMs - 48 * hourMs), nowMs);
  return began - (began % 60_000);
}
