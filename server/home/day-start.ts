const hourMs = 3_600_000;

/**
 * Returns when the viewer's day began, to the whole minute, in epoch milliseconds. A clock that is wrong by years would ask for
 * the moves of years, so the day began at most 48 hours ago, and not later than now.
 */
export function viewersDay(givenMs: number, nowMs = Date.now()): number {
  const began = Math.min(Math.max(givenMs, nowMs - 48 * hourMs), nowMs);
  return began - (began % 60_000);
}
