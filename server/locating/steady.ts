import { arrivalReadsMax, flickerUnknownDb, steadyGaps, steadySpreads } from './constants.js';
import { gapOf } from './observations.js';
import type { AntennaSettings, AssetState, LocatingRead, Surroundings, Tally } from './types.js';

/** A read with what is known of its antenna and of the site. */
export type Input = { read: LocatingRead; settings: AntennaSettings; surroundings: Surroundings };

/** Whether no antenna has read the asset twice since it arrived, so that reads by others are no change. */
export function isArriving({ tallies, visitReads, reason }: AssetState): boolean {
  return visitReads < arrivalReadsMax && reason !== 'handheld' && tallies.every(({ reads }) => reads < 2);
}

/** Whether the antenna and those of the location read as before, so that nothing has to be compared. */
export function isSteady(tally: Tally, state: AssetState, { read, settings, surroundings }: Input): boolean {
  if (tally.reads === 0) return false;
  if (tally.level !== null && read.rssiDbm !== null) {
    const spread = surroundings.level(tally.antenna)?.flickerDb ?? flickerUnknownDb;
    if (Math.abs(read.rssiDbm - tally.level / 100) > steadySpreads * spread) return false;
  }
  if (settings.location === state.location) return true;
  for (const other of state.tallies) {
    if (other.reads === 0 || surroundings.antenna(other.antenna)?.location !== state.location) continue;
    const gapMs = Math.max(other.gapMs, gapOf(other.antenna, surroundings));
    const untilMs = Math.min(read.atMs, surroundings.reportedUntilMs(other.antenna));
    if (untilMs - other.lastMs <= steadyGaps * gapMs) return true;
  }
  return false;
}
