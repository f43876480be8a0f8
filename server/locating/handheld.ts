import { labelMs } from './constants.js';
import { freshState, plainReason, unmoved } from './state.js';
import type { AssetState, HandheldScan, Judgment, LabelSample, Slot, Surroundings } from './types.js';

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
    slots: known.slots.map(asPattern),
  };
  const labels = location === 0 || surroundings === undefined ? [] : labelsOf(next.slots, scan);
  return {
    state: next,
    location,
    movedAtMs: moves ? atMs : null,
    reason: plainReason('handheld', location),
    ...(labels.length > 0 ? { labels } : {}),
  };
}

/** What antennas receive at the scan is what they receive of an asset at its location. */
function asPattern(slot: Slot): Slot {
  if (slot.newReads === 0) return slot;
  return { ...slot, reads: slot.newReads, level: slot.newLevel, newReads: 0, newLevel: null, newFirstMs: 0 };
}

/** Labels from antennas that received the asset right before the scan. */
function labelsOf(slots: readonly Slot[], { location, atMs }: HandheldScan): LabelSample[] {
  return slots
    .filter((slot) => slot.reads > 0 && atMs - slot.lastMs <= labelMs)
    .map(({ antenna, level }) => ({ location, antenna, rssiDbm: level === null ? null : level / 100 }));
}
