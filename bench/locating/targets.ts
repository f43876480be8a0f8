import { calibrationError, sumReliability } from './reliability.js';
import type { Outcome, WorldOutcome } from './run-all.js';
import { type Measures, measuresOf, sumScores } from './score.js';

/** One target of one decider in one world. */
export type Verdict = {
  world: string;
  decider: string;
  /** The target, such as "truth ≥ 99 %". */
  target: string;
  value: number;
  /** By how much it was missed, in the unit of the value; 0 or less if it was reached. */
  missedBy: number;
};

const movesRatioMax = 1.2;
const falsePassagesMax = 0.1;
/** Visits of seconds to minutes from a cold start, all worlds together. */
const short = { truthPercentMin: 99, movesRatioMax: 1.1, delayP95SMax: 10 };
/** How far below the best baseline of a recording the truth may be. */
const pointsBelowBest = 0.5;
const calibrationErrorMax = 0.05;

type Target = Omit<Verdict, 'world' | 'decider'>;

/** Compares the deciders that are not baselines with the targets. */
export function verdictsOf(results: readonly WorldOutcome[]): Verdict[] {
  const candidates = new Set(
    results.flatMap(({ outcomes }) => outcomes.filter(({ contender }) => !contender.isBaseline).map(nameOf)),
  );
  return [...candidates].flatMap((decider) => {
    const own = results.flatMap((result) =>
      result.outcomes.filter((outcome) => nameOf(outcome) === decider).map(({ score }) => ({ result, score })),
    );
    const ofWorlds = own.flatMap(({ result, score }) =>
      targetsOf(result, measuresOf(score)).map((target) => ({ world: result.name, decider, ...target })),
    );
    const scores = own.filter(({ result }) => result.kind === 'short').map(({ score }) => score);
    const ofShort = scores.length === 0 ? [] : shortTargets(measuresOf(sumScores(scores)));
    const error = calibrationError(
      sumReliability(
        own.map(({ score }) => score.reliability),
        true,
      ),
    );
    return [
      ...ofWorlds,
      ...ofShort.map((target) => ({ world: 'short', decider, ...target })),
      ...(Number.isNaN(error)
        ? []
        : [{ world: 'all', decider, ...atMost('calibration error', error, calibrationErrorMax) }]),
    ];
  });
}

function nameOf({ contender }: Outcome): string {
  return contender.name;
}

function targetsOf(result: WorldOutcome, measures: Measures): Target[] {
  const { kind, spec } = result;
  if (kind === 'parked') return [atMost('moves of parked assets', measures.reportedMoves, 0)];
  if (kind === 'short') return [];
  if (kind === 'recorded') return recordedTargets(result, measures);
  return [
    ...(spec?.truthPercentMin === undefined ? [] : [truthAtLeast('truth %', measures, spec.truthPercentMin)]),
    atMost('moves', measures.movesRatio, movesRatioMax),
    ...baselinesOf(result, ['latest', 'edgex']).map(({ name, measures: { truthPercent } }) =>
      truthAtLeast(`truth % (${name})`, measures, truthPercent),
    ),
  ];
}

function shortTargets(measures: Measures): Target[] {
  return [
    atLeast('truth %', measures.truthPercent, short.truthPercentMin),
    atMost('moves', measures.movesRatio, short.movesRatioMax),
    atMost('delay p95 s', measures.delayP95S, short.delayP95SMax),
  ];
}

/** The truth of the best baseline minus half a point, with hardly more moves than the baseline or the true moves. */
function recordedTargets(result: WorldOutcome, measures: Measures): Target[] {
  const [best] = baselinesOf(result, ['latest', 'strongest20', 'edgex', 'smooth']).sort(
    (a, b) => b.measures.truthPercent - a.measures.truthPercent,
  );
  const passages = Number.isNaN(measures.passagesPercent)
    ? []
    : [
        atLeast('passages %', measures.passagesPercent, 100),
        atMost('false passages', measures.falsePassages, falsePassagesMax),
      ];
  if (!best) return passages;
  const movesMax = movesRatioMax * Math.max(1, best.measures.movesRatio);
  return [
    truthAtLeast(`truth % (${best.name} - ${pointsBelowBest})`, measures, best.measures.truthPercent - pointsBelowBest),
    atMost('moves', measures.movesRatio, movesMax),
    ...passages,
  ];
}

function baselinesOf({ outcomes }: WorldOutcome, names: readonly string[]): { name: string; measures: Measures }[] {
  return outcomes
    .filter(({ contender }) => names.includes(contender.name))
    .map(({ contender, score }) => ({ name: contender.name, measures: measuresOf(score) }));
}

/** Percentages are compared as they are printed, to a tenth. */
function truthAtLeast(name: string, { truthPercent }: Measures, min: number): Target {
  const tenth = (value: number) => Math.round(value * 10) / 10;
  return atLeast(name, tenth(truthPercent), tenth(min));
}

function atLeast(name: string, value: number, min: number): Target {
  return { target: `${name} ≥ ${round(min)}`, value, missedBy: min - value };
}

function atMost(name: string, value: number, max: number): Target {
  return { target: `${name} ≤ ${round(max)}`, value, missedBy: value - max };
}

function round(value: number): string {
  return String(Math.round(value * 100) / 100);
}

/** Returns whether a target was reached; a measure that could not be taken misses its target. */
export function isReached({ missedBy }: Verdict): boolean {
  return missedBy <= 1e-9;
}
