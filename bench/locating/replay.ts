import type { HandheldScan, SiteSetup } from './decider.js';
import type { Visit } from './journeys.js';
import type { Recording } from './recording.js';
import type { Truth } from './score.js';

/** Reads before the simulated time, of assets while they were at labeled locations. */
export type Labels = {
  visits: readonly (readonly Visit[])[];
  reads: Recording;
  scans: readonly HandheldScan[];
};

/** Reads that can be replayed to a decider, with the truth; times are epoch milliseconds. */
export type Replay = {
  site: SiteSetup;
  startMs: number;
  endMs: number;
  /** Earlier reads are replayed, but not measured. */
  measuredFromMs: number;
  /** By asset, in order of time. */
  visits: readonly (readonly Visit[])[];
  reads: Recording;
  /** Scans during the replayed time, in order of time. */
  scans?: readonly HandheldScan[];
  /** Reported moves are counted from here on; from the measured time on if undefined. */
  movesFromMs?: number;
  /** The side of the door for each location; undefined without a door. */
  sideOf?: readonly number[];
  /** Undefined where no location was labeled. */
  labels: Labels | undefined;
};

/** Returns the truth of a replay, with the labeled visits before its start if they are replayed. */
export function truthOf(replay: Replay, withLabels: boolean): Truth {
  const { visits, labels, site, measuredFromMs, endMs, movesFromMs = measuredFromMs, sideOf } = replay;
  const portals = new Set(site.antennas.filter(({ kind }) => kind === 'portal').map(({ location }) => location));
  const all = withLabels ? visits.map((ofAsset, asset) => [...(labels?.visits[asset] ?? []), ...ofAsset]) : visits;
  return { visits: all, portals, startMs: measuredFromMs, endMs, movesFromMs, ...(sideOf && { sideOf }) };
}
