import { firmMs, firmReads, transitLevelReads } from './constants.js';
import { findTally } from './tallies.js';
import type { AssetState, Input, LevelSample } from './types.js';

/** Returns what a read shows of its antenna's level; undefined for the first read of a visit. */
export function levelSample(
  before: AssetState,
  { tallies, location }: AssetState,
  { read, settings, surroundings }: Input,
): LevelSample | undefined {
  const at = findTally(tallies, read.antenna, read.tag);
  const tally = at < 0 ? undefined : tallies[at];
  const previous = before.tallies[at];
  if (tally === undefined || previous === undefined || previous.reads === 0) return undefined;
  const isKnown = (surroundings.level(read.antenna)?.reads ?? 0) >= transitLevelReads;
  const isFirm = tally.reads >= firmReads && (!isKnown || read.atMs - before.settledMs >= firmMs);
  return {
    antenna: read.antenna,
    isOwn: !before.isInTransit && settings.location === location && location !== 0 && isFirm,
    rssiDbm: read.rssiDbm,
    visitDbm: tally.level === null ? null : tally.level / 100,
    gapMs: read.atMs - previous.lastMs,
  };
}
