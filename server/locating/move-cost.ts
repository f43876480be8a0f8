import { moveCostMax, moveCostMin, moveCostSlope, transitCost } from './constants.js';
import type { AssetState, Surroundings } from './types.js';

/** Returns the advantage that another explanation of the open change needs. */
export function costOf(state: AssetState, surroundings: Surroundings): number {
  if (state.isInTransit) return transitCost;
  return isPassing(state, surroundings) ? 0 : moveCost(state, surroundings);
}

/**
 * Returns the advantage that a move needs: the shorter the time since the last read at the location, compared with the time
 * that the asset has been there, the less likely it has left within it.
 */
function moveCost({ tallies, location, settledMs, changeMs }: AssetState, surroundings: Surroundings): number {
  let gapMs = Number.POSITIVE_INFINITY;
  let lastMs = settledMs;
  for (const tally of tallies) {
    if (tally.reads === 0 || surroundings.antenna(tally.antenna)?.location !== location) continue;
    if (tally.gapMs > 0) gapMs = Math.min(gapMs, tally.gapMs);
    lastMs = Math.max(lastMs, tally.newReads === 0 ? tally.lastMs : changeMs);
  }
  if (gapMs === Number.POSITIVE_INFINITY) return moveCostMin;
  const ratio = Math.max(1, (changeMs - settledMs) / Math.max(gapMs, changeMs - lastMs));
  return Math.min(moveCostMax, moveCostMin + moveCostSlope * Math.log(ratio));
}

/** Whether the asset is at a portal, where assets do not remain. */
function isPassing({ decidedBy }: AssetState, surroundings: Surroundings): boolean {
  return decidedBy !== 0 && surroundings.antenna(decidedBy)?.kind === 'portal';
}
