import { labelVisits, silentDb, stayMs, visitMs, wordMs } from './constants.js';
import { relativeDb, visitFromMs } from './ears.js';
import type { AntennaKey, AssetState, Heard, Lesson, Surroundings } from './types.js';

/**
 * Returns what a visit teaches if that is due: every five minutes and at its end, from one minute on; every ten seconds
 * while it is labeled. A visit that only a person's scan places teaches nothing else.
 */
export function lessonOf(
  state: AssetState,
  { atMs, isEnd }: { atMs: number; isEnd: boolean },
  surroundings: Surroundings,
): Lesson | undefined {
  const fromMs = Math.max(visitFromMs(state), state.taughtMs);
  const isLabeled = fromMs < state.labelUntilMs;
  const afterMs = isLabeled ? wordMs : isEnd ? visitMs : stayMs;
  if (atMs - fromMs < afterMs || state.location === 0 || (state.wordDb !== null && !isLabeled)) return undefined;
  const heard = heardOf(state, isLabeled ? fromMs : visitFromMs(state), surroundings);
  if (heard.length === 0) return undefined;
  return { location: state.location, fromMs, visits: state.reason === 'handheld' ? labelVisits : 1, heard };
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
