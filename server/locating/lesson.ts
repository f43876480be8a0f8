import { deafDb, labelVisits, scanMs, silentDb, stayMs, visitMs } from './constants.js';
import { visitFromMs } from './tallies.js';
import { rareDbOf, relativeDb } from './loudness.js';
import type { AntennaKey, AssetState, Tally, Heard, Lesson, Surroundings } from './types.js';

/**
 * Returns what a visit teaches if that is due: after a minute, every five minutes and at its end; a calibration every minute
 * and when its time is over. A visit that only a person's scan places teaches once.
 *
 * A visit lasts until another location began to be ahead: antennas that were first heard just before or later say nothing of it.
 */
export function lessonOf(
  state: AssetState,
  { atMs, isEnd }: { atMs: number; isEnd: boolean },
  surroundings: Surroundings,
): Lesson | undefined {
  const visitFrom = visitFromMs(state);
  const fromMs = Math.max(visitFrom, state.taughtMs);
  const isLabeled = fromMs < state.labelUntilMs;
  const afterMs = isLabeled ? scanMs : isEnd ? visitMs : stayMs;
  if (atMs - fromMs < afterMs || state.location === 0 || (state.scanDb !== null && !isLabeled)) return undefined;
  const untilMs = Math.min(atMs, ...state.rivals.map((rival) => rival.fromMs));
  if (untilMs - fromMs < afterMs) return undefined;
  const heardFromMs = Math.max(visitFrom, atMs - stayMs);
  const firstUntilMs = untilMs === atMs ? atMs : untilMs - scanMs;
  const tallies = state.tallies.filter(
    ({ fromMs: first, lastMs }) => first >= visitFrom && first <= firstUntilMs && lastMs >= heardFromMs,
  );
  if (tallies.length === 0) return undefined;
  const visits = state.reason === 'handheld' ? labelVisits : 1;
  const heard = heardBy(tallies, state, surroundings);
  return { location: state.location, fromMs, spanMs: untilMs - visitFrom, visits, heard };
}

/** Returns how much quieter than the loudest antenna each one has heard the asset, on average. */
function heardBy(tallies: readonly Tally[], state: AssetState, surroundings: Surroundings): Heard[] {
  const meanDb = (tally: Tally) =>
    tally.mean === null ? null : relativeDb(tally.mean, tally, { state, surroundings });
  const topDb = Math.max(...tallies.map((tally) => meanDb(tally) ?? Number.NEGATIVE_INFINITY));
  const heard = new Map<AntennaKey, Heard>();
  for (const tally of tallies) {
    const { antenna, location } = tally;
    const mean = meanDb(tally);
    const deaf = -deafDb - rareDbOf(tally, surroundings.usualGapMs(antenna));
    const db = Math.max(-silentDb, mean === null ? deaf : mean - topDb);
    if (db >= (heard.get(antenna)?.db ?? -silentDb)) heard.set(antenna, { antenna, location, db });
  }
  return [...heard.values()];
}
