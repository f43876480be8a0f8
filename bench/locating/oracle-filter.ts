import { createChannels, type Hypothesis } from './oracle-channels.js';
import type { OracleModel } from './oracle-model.js';
import type { KnownUntil, TimedRead } from './timed-read.js';

const hypothesesPerLocationMax = 2;
/** Hypotheses less likely than this, relative to all, are dropped. */
const weightMin = 3e-5;
/** Arrivals are considered once this share of an interval has passed. */
const arrivalShareMin = 0.3;
/** An asset is outside of all locations if that is more likely than everything else. */
const certain = 0.5;

/**
 * Creates the Bayesian filter of one asset: the probability of each location given all reads so far, and the polls that
 * yielded none. A hypothesis is that the asset has been at a location since some instant. The levels of a visit are not
 * known in advance, so each hypothesis carries their distributions.
 *
 * @param tagLossDb mounting loss of each of the asset's tags
 */
export function createOracleFilter(model: OracleModel, tagLossDb: readonly number[]) {
  const channels = createChannels(model, tagLossDb);
  const { locations, leavePerMs, moves } = model;
  const mass = new Float64Array(locations);
  const perLocation = new Uint8Array(locations);
  /** The first `count` are in use; the array never shrinks, so it is never allocated anew. */
  const hypotheses: Hypothesis[] = [];
  let count = 0;
  let nowMs = Number.NaN;
  let arrivalsMs = Number.NaN;
  let best = 0;

  function add(hypothesis: Hypothesis, weight: number): void {
    hypothesis.weight = weight;
    hypotheses[count] = hypothesis;
    count += 1;
  }

  function addAnywhere(read: TimedRead): void {
    for (const location of model.reached[read.antenna] ?? []) {
      const hypothesis = channels.create(location, read.atMs);
      add(hypothesis, channels.densityOf(hypothesis, read));
    }
  }

  /**
   * Adds the hypotheses that the asset has arrived since the previous read, wherever this antenna receives it.
   *
   * @param total weight of the other hypotheses
   */
  function addArrivals(read: TimedRead, elapsedMs: number, total: number): void {
    const intervals = model.intervals[read.antenna];
    if (!intervals) return;
    const intervalMs = intervals.firstMs > 0 ? intervals.firstIntervalMs : intervals.laterIntervalMs;
    // An earlier arrival would have been read earlier.
    const windowMs = Math.min(read.atMs - arrivalsMs, 1.5 * intervalMs);
    if (elapsedMs <= 0 || windowMs < arrivalShareMin * intervalMs) return;
    arrivalsMs = read.atMs;
    for (const location of model.reached[read.antenna] ?? []) {
      let weight = 0;
      for (let from = 0; from < locations; from += 1) {
        const left = mass[from] ?? 0;
        if (left > 0) weight += left * (leavePerMs[from] ?? 0) * (moves[from * locations + location] ?? 0);
      }
      weight *= windowMs * channels.arrivalDensityOf(location, read);
      if (weight < weightMin * total) continue;
      const hypothesis = channels.create(location, read.atMs - Math.min(windowMs, elapsedMs) / 2);
      channels.densityOf(hypothesis, read);
      add(hypothesis, weight);
    }
  }

  /** Drops the least likely hypotheses, and sums the others by location. */
  function keepBest(): void {
    let total = 0;
    for (let i = 0; i < count; i += 1) total += hypotheses[i]?.weight ?? 0;
    sortByWeight(hypotheses, count);
    perLocation.fill(0);
    mass.fill(0);
    let kept = 0;
    for (let i = 0; i < count; i += 1) {
      const hypothesis = hypotheses[i];
      if (!hypothesis) continue;
      hypothesis.weight /= total;
      const { location, weight } = hypothesis;
      const others = perLocation[location] ?? 0;
      if (weight < weightMin || others >= hypothesesPerLocationMax) {
        channels.release(hypothesis);
        continue;
      }
      perLocation[location] = others + 1;
      mass[location] = (mass[location] ?? 0) + weight;
      hypotheses[kept] = hypothesis;
      kept += 1;
    }
    count = kept;
    // Outside of all locations it is still reported where it was.
    if ((mass[0] ?? 0) > certain) return;
    for (let location = 1; location < locations; location += 1) {
      if ((mass[location] ?? 0) > (mass[best] ?? 0)) best = location;
    }
  }

  return {
    /** Takes the next read into account; reads come in order of time, within a few hundred milliseconds. */
    observe(read: TimedRead, knownUntil: KnownUntil): void {
      const { atMs } = read;
      if (count === 0) {
        nowMs = atMs;
        arrivalsMs = atMs;
        addAnywhere(read);
        keepBest();
        return;
      }
      const elapsedMs = Math.max(0, atMs - nowMs);
      nowMs = Math.max(nowMs, atMs);
      // A tag that no antenna receives for so long is in a cage, which is no evidence against any location.
      const isSilence = elapsedMs > model.silentMsMax;
      let total = 0;
      for (let i = 0; i < count; i += 1) {
        const hypothesis = hypotheses[i];
        if (!hypothesis) continue;
        let weight = hypothesis.weight * Math.exp(-elapsedMs * (leavePerMs[hypothesis.location] ?? 0));
        if (isSilence) channels.forgive(hypothesis, nowMs);
        else weight *= channels.silenceOf(hypothesis, read, knownUntil);
        weight *= channels.densityOf(hypothesis, read);
        hypothesis.weight = weight;
        total += weight;
      }
      addArrivals(read, elapsedMs, total);
      keepBest();
    },

    /** Returns the most probable location. */
    location: () => best,

    probabilityOf: (location: number): number => mass[location] ?? 0,

    /** Forgets everything. */
    reset(): void {
      for (const hypothesis of hypotheses.slice(0, count)) channels.release(hypothesis);
      count = 0;
      best = 0;
    },
  };
}

/** Sorts the first ones, the heaviest first. The order hardly changes from read to read, so insertion is the quickest way. */
function sortByWeight(hypotheses: Hypothesis[], count: number): void {
  for (let i = 1; i < count; i += 1) {
    const moved = hypotheses[i];
    if (!moved) continue;
    let at = i;
    for (; at > 0; at -= 1) {
      const before = hypotheses[at - 1];
      if (!before || before.weight >= moved.weight) break;
      hypotheses[at] = before;
    }
    hypotheses[at] = moved;
  }
}
