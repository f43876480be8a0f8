import type { Passage } from './decider.js';
import type { Visit } from './journeys.js';

/** What a decider reported, compared with the truth. Sums of several scores are scores again. */
export type Score = {
  /** Asset-milliseconds in covered locations after the first seconds there, and those of them reported correctly. */
  coveredMs: number;
  correctMs: number;
  trueMoves: number;
  /** True moves that were reported before the asset moved on, with their delays. */
  foundMoves: number;
  delaysMs: number[];
  reportedMoves: number;
  truePassages: number;
  foundPassages: number;
  falsePassages: number;
  assetDays: number;
  reads: number;
  cpuMs: number;
};

export type Truth = {
  /** By asset, in order of time, without overlap. Visits before the start are not counted. */
  visits: readonly (readonly Visit[])[];
  portals: ReadonlySet<number>;
  startMs: number;
  endMs: number;
};

/** Where an asset is reported during the first seconds of a visit is neither right nor wrong. */
const arrivalMs = 5000;
/** A passage may be dated so much before the tag arrived or after it left. */
const passageEarlyMs = 2000;
const passageLateMs = 5000;
const dayMs = 86_400_000;

/** Compares what a decider reports with the truth while it reports it. Times are epoch milliseconds. */
export function createScorer(truth: Truth) {
  const { visits, startMs, endMs } = truth;
  const reported = new Uint16Array(visits.length);
  const known = new Uint16Array(visits.length);
  const countedUntilMs = new Float64Array(visits.length).fill(startMs);
  /** The first visit of each asset that ends after what is counted, and whether it has been reported. */
  const cursor = new Uint32Array(visits.length);
  const isFound = visits.map((ofAsset) => new Uint8Array(ofAsset.length));
  const delaysMs: number[] = [];
  const passages: Passage[] = [];
  let correctMs = 0;
  let reportedMoves = 0;

  /** Counts the time since the last change of what was reported of an asset. */
  function countUntil(asset: number, atMs: number): void {
    const fromMs = countedUntilMs[asset] ?? 0;
    const untilMs = Math.min(atMs, endMs);
    if (untilMs <= fromMs) return;
    countedUntilMs[asset] = untilMs;
    const ofAsset = visits[asset] ?? [];
    const location = reported[asset] ?? 0;
    for (let i = cursor[asset] ?? 0; i < ofAsset.length; i += 1) {
      const visit = ofAsset[i];
      if (!visit || visit.fromMs >= untilMs) return;
      if (visit.fromMs >= startMs && visit.location === location && location !== 0) {
        const overlapMs = Math.min(untilMs, visit.untilMs) - Math.max(fromMs, visit.fromMs + arrivalMs);
        if (overlapMs > 0) correctMs += overlapMs;
        if (isFound[asset]?.[i] === 0 && Math.max(fromMs, visit.fromMs) < visit.untilMs) {
          isFound[asset][i] = 1;
          if (isTrueMove(ofAsset, i)) delaysMs.push(Math.max(0, fromMs - visit.fromMs));
        }
      }
      if (visit.untilMs <= untilMs) cursor[asset] = i + 1;
    }
  }

  return {
    /** Reports that an asset is at another location from now on; 0 is none. */
    moved(asset: number, location: number, atMs: number): void {
      countUntil(asset, atMs);
      reported[asset] = location;
      if (location === 0) return;
      const before = known[asset] ?? 0;
      known[asset] = location;
      if (before !== 0 && before !== location && atMs >= startMs && atMs < endMs) reportedMoves += 1;
    },

    passed(passage: Passage): void {
      if (passage.atMs >= startMs && passage.atMs < endMs) passages.push(passage);
    },

    /** Ends the comparison. */
    finish(): Omit<Score, 'reads' | 'cpuMs'> {
      for (let asset = 0; asset < visits.length; asset += 1) countUntil(asset, endMs);
      let coveredMs = 0;
      let trueMoves = 0;
      for (const ofAsset of visits) {
        for (const [i, visit] of ofAsset.entries()) {
          if (visit.fromMs < startMs) continue;
          if (visit.location !== 0) coveredMs += Math.max(0, visit.untilMs - visit.fromMs - arrivalMs);
          if (isTrueMove(ofAsset, i)) trueMoves += 1;
        }
      }
      return {
        ...{ coveredMs, correctMs, trueMoves, foundMoves: delaysMs.length, delaysMs, reportedMoves },
        ...matchPassages(truth, passages),
        assetDays: (visits.length * (endMs - startMs)) / dayMs,
      };
    },
  };
}

