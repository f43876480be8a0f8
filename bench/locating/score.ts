import type { Passage } from './decider.js';
import type { Visit } from './journeys.js';
import { matchPassages, type PassageSite } from './passages.js';
import { addPosition, emptyReliability, type ReliabilityBin, sumReliability } from './reliability.js';

/** What a decider reported, compared with the truth. Sums of several scores are scores again. */
export type Score = {
  /**
   * Asset-milliseconds in covered locations after the first seconds there, and how many of them were reported
   * correctly.
   */
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
  /** Positions by the confidence with which they were shown; empty counts for a decider without confidences. */
  reliability: ReliabilityBin[];
  reads: number;
  cpuMs: number;
};

export type Truth = {
  /** By asset, in order of time, without overlap. Visits before the start are not counted. */
  visits: readonly (readonly Visit[])[];
  startMs: number;
  endMs: number;
  /** Reported moves count from here on. */
  movesFromMs: number;
} & PassageSite;

/** Where an asset is reported during the first seconds of a visit is neither right nor wrong. */
const arrivalMs = 5000;

/** Compares what a decider reports with the truth while it reports it. Times are epoch milliseconds. */
export function createScorer(truth: Truth) {
  const { visits, startMs, endMs, movesFromMs, sideOf } = truth;
  const reported = new Uint16Array(visits.length);
  const known = new Uint16Array(visits.length);
  const countedUntilMs = new Float64Array(visits.length).fill(startMs);
  /** The first visit of each asset that ends after the counted time, and whether it has been reported. */
  const cursor = new Uint32Array(visits.length);
  const isFound = visits.map((ofAsset) => new Uint8Array(ofAsset.length));
  const delaysMs: number[] = [];
  const passages: Passage[] = [];
  const reliability = emptyReliability();
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
      if (before === 0 || before === location || atMs < movesFromMs || atMs >= endMs) return;
      reportedMoves += 1;
      const side = sideOf?.[location] ?? 0;
      if (sideOf && side !== sideOf[before]) passages.push({ asset, location: side, atMs });
    },

    /** Records the confidence with which a position is shown, unless it is unknown whether the position is right. */
    shown(asset: number, confidence: number, nowMs: number): void {
      countUntil(asset, nowMs);
      const visit = visits[asset]?.[cursor[asset] ?? 0];
      const location = reported[asset] ?? 0;
      if (!visit || visit.location === 0 || location === 0 || visit.fromMs < startMs) return;
      if (nowMs < visit.fromMs + arrivalMs) return;
      addPosition(reliability, confidence, visit.location === location);
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
        coveredMs,
        correctMs,
        trueMoves,
        foundMoves: delaysMs.length,
        delaysMs,
        reportedMoves,
        ...matchPassages(visits, truth, passages),
        reliability,
      };
    },
  };
}

/** The first visit of an asset is not a move, and neither is its return to its last location. */
function isTrueMove(visits: readonly Visit[], index: number): boolean {
  const location = visits[index]?.location ?? 0;
  if (location === 0) return false;
  for (let before = index - 1; before >= 0; before -= 1) {
    const other = visits[before]?.location ?? 0;
    if (other !== 0) return other !== location;
  }
  return false;
}

/** Adds scores of the same decider in several worlds. */
export function sumScores(scores: readonly Score[]): Score {
  const sum = (field: Exclude<keyof Score, 'delaysMs' | 'reliability'>) =>
    scores.reduce((total, score) => total + score[field], 0);
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
    reliability: sumReliability(scores.map((score) => score.reliability)),
    reads: sum('reads'),
    cpuMs: sum('cpuMs'),
  };
}

/** The measures of a report. A measure that does not apply is NaN. */
export type Measures = {
  truthPercent: number;
  /** Reported moves for each true move. */
  movesRatio: number;
  reportedMoves: number;
  delayP50S: number;
  delayP95S: number;
  missedPercent: number;
  passagesPercent: number;
  /** False passages for each true passage. */
  falsePassages: number;
  microsecondsPerRead: number;
};

/** Turns a score into the measures of a report. */
export function measuresOf(score: Score): Measures {
  const delays = Float64Array.from(score.delaysMs).sort();
  const percentile = (share: number) => (delays[Math.ceil(delays.length * share) - 1] ?? Number.NaN) / 1000;
  const hasPassages = score.truePassages > 0;
  return {
    truthPercent: (100 * score.correctMs) / score.coveredMs,
    movesRatio: score.trueMoves === 0 ? Number.NaN : score.reportedMoves / score.trueMoves,
    reportedMoves: score.reportedMoves,
    delayP50S: percentile(0.5),
    delayP95S: percentile(0.95),
    missedPercent: 100 * (1 - score.foundMoves / score.trueMoves),
    passagesPercent: hasPassages ? (100 * score.foundPassages) / score.truePassages : Number.NaN,
    falsePassages: hasPassages ? score.falsePassages / score.truePassages : Number.NaN,
    microsecondsPerRead: (score.cpuMs * 1000) / score.reads,
  };
}
