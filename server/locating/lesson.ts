import { labelVisits, silentDb, stayMs, visitMs, wordMs } from './constants.js';
import { relativeDb, visitFromMs } from './ears.js';
import type { AntennaKey, AssetState, Heard, Lesson, Surroundings } from './types.js';

/**
 * Returns what a visit teaches if that is due: after a minute, every five minutes and at its end; a calibration every minute
 * and when its time is over. A visit that only a person's scan places teaches once.
 */
export function lessonOf(
  state: AssetState,
  { atMs, isEnd }: { atMs: number; isEnd: boolean },
  surroundings: Surroundings,
): Lesson | undefined {
  const visitFrom = visitFromMs(state);
  const fromMs = Math.max(visitFrom, state.taughtMs);
  const isLabeled = fromMs < state.labelUntilMs;
  const afterMs = isLabeled ? wordMs : isEnd ? visitMs : stayMs;
  if (atMs - fromMs < afterMs || state.location === 0 || (state.wordDb !== null && !isLabeled)) return undefined;
  const heard = heardOf(state, Math.max(visitFrom, atMs - stayMs), surroundings);
  if (heard.length === 0) return undefined;
  const visits = state.reason === 'handheld' ? labelVisits : 1;
  return { location: state.location, fromMs, spanMs: atMs - visitFrom, visits, heard };
}

/** Returns how much quieter than the loudest antenna each one has heard the asset, on average. */
function heardOf(state: AssetState, sinceMs: number, surroundings: Surroundings): Heard[] {
  const ears = state.ears.filter(({ fromMs, lastMs }) => fromMs >= visitFromMs(state) && lastMs >= sinceMs);
  const top: [number, number] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { mean, isBle } of ears) if (mean !== null) top[isBle ? 1 : 0] = Math.max(top[isBle ? 1 : 0], mean);
  const heard = new Map<AntennaKey, Heard>();
  for (const ear of ears) {
    const { antenna, location, mean, isBle } = ear;
    const belowTopDb = mean === null ? 0 : ((state.loudest[isBle ? 1 : 0]?.level ?? 0) - top[isBle ? 1 : 0]) / 100;
    const db = Math.max(-silentDb, relativeDb(ear, mean, { state, surroundings }) + belowTopDb);
    if (db >= (heard.get(antenna)?.db ?? -silentDb)) heard.set(antenna, { antenna, location, db });
  }
  return [...heard.values()];
}
