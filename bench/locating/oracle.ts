import type { Decider, Passage } from './decider.js';
import { createOracleFilter } from './oracle-filter.js';
import type { TimedRead } from './timed-read.js';
import { createOracleModel } from './oracle-model.js';
import type { World } from './world.js';

/** A read older than the newest one of its asset by more than this was held back by its reader. */
const lateMs = 2000;
/** Late reads are sorted into the reads of so much time; no outage is longer. */
const replayMs = 2 * 3_600_000;
/** A reader has delivered what it held back this long after it is connected again. */
const drainedMs = 30_000;
/** A passage is reported when it is this certain, and has ended when it is this uncertain. */
const passageCertainty = 0.95;
const passageDoubt = 0.05;

/**
 * Creates the baseline that nothing else should beat: it knows the radio model, the gains, the statistics of moves, true
 * times and outages, everything but the levels of each visit, and reports the most probable location given the reads
 * received so far.
 */
export function createOracle(world: World): Decider {
  const { site, spec, tagsPerAsset, tagLossDb, reads, startMs, layout } = world;
  const model = createOracleModel(world);
  const outages = layout.antennas.map(({ reader }) =>
    (spec.links[reader]?.outages ?? []).map(({ fromMs, untilMs }) => ({
      fromMs: startMs + fromMs,
      untilMs: startMs + untilMs + drainedMs,
    })),
  );
  const hasOutages = outages.some((ofAntenna) => ofAntenna.length > 0);
  const assets = Array.from({ length: site.assets }, (_, asset) => ({
    filter: createOracleFilter(model, tagLossDb.slice(asset * tagsPerAsset, (asset + 1) * tagsPerAsset)),
    newestMs: -Infinity,
    log: [] as TimedRead[],
    passing: 0,
  }));
  const portals = layout.antennas.filter(({ kind }) => kind === 'portal').map(({ location }) => location);
  const passages: Passage[] = [];
  let receivedMs = 0;

  function findPassage(asset: number, state: (typeof assets)[number]): void {
    if (state.passing !== 0 && state.filter.probabilityOf(state.passing) < passageDoubt) state.passing = 0;
    if (state.passing !== 0) return;
    for (const location of portals) {
      if (state.filter.probabilityOf(location) < passageCertainty) continue;
      state.passing = location;
      passages.push({ asset, location, atMs: receivedMs });
    }
  }

  function knownUntil(antenna: number, atMs: number): number {
    for (const { fromMs, untilMs } of outages[antenna] ?? []) {
      if (receivedMs >= fromMs && receivedMs < untilMs) return Math.min(atMs, fromMs);
    }
    return atMs;
  }

  return {
    passages,
    onRead(read) {
      const state = assets[read.asset];
      if (!state) return;
      receivedMs = read.receivedMs;
      const { filter, log } = state;
      const timed: TimedRead = {
        atMs: reads.trueMs[read.index] ?? 0,
        antenna: read.antenna,
        tagIndex: read.tag - read.asset * tagsPerAsset,
        rssiDbm: read.rssiDbm,
      };
      const isLate = timed.atMs < state.newestMs - lateMs;
      state.newestMs = Math.max(state.newestMs, timed.atMs);
      if (hasOutages) insert(log, timed);
      if (!isLate) {
        filter.observe(timed, knownUntil);
        if (portals.length > 0) findPassage(read.asset, state);
        return;
      }
      filter.reset();
      while ((log[0]?.atMs ?? Infinity) < state.newestMs - replayMs) log.shift();
      for (const old of log) filter.observe(old, knownUntil);
    },
    locationOf: (asset) => assets[asset]?.filter.location() ?? 0,
  };
}

/** Inserts a read into a list in order of time. */
function insert(log: TimedRead[], read: TimedRead): void {
  let at = log.length;
  while (at > 0 && (log[at - 1]?.atMs ?? 0) > read.atMs) at -= 1;
  log.splice(at, 0, read);
}