/** What an asset's time begins with is no move, nor is its return to where it was last. */
function isTrueMove(visits: readonly Visit[], index: number): boolean {
  const location = visits[index]?.location ?? 0;
  if (location === 0) return false;
  for (let before = index - 1; before >= 0; before -= 1) {
    const other = visits[before]?.location ?? 0;
    if (other !== 0) return other !== location;
  }
  return false;
}

/** A true passage is found once; whatever else was reported is false. */
function matchPassages({ visits, portals, startMs }: Truth, passages: readonly Passage[]) {
  const left = new Map<number, Passage[]>();
  for (const passage of passages) left.set(passage.asset, [...(left.get(passage.asset) ?? []), passage]);
  let truePassages = 0;
  let foundPassages = 0;
  for (const [asset, ofAsset] of visits.entries()) {
    const candidates = left.get(asset) ?? [];
    for (const { location, fromMs, untilMs } of ofAsset) {
      if (!portals.has(location) || fromMs < startMs) continue;
      truePassages += 1;
      const found = candidates.findIndex(
        (passage) =>
          passage.location === location &&
          passage.atMs >= fromMs - passageEarlyMs &&
          passage.atMs < untilMs + passageLateMs,
      );
      if (found < 0) continue;
      foundPassages += 1;
      candidates.splice(found, 1);
    }
  }
  return { truePassages, foundPassages, falsePassages: passages.length - foundPassages };
}

/** Adds scores of the same decider in several worlds. */
export function sumScores(scores: readonly Score[]): Score {
  const sum = (field: Exclude<keyof Score, 'delaysMs'>) => scores.reduce((total, score) => total + score[field], 0);
  return {
    coveredMs: sum('coveredMs'),
    correctMs: sum('correctMs'),
    trueMoves: sum('trueMoves'),
    foundMoves: sum('foundMoves'),
    delaysMs: scores.flatMap((score) => score.delaysMs),
    reportedMoves: sum('reportedMoves'),
    truePassages: sum('truePassages'),
    foundPassages: sum('foundPassages'),
    falsePassages: sum('falsePassages'),
    assetDays: sum('assetDays'),
    reads: sum('reads'),
    cpuMs: sum('cpuMs'),
  };
}

/** The measures of a report. A measure that does not apply is NaN. */
export type Measures = {
  truthPercent: number;
  movesRatio: number;
  delayP50S: number;
  delayP95S: number;
  missedPercent: number;
  passagesPercent: number;
  falsePassagesPerAssetDay: number;
  microsecondsPerRead: number;
};

/** Turns a score into the measures of a report. */
export function measuresOf(score: Score): Measures {
  const delays = Float64Array.from(score.delaysMs).sort();
  const percentile = (share: number) => (delays[Math.ceil(delays.length * share) - 1] ?? Number.NaN) / 1000;
  const hasPortals = score.truePassages > 0;
  return {
    truthPercent: (100 * score.correctMs) / score.coveredMs,
    movesRatio: score.reportedMoves / score.trueMoves,
    delayP50S: percentile(0.5),
    delayP95S: percentile(0.95),
    missedPercent: 100 * (1 - score.foundMoves / score.trueMoves),
    passagesPercent: hasPortals ? (100 * score.foundPassages) / score.truePassages : Number.NaN,
    falsePassagesPerAssetDay: hasPortals ? score.falsePassages / score.assetDays : Number.NaN,
    microsecondsPerRead: (score.cpuMs * 1000) / score.reads,
  };
}
