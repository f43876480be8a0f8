import { createLevelGrids, levelMin } from './level-grids.js';
import { gridPoints, type OracleModel, stepsPerPoint, tableSteps } from './oracle-model.js';
import { pollsWithin, timeOfPoll } from './poll-timing.js';
import type { KnownUntil, TimedRead } from './timed-read.js';

/** One explanation of the reads: the asset has been at this location since then. */
export type Hypothesis = {
  location: number;
  startMs: number;
  weight: number;
  /** A channel is one antenna in reach with one tag; for each channel, the distribution of the tag's mean level. */
  grids: Float64Array;
  /** For each channel the sum of its distribution, which is brought back to 1 now and then. */
  sums: Float64Array;
  /** For each channel its last read or the start, and whether there was one. */
  lastMs: Float64Array;
  hasRead: Uint8Array;
  /** Polls without a read since then, and when the next one is certain. */
  missed: Uint16Array;
  dueMs: Float64Array;
  /** The earliest of these instants. */
  firstDueMs: number;
  /** For each channel, up to when changes of the level have been followed. */
  changedMs: Float64Array;
};

/** Density of a read that a hypothesis cannot explain: it keeps an error of the model from being final. */
const impossible = 1e-9;
/** Polls are at most this much later than their interval, as a share of it. */
const lateness = 0.08;
const missesMax = 40;
/** A distribution is scaled before its sum is so small that processors handle its numbers slowly. */
const sumMin = 1e-8;
/** Levels of reads are whole numbers from 0 down to, but not including, this many below. */
const arrivalLevels = 128;
/** Changes of level are followed in steps of this length. */
const changeStepMs = 6000;

