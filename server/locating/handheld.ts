import { labelMs } from './constants.js';
import { patternOf } from './observations.js';
import { startVisit, withoutChange } from './tallies.js';
import { freshState, judged } from './state.js';
import type { AssetState, HandheldScan, Judgment, Tally, Surroundings } from './types.js';

/**
 * Decides where an asset is by a scan with a handheld, which is authoritative from its instant.
 *
 * Fixed antennas that received the asset before the scan and still do are no evidence against it; only reads that begin
 * later can move the asset. A scan that is older than the read that decided the location never moves it and returns
 * `late`. The caller passes only scans that are recent enough: older ones enter the history without a decision.
 */
export function decideHandheld(
  state: AssetState | undefined,
  scan: HandheldScan,
  surroundings: Surroundings,
): Judgment {
  const { location, atMs } = scan;
  const known = state ?? freshState({ location, sinceMs: atMs, lastSeenMs: atMs });
  if (state !== undefined && atMs < state.settledMs) {
    return { ...judged(state), late: { location, atMs } };
  }
  const moves = state === undefined || state.location !== location;
  const tallies = talliesAtScan(known, scan);
  const visitReads = tallies.reduce((sum, { reads }) => sum + reads, 0);
  const next: AssetState = {
    ...freshState({ location, sinceMs: moves ? atMs : known.sinceMs, lastSeenMs: Math.max(known.lastSeenMs, atMs) }),
    previous: moves ? (state?.location ?? null) : known.previous,
    reason: 'handheld',
    settledMs: atMs,
    labelUntilMs: scan.labelUntilMs ?? atMs + labelMs,
    isCalibrating: scan.labelUntilMs !== undefined,
    visitReads,
    tallies,
  };
  return {
    ...judged(next, moves ? atMs : null),
    ...(visitReads > 0 && location !== 0 ? { pattern: patternOf(next, surroundings) } : {}),
  };
}

/**
 * Returns the tallies that the reads before a scan contribute to its location. Reads of an open change belong to the
 * location; without one, all reads of the visit do. A calibration starts from nothing: its asset was brought there for
 * it, and so does an asset in transit.
 */
function talliesAtScan(
  { tallies, changeMs, isInTransit }: AssetState,
  { labelUntilMs }: HandheldScan,
): readonly Tally[] {
  if (labelUntilMs !== undefined || (isInTransit && changeMs === 0)) return startVisit(tallies.map(withoutChange));
  return changeMs === 0 ? tallies : startVisit(tallies);
}
