/**
 * Returns a function that returns true for the first `perSecondMax` entries of each second, so that clients cannot fill
 * the log.
 */
export function createLogBudget(perSecondMax: number, now: () => number = Date.now): () => boolean {
  let second = 0;
  let written = 0;
  return () => {
    const present = Math.floor(now() / 1000);
    if (present !== second) {
      second = present;
      written = 0;
    }
    written += 1;
    return written <= perSecondMax;
  };
}