/** Creates what computes the likelihoods of reads, and of polls without one, for the hypotheses about one asset. */
export function createChannels(model: OracleModel, tagLossDb: readonly number[]) {
  const { intervals, reach, slots, density } = model;
  const tags = tagLossDb.length;
  const { channelsMax, firstDbm, priors, misses, changes } = createLevelGrids(model, tagLossDb);
  const gridSteps = stepsPerPoint(model);
  const spare: Hypothesis[] = [];
  const drift = new Float64Array(gridPoints);
  /** Densities of first reads, by location, channel and whole level; NaN until needed. An antenna reports RSSI always or never. */
  const arrivals = new Float64Array(reach.length * channelsMax * arrivalLevels).fill(Number.NaN);

  function create(location: number, startMs: number): Hypothesis {
    const hypothesis = spare.pop() ?? {
      ...{ location, startMs, weight: 0, firstDueMs: startMs },
      grids: new Float64Array(channelsMax * gridPoints),
      sums: new Float64Array(channelsMax),
      lastMs: new Float64Array(channelsMax),
      hasRead: new Uint8Array(channelsMax),
      missed: new Uint16Array(channelsMax),
      dueMs: new Float64Array(channelsMax),
      changedMs: new Float64Array(channelsMax),
    };
    hypothesis.location = location;
    hypothesis.startMs = startMs;
    const base = location * channelsMax * gridPoints;
    hypothesis.grids.set(priors.subarray(base, base + channelsMax * gridPoints));
    hypothesis.sums.fill(1);
    hypothesis.lastMs.fill(startMs);
    hypothesis.hasRead.fill(0);
    hypothesis.missed.fill(0);
    hypothesis.dueMs.fill(startMs);
    hypothesis.firstDueMs = startMs;
    hypothesis.changedMs.fill(startMs);
    return hypothesis;
  }

  /** Multiplies a channel's distribution by the likelihood of polls without a read, and returns their probability. */
  function miss(hypothesis: Hypothesis, channel: number, polls: number): number {
    const { grids, location } = hypothesis;
    const base = channel * gridPoints;
    const missBase = (location * channelsMax + channel) * gridPoints;
    let sum = 0;
    for (let point = 0; point < gridPoints; point += 1) {
      const probability = misses[missBase + point] ?? 0;
      let weight = grids[base + point] ?? 0;
      for (let poll = 0; poll < polls; poll += 1) weight *= probability;
      grids[base + point] = weight;
      sum += weight;
    }
    return rescale(hypothesis, channel, sum);
  }

  /** Follows changes of a channel's level up to an instant. */
  function change(hypothesis: Hypothesis, channel: number, atMs: number): void {
    const elapsedMs = atMs - (hypothesis.changedMs[channel] ?? 0);
    if (elapsedMs < changeStepMs) return;
    hypothesis.changedMs[channel] = atMs;
    const share = 1 - Math.exp(-elapsedMs * model.changePerMs);
    const { grids, location } = hypothesis;
    const base = channel * gridPoints;
    const rows = (location * channelsMax + channel) * gridPoints * gridPoints;
    drift.fill(0);
    for (let from = 0; from < gridPoints; from += 1) {
      const weight = (grids[base + from] ?? 0) * share;
      for (let to = 0; to < gridPoints; to += 1) {
        drift[to] = (drift[to] ?? 0) + weight * (changes[rows + from * gridPoints + to] ?? 0);
      }
    }
    for (let point = 0; point < gridPoints; point += 1) {
      grids[base + point] = (grids[base + point] ?? 0) * (1 - share) + (drift[point] ?? 0);
    }
  }

  /** Counts the polls of a channel that have yielded nothing, and returns how many of them are new. */
  function countMisses(
    { startMs, lastMs, missed, hasRead }: Hypothesis,
    channel: number,
    { antenna, untilMs, isRead }: { antenna: number; untilMs: number; isRead: boolean },
  ): number {
    const timing = intervals[antenna];
    const fromMs = lastMs[channel] ?? 0;
    if (!timing || untilMs <= fromMs) return 0;
    const polls = pollsWithin(timing, { startMs, fromMs, untilMs });
    const certain = isRead ? Math.round(polls) - 1 : Math.floor(hasRead[channel] === 1 ? polls - lateness : polls);
    const before = missed[channel] ?? 0;
    if (certain <= before) return 0;
    missed[channel] = certain;
    return Math.min(certain - before, missesMax);
  }

  function setDue(hypothesis: Hypothesis, channel: number, antenna: number): void {
    const { startMs, lastMs, missed, hasRead, dueMs } = hypothesis;
    const timing = intervals[antenna];
    if (!timing) return;
    const polls = (missed[channel] ?? 0) + 1 + (hasRead[channel] === 1 ? lateness : 0);
    dueMs[channel] = timeOfPoll(timing, { startMs, fromMs: lastMs[channel] ?? 0 }, polls);
  }

  return {
    create,
    release: (hypothesis: Hypothesis) => spare.push(hypothesis),

    /** Returns the probability of all polls that have yielded nothing by now, besides the one that yields this read. */
    silenceOf(hypothesis: Hypothesis, read: TimedRead, knownUntil: KnownUntil): number {
      const { location, dueMs } = hypothesis;
      if (hypothesis.firstDueMs > read.atMs) return 1;
      const antennas = reach[location] ?? [];
      let probability = 1;
      let firstDueMs = Infinity;
      for (let slot = 0; slot < antennas.length; slot += 1) {
        const antenna = antennas[slot] ?? 0;
        for (let tagIndex = 0; tagIndex < tags; tagIndex += 1) {
          const channel = slot * tags + tagIndex;
          if ((dueMs[channel] ?? 0) <= read.atMs) {
            const isRead = antenna === read.antenna && tagIndex === read.tagIndex;
            const untilMs = knownUntil(antenna, read.atMs);
            const polls = countMisses(hypothesis, channel, { antenna, untilMs, isRead });
            if (model.changePerMs > 0) change(hypothesis, channel, read.atMs);
            if (polls > 0) probability *= miss(hypothesis, channel, polls);
            setDue(hypothesis, channel, antenna);
          }
          firstDueMs = Math.min(firstDueMs, dueMs[channel] ?? 0);
        }
      }
      hypothesis.firstDueMs = firstDueMs;
      return probability;
    },

    /** Multiplies the read's channel by the likelihood of the read, and returns the density of the read. */
    densityOf(hypothesis: Hypothesis, { atMs, antenna, tagIndex, rssiDbm }: TimedRead): number {
      const { location, startMs, grids } = hypothesis;
      const timing = intervals[antenna];
      const slot = slots[location]?.[antenna] ?? -1;
      const intervalMs = timing && atMs < startMs + timing.firstMs ? timing.firstIntervalMs : timing?.laterIntervalMs;
      if (slot < 0) return impossible / (intervalMs ?? 1);
      const channel = slot * tags + tagIndex;
      const at = location * channelsMax + channel;
      const base = channel * gridPoints;
      if (model.changePerMs > 0) change(hypothesis, channel, atMs);
      const step = rssiDbm === null ? 0 : tableSteps(rssiDbm - (firstDbm[at] ?? 0));
      let sum = 0;
      for (let point = 0; point < gridPoints; point += 1) {
        const likelihood =
          rssiDbm === null ? 1 - (misses[at * gridPoints + point] ?? 0) : (density[step - point * gridSteps] ?? 0);
        const weight = (grids[base + point] ?? 0) * (likelihood + impossible);
        grids[base + point] = weight;
        sum += weight;
      }
      const ratio = rescale(hypothesis, channel, sum);
      hypothesis.lastMs[channel] = atMs;
      hypothesis.missed[channel] = 0;
      hypothesis.hasRead[channel] = 1;
      setDue(hypothesis, channel, antenna);
      hypothesis.firstDueMs = Math.min(hypothesis.firstDueMs, hypothesis.dueMs[channel] ?? 0);
      return ratio / (intervalMs ?? 1);
    },

    /** Returns the density of a read if the asset has just arrived, without making a hypothesis of it. */
    arrivalDensityOf(location: number, { antenna, tagIndex, rssiDbm }: TimedRead): number {
      const timing = intervals[antenna];
      const slot = slots[location]?.[antenna] ?? -1;
      if (!timing || slot < 0) return 0;
      const at = location * channelsMax + slot * tags + tagIndex;
      const cached = at * arrivalLevels - Math.round(rssiDbm ?? 0);
      const known = arrivals[cached] ?? Number.NaN;
      if (!Number.isNaN(known)) return known;
      const step = rssiDbm === null ? 0 : tableSteps(rssiDbm - (firstDbm[at] ?? 0));
      let sum = 0;
      for (let point = 0; point < gridPoints; point += 1) {
        const likelihood =
          rssiDbm === null ? 1 - (misses[at * gridPoints + point] ?? 0) : (density[step - point * gridSteps] ?? 0);
        sum += (priors[at * gridPoints + point] ?? 0) * (likelihood + impossible);
      }
      const perMs = sum / (timing.firstMs > 0 ? timing.firstIntervalMs : timing.laterIntervalMs);
      arrivals[cached] = perMs;
      return perMs;
    },

    /** Takes a time without any read as if no antenna had polled. */
    forgive(hypothesis: Hypothesis, nowMs: number): void {
      hypothesis.lastMs.fill(nowMs);
      hypothesis.missed.fill(0);
      hypothesis.dueMs.fill(nowMs);
      hypothesis.firstDueMs = nowMs;
    },
  };
}

/** Notes the new sum of a channel's distribution, and returns its ratio to the one before. */
function rescale({ grids, sums }: Hypothesis, channel: number, sum: number): number {
  const ratio = sum / (sums[channel] ?? 1);
  sums[channel] = sum;
  if (sum > sumMin) return ratio;
  sums[channel] = 1;
  const factor = 1 / sum;
  const base = channel * gridPoints;
  for (let point = base; point < base + gridPoints; point += 1) {
    grids[point] = Math.max(levelMin, (grids[point] ?? 0) * factor);
  }
  return ratio;
}
