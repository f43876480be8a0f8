import type { WorldOutcome } from './run-all.js';
import { type Measures, measuresOf } from './score.js';

/** One target of one decider in one world. */
export type Verdict = {
  world: string;
  decider: string;
  /** What was to be reached, such as "truth ≥ 99 %". */
  target: string;
  value: number;
  /** By how much it was missed, in the unit of the value; 0 or less if it was reached. */
  missedBy: number;
};

const truthPercentMin = 99;
const movesRatioMaxSeparated = 1.1;
const movesRatioMax = 1.5;
const delayP50SMax = 1.5;
const delayP95SMax = 4;
const passagesPercentMin = 98;
const falsePassagesMax = 0.1;

/** Compares the deciders that are not baselines with the targets. For recorded reads these are the baselines alone. */
export function verdictsOf(results: readonly WorldOutcome[]): Verdict[] {
  return results.flatMap(({ name: world, spec, outcomes }) => {
    const truthOfBaseline = (baseline: string) => {
      const outcome = outcomes.find(({ contender }) => contender.name === baseline);
      return outcome && measuresOf(outcome.score).truthPercent;
    };
    return outcomes
      .filter(({ contender }) => !contender.isBaseline)
      .flatMap(({ contender, score }) => {
        const measures = measuresOf(score);
        const targets = [
          ...(spec?.isSeparated ? separatedTargets(measures) : []),
          ...(spec?.isSeparated === false ? [atMost('moves', measures.movesRatio, movesRatioMax)] : []),
          ...(spec?.isReadEverySecond ? delayTargets(measures) : []),
          ...passageTargets(measures),
          ...baselineTargets(measures, { latest: truthOfBaseline('latest'), EdgeX: truthOfBaseline('edgex') }),
        ];
        return targets.map((target) => ({ world, decider: contender.name, ...target }));
      });
  });
}

type Target = Omit<Verdict, 'world' | 'decider'>;

function separatedTargets({ truthPercent, movesRatio }: Measures): Target[] {
  return [atLeast('truth %', truthPercent, truthPercentMin), atMost('moves', movesRatio, movesRatioMaxSeparated)];
}

function delayTargets({ delayP50S, delayP95S }: Measures): Target[] {
  return [atMost('delay p50 s', delayP50S, delayP50SMax), atMost('delay p95 s', delayP95S, delayP95SMax)];
}

function passageTargets({ passagesPercent, falsePassages }: Measures): Target[] {
  if (Number.isNaN(passagesPercent)) return [];
  return [
    atLeast('passages %', passagesPercent, passagesPercentMin),
    atMost('false passages', falsePassages, falsePassagesMax),
  ];
}

/** Percentages are compared as they are printed, to a tenth. */
function baselineTargets(
  { truthPercent }: Measures,
  baselines: Readonly<Record<string, number | undefined>>,
): Target[] {
  const tenth = (value: number) => Math.round(value * 10) / 10;
  return Object.entries(baselines).flatMap(([name, baseline]) =>
    baseline === undefined ? [] : [atLeast(`truth % (${name})`, tenth(truthPercent), tenth(baseline))],
  );
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
