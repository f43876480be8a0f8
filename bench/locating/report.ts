import { markdownTable } from '../markdown-table.js';
import { calibrationError, reliabilityBounds, sumReliability } from './reliability.js';
import type { Outcome, WorldOutcome } from './run-all.js';
import { type Measures, measuresOf } from './score.js';
import { isReached, type Verdict } from './targets.js';

const columns = [
  { title: 'decider', width: 15 },
  { title: 'truth %', width: 8 },
  { title: 'moves', width: 8 },
  { title: 'p50 s', width: 7 },
  { title: 'p95 s', width: 7 },
  { title: 'missed %', width: 9 },
  { title: 'passages %', width: 11 },
  { title: 'false', width: 10 },
  { title: 'µs/read', width: 8 },
];

const legend = [
  'truth %     share of the time in covered locations, after the first 5 s there, at which the location was right',
  'moves       reported moves for each true move',
  'p50, p95    delay until a true move was reported, in seconds',
  'missed %    true moves that were not reported before the asset moved on',
  'passages %  passages through portals and doors that were found; false: reported ones that were none, for each true one',
  'µs/read     processor time',
].join('\n');

/** Returns everything measured as text of fixed width: a summary in Markdown, a table for each world, and the targets. */
export function report(results: readonly WorldOutcome[], verdicts: readonly Verdict[]): string {
  const targets = verdicts.length === 0 ? [] : [targetsText(verdicts)];
  const tables = [
    summaryTable(results.toSorted((one, other) => leadOf(one) - leadOf(other))),
    legend,
    chosenTable(results),
    ...reliabilityTable(results),
  ];
  return [...tables, ...results.map(worldTable), ...targets].join('\n\n');
}

/** Returns by how many points the rule of the service is ahead of the best baseline; the worst world is reported first. */
function leadOf({ outcomes }: WorldOutcome): number {
  const truthOf = (of: readonly Outcome[]) => Math.max(...of.map(({ score }) => measuresOf(score).truthPercent));
  const own = truthOf(outcomes.filter(({ contender }) => contender.name === 'evidence'));
  const lead = own - truthOf(outcomes.filter(({ contender }) => contender.isBaseline));
  return Number.isFinite(lead) ? lead : 0;
}

/** The data on which the constants of each decider were chosen. */
function chosenTable(results: readonly WorldOutcome[]): string {
  const used = new Map(results.flatMap(({ outcomes }) => outcomes.map(({ contender }) => [contender.name, contender])));
  return markdownTable(
    ['decider', 'constants chosen on'],
    [...used.values()].map(({ name, chosenOn }) => [name, chosenOn]),
  );
}

/** How many of the positions shown with a confidence were right; all worlds have the same weight. */
function reliabilityTable(results: readonly WorldOutcome[]): string[] {
  const names = [...new Set(results.flatMap(({ outcomes }) => outcomes.map(({ contender }) => contender.name)))];
  const all = names.map((name) => {
    const scores = results.flatMap(({ outcomes }) => outcomes.filter(({ contender }) => contender.name === name));
    const bins = sumReliability(
      scores.map(({ score }) => score.reliability),
      true,
    );
    return { name, bins, error: calibrationError(bins) };
  });
  const shown = all.filter(({ error }) => !Number.isNaN(error));
  if (shown.length === 0) return [];
  const rows = reliabilityBounds.map((bound, i) => {
    const cells = shown.map(({ bins }) => {
      const { count, right, confidence } = bins[i] ?? { count: 0, right: 0, confidence: 0 };
      const share = (100 * count) / bins.reduce((sum, bin) => sum + bin.count, 0);
      return count === 0
        ? ''
        : `${decimals((100 * confidence) / count, 0)}: ${decimals((100 * right) / count, 1)} (${decimals(share, 1)})`;
    });
    return [`${(reliabilityBounds[i - 1] ?? 0) * 100} to ${bound * 100}`, ...cells];
  });
  const errors = shown.map(({ error }) => error.toFixed(3));
  const heading = ['confidence %', ...shown.map(({ name }) => name)];
  return [
    `${markdownTable(heading, [...rows, ['calibration error', ...errors]])}

mean confidence %: right % (share of all positions in %); each world counts as much as another one`,
  ];
}

/** Truth in percent, and in parentheses reported moves for each true move and the 95th percentile of the delay in seconds. */
function summaryTable(results: readonly WorldOutcome[]): string {
  const names = [...new Set(results.flatMap(({ outcomes }) => outcomes.map(({ contender }) => contender.name)))];
  const rows = results.map(({ name, title, outcomes }) => [
    `${name} ${title}`,
    ...names.map((decider) => {
      const outcome = outcomes.find(({ contender }) => contender.name === decider);
      return outcome ? summaryOf(outcome) : '';
    }),
  ]);
  return markdownTable(['world', ...names], rows);
}

function summaryOf({ score }: Outcome): string {
  const measures = measuresOf(score);
  const { truthPercent, delayP95S } = measures;
  const delay = Number.isNaN(delayP95S) ? '' : `; ${decimals(delayP95S, delayP95S < 10 ? 1 : 0)}`;
  return `${decimals(truthPercent, 1)} (${movesOf(measures)}${delay})`;
}

/** Reported moves for each true move; the number of reported moves if nothing moves. */
function movesOf({ movesRatio, reportedMoves }: Measures): string {
  return Number.isNaN(movesRatio) ? `${reportedMoves} in all` : decimals(movesRatio, movesRatio < 10 ? 2 : 0);
}

function worldTable({ name, title, outcomes }: WorldOutcome): string {
  const score = outcomes[0]?.score;
  const size = score ? ` (${score.trueMoves} moves, ${score.reads} reads)` : '';
  const heading = lineOf(columns.map((column) => column.title));
  return [`${name}: ${title}${size}`, heading, ...outcomes.map((outcome) => lineOf(cellsOf(outcome)))].join('\n');
}

function lineOf(cells: readonly string[]): string {
  return cells
    .map((cell, i) => (i === 0 ? cell.padEnd(columns[i]?.width ?? 0) : cell.padStart(columns[i]?.width ?? 0)))
    .join(' ');
}

function cellsOf({ contender, score }: Outcome): string[] {
  const measures = measuresOf(score);
  return [
    contender.name,
    decimals(measures.truthPercent, 1),
    decimals(measures.movesRatio, 2),
    decimals(measures.delayP50S, 1),
    decimals(measures.delayP95S, 1),
    decimals(measures.missedPercent, 1),
    decimals(measures.passagesPercent, 1),
    decimals(measures.falsePassages, 2),
    decimals(measures.microsecondsPerRead, 1),
  ];
}

function decimals(value: number, digits: number): string {
  return Number.isFinite(value) ? value.toFixed(digits) : '-';
}

function targetsText(verdicts: readonly Verdict[]): string {
  const missed = verdicts.filter((verdict) => !isReached(verdict));
  const width = Math.max(...verdicts.map(({ target }) => target.length));
  const lines = verdicts.map((verdict) => {
    const { world, decider, target, value, missedBy } = verdict;
    const outcome = isReached(verdict) ? 'reached' : `MISSED by ${decimals(missedBy, 2)}`;
    return `${world.padEnd(6)} ${decider.padEnd(11)} ${target.padEnd(width)} ${decimals(value, 2).padStart(9)}  ${outcome}`;
  });
  return [`Targets: ${verdicts.length - missed.length} of ${verdicts.length} reached`, ...lines].join('\n');
}
