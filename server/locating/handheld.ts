import { labelMs } from './constants.js';
import { patternOf } from './observations.js';
import { startVisit, withoutChange } from './slots.js';
import { freshState, plainReason, unmoved } from './state.js';
import type { AssetState, HandheldScan, Judgment, Slot, Surroundings } from './types.js';

/**
 * Decides where an asset is by a scan with a handheld, which is authoritative from its instant.
 *
 * Fixed antennas that received the asset before the scan and still do say nothing against it; only reads that begin later
 * can move the asset. A scan that is older than the newest read never moves it and is answered as late.
 */
export function decideHandheld(
  state: AssetState | undefined,
  scan: HandheldScan,
  surroundings: Surroundings,
): Judgment {
  const { location, atMs } = scan;
  const known = state ?? freshState({ location, sinceMs: atMs, lastSeenMs: atMs });
  if (state !== undefined && atMs < state.settledMs) {
    return { ...unmoved(state, 'late'), late: { location, atMs } };
  }
  const moves = state === undefined || state.location !== location;
  const slots = slotsAtScan(known, scan);
  const visitReads = slots.reduce((sum, { reads }) => sum + reads, 0);
  const next: AssetState = {
    location,
    sinceMs: moves ? atMs : known.sinceMs,
    lastSeenMs: Math.max(known.lastSeenMs, atMs),
    previous: moves ? (state?.location ?? null) : known.previous,
    decidedBy: 0,
    reason: 'handheld',
    settledMs: atMs,
    changeMs: 0,
    labelUntilMs: scan.labelUntilMs ?? atMs + labelMs,
    isCalibrating: scan.labelUntilMs !== undefined,
    visitReads,
    slots,
  };
  return {
    state: next,
    location,
    movedAtMs: moves ? atMs : null,
    reason: plainReason('handheld', location),
    ...(visitReads > 0 && location !== 0 ? { pattern: patternOf(next, surroundings) } : {}),
  };
}

/**
 * Returns what the reads before a scan say of its location. Reads of an open change are those of the location; without one,
 * all reads of the visit are. A calibration begins anew: its asset was brought there for it.
 */
function slotsAtScan({ slots, changeMs }: AssetState, { labelUntilMs }: HandheldScan): readonly Slot[] {
  if (labelUntilMs !== undefined) return startVisit(slots.map(withoutChange));
  return changeMs === 0 ? slots : startVisit(slots);
}
