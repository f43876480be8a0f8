import { calmDb as withinCalmDb, deafDb, fadeDb, offlineGaps, rateDb, silentDb, visitMs } from './constants.js';
import type { AssetState, Tally, LocationId, Surroundings } from './types.js';

/** How loud an antenna hears an asset at an instant, in dB relative to the loudest level of the asset. */
export type Loudness = {
  tally: Tally;
  /** By the mean of a tag that stands, and by the level of the last seconds. */
  calmDb: number;
  liveDb: number;
  /** How much less counts for reads that are overdue, and because the antenna reads the tag more rarely than usual. */
  overdueDb: number;
  rareDb: number;
};

/** What all antennas hear of an asset at an instant. */
export type Moment = { state: AssetState; surroundings: Surroundings; loudnesses: readonly Loudness[] };

/**
 * Returns what antennas hear of an asset at an instant.
 *
 * @param paceMs the gap between the reads of a rival: where a tag is read rarely, it is not overdue at its location either
 */
export function momentOf(
  state: AssetState,
  surroundings: Surroundings,
  { atMs, paceMs = 0 }: { atMs: number; paceMs?: number },
): Moment {
  const topDbm = loudestDbm(state.loudest, surroundings) ?? 0;
  const loudnesses = state.tallies.map((tally): Loudness => {
    const usualMs = surroundings.usualGapMs(tally.antenna);
    const rareDb = rareDbOf(tally, usualMs);
    const everyMs = Math.max(usualMs, Math.min(paceMs, tally.gapMs || paceMs));
    const overdueDb = overdueDbOf(tally, surroundings, { atMs, everyMs });
    if (tally.level === null) return { tally, calmDb: -deafDb, liveDb: -deafDb, overdueDb, rareDb };
    const zeroDbm = topDbm + (tally.isBle ? surroundings.bleDb() : 0);
    const calmDb = (calmLevel(tally) ?? 0) / 100 - zeroDbm;
    return { tally, calmDb, liveDb: tally.level / 100 - zeroDbm, overdueDb, rareDb };
  });
  return { state, surroundings, loudnesses };
}

/** Returns the loudest level of an asset in dBm, with Bluetooth tags on the scale of UHF tags; null if no read had a level. */
export function loudestDbm([uhf, ble]: AssetState['loudest'], { bleDb }: Surroundings): number | null {
  if (ble === null) return uhf && uhf.level / 100;
  const dbm = ble.level / 100 - bleDb();
  return uhf === null ? dbm : Math.max(uhf.level / 100, dbm);
}

/** Returns a level of an antenna in dB relative to the loudest level of the asset. */
export function relativeDb(
  level: number,
  { isBle }: Tally,
  { state, surroundings }: Pick<Moment, 'state' | 'surroundings'>,
): number {
  return level / 100 - (isBle ? surroundings.bleDb() : 0) - (loudestDbm(state.loudest, surroundings) ?? 0);
}

/** Returns how much less an antenna counts because it reads a tag more rarely than usual: twice as much without RSSI. */
export function rareDbOf({ gapMs, level }: Tally, usualMs: number): number {
  return gapMs > usualMs ? (level === null ? 2 : 1) * rateDb * Math.log(gapMs / usualMs) : 0;
}

function overdueDbOf(
  { antenna, lastMs }: Tally,
  surroundings: Surroundings,
  { atMs, everyMs }: { atMs: number; everyMs: number },
): number {
  if (atMs - lastMs <= everyMs) return 0;
  const reader = surroundings.reader(antenna);
  const isOffline = reader && atMs - reader.untilMs > Math.max(2000, offlineGaps * reader.gapMs);
  const untilMs = isOffline ? (Math.max(lastMs, reader.untilMs) + atMs) / 2 : atMs;
  return Math.min(silentDb, fadeDb * Math.max(0, (untilMs - lastMs) / everyMs - 1));
}

/** Returns the level of a tag that stands: its mean. */
function calmLevel({ level, mean, fromMs, lastMs }: Tally): number | null {
  const isCalm = lastMs - fromMs > visitMs && Math.abs((level ?? 0) - (mean ?? 0)) < 100 * withinCalmDb;
  return isCalm ? mean : level;
}

/** Returns how loud an antenna counts, by the mean of a tag that stands. */
export function countedDb({ calmDb, overdueDb, rareDb }: Loudness): number {
  return calmDb - overdueDb - rareDb;
}

/** Returns how loud the loudest antenna of a location counts, by both levels. Minus infinity if none has heard the asset. */
export function loudestAt(location: LocationId, { loudnesses }: Moment): { calmDb: number; liveDb: number } {
  const loudest = { calmDb: Number.NEGATIVE_INFINITY, liveDb: Number.NEGATIVE_INFINITY };
  for (const { tally, calmDb, liveDb, overdueDb, rareDb } of loudnesses) {
    if (tally.location !== location) continue;
    loudest.calmDb = Math.max(loudest.calmDb, calmDb - overdueDb - rareDb);
    loudest.liveDb = Math.max(loudest.liveDb, liveDb - overdueDb - rareDb);
  }
  return loudest;
}
