import type { Visit } from './journey.js';

/** From an instant of the day on, an asset is reported in a zone; null for a location that the demo does not know. */
export type Placement = { atMs: number; zone: string | null };

/** How well reported locations followed the true ones; `bench/locating` measures its worlds in the same way. */
export type LocationScore = {
  assets: number;
  /** Asset-time within reach of a reader, without the first seconds after each arrival. */
  judgedMs: number;
  /** The part of `judgedMs` with the true location reported. */
  correctMs: number;
  /** Arrivals in a zone within reach other than the previous zone. The first arrival of an asset is not a move. */
  trueMoves: number;
  /** Changes from one reported location to another. The first report of an asset is not a move. */
  reportedMoves: number;
  /** For each true move that was reported before the asset moved on: how long after the arrival, in milliseconds of the day. */
  delaysMs: readonly number[];
};

/** The time after an arrival that is not judged: nothing can be known before the first reads. */
const arrivalMs = 5000;
/** The same at the beginning of the day, since parked tags are read once a minute. */
const firstRoundMs = 60_000;

export type ScoredAsset = {
  /** The truth, in order of time. */
  visits: readonly Visit[];
  /** What was reported, in order of time. */
  placements: readonly Placement[];
  isWithinReach: (zone: string) => boolean;
  /** The end of the time that is judged. */
  untilMs: number;
};

/** Compares the reported locations of an asset with the true ones. */
export function scoreAsset({ visits, placements, isWithinReach, untilMs }: ScoredAsset): LocationScore {
  const delaysMs: number[] = [];
  let judgedMs = 0;
  let correctMs = 0;
  let trueMoves = 0;
  let previous: string | undefined;
  for (const [i, { zone, fromMs }] of visits.entries()) {
    const endMs = Math.min(visits[i + 1]?.fromMs ?? untilMs, untilMs);
    if (zone === null || endMs <= fromMs || !isWithinReach(zone)) continue;
    const judged = { fromMs: fromMs + (fromMs === 0 ? firstRoundMs : arrivalMs), untilMs: endMs };
    judgedMs += Math.max(0, judged.untilMs - judged.fromMs);
    correctMs += timeIn(zone, placements, judged);
    if (previous !== undefined && previous !== zone) {
      trueMoves += 1;
      const [reported] = spansIn(zone, placements, { fromMs, untilMs: endMs });
      if (reported) delaysMs.push(reported.fromMs - fromMs);
    }
    previous = zone;
  }
  const reported = placements.filter(({ atMs, zone }) => zone !== null && atMs < untilMs);
  const reportedMoves = reported.filter(({ zone }, i) => i > 0 && zone !== reported[i - 1]?.zone).length;
  return { assets: 1, judgedMs, correctMs, trueMoves, reportedMoves, delaysMs };
}

type Span = { fromMs: number; untilMs: number };

/** The spans of time in which a zone was reported, within a given one. */
function spansIn(zone: string, placements: readonly Placement[], { fromMs, untilMs }: Span): Span[] {
  return placements.flatMap((placement, i) => {
    if (placement.zone !== zone) return [];
    const span = {
      fromMs: Math.max(placement.atMs, fromMs),
      untilMs: Math.min(placements[i + 1]?.atMs ?? untilMs, untilMs),
    };
    return span.fromMs < span.untilMs ? [span] : [];
  });
}

function timeIn(zone: string, placements: readonly Placement[], within: Span): number {
  return spansIn(zone, placements, within).reduce((sum, { fromMs, untilMs }) => sum + untilMs - fromMs, 0);
}

/** Adds the scores of several assets. */
export function sumOfScores(scores: readonly LocationScore[]): LocationScore {
  const sum = { assets: 0, judgedMs: 0, correctMs: 0, trueMoves: 0, reportedMoves: 0 };
  for (const score of scores) {
    sum.assets += score.assets;
    sum.judgedMs += score.judgedMs;
    sum.correctMs += score.correctMs;
    sum.trueMoves += score.trueMoves;
    sum.reportedMoves += score.reportedMoves;
  }
  return { ...sum, delaysMs: scores.flatMap(({ delaysMs }) => delaysMs) };
}

/** The figures of a score, as `bench/locating` prints them; undefined if there is nothing to compute a figure from. */
export type LocationFigures = {
  /** From 0 to 1. */
  truth: number | undefined;
  movesRatio: number | undefined;
  /** Milliseconds of the day. */
  delayP50Ms: number | undefined;
  delayP95Ms: number | undefined;
  /** The share of true moves that were not reported before the asset moved on, from 0 to 1. */
  missed: number | undefined;
};

export function figuresOf({ judgedMs, correctMs, trueMoves, reportedMoves, delaysMs }: LocationScore): LocationFigures {
  const sorted = delaysMs.toSorted((one, other) => one - other);
  const percentile = (share: number) => sorted[Math.ceil(sorted.length * share) - 1];
  return {
    truth: judgedMs === 0 ? undefined : correctMs / judgedMs,
    movesRatio: trueMoves === 0 ? undefined : reportedMoves / trueMoves,
    delayP50Ms: percentile(0.5),
    delayP95Ms: percentile(0.95),
    missed: trueMoves === 0 ? undefined : 1 - sorted.length / trueMoves,
  };
}

/** Returns the zone reported at an instant of the day; undefined before the first report. */
export function zoneAt(placements: readonly Placement[], atMs: number): string | null | undefined {
  return placements.findLast((placement) => placement.atMs <= atMs)?.zone;
}
