import type { Outcome, WorldOutcome } from './run-all.js';
import { measuresOf } from './score.js';

const columns = [
  { title: 'decider', width: 12 },
  { title: 'truth %', width: 8 },
  { title: 'moves', width: 8 },
  { title: 'p50 s', width: 7 },
  { title: 'p95 s', width: 7 },
  { title: 'missed %', width: 9 },
  { title: 'passages %', width: 11 },
  { title: 'false/day', width: 10 },
  { title: 'us/read', width: 8 },
];

/** Returns all measures as a table of fixed width. */
export function measuresTable(results: readonly WorldOutcome[]): string {
  const heading = columns
    .map(({ title, width }, i) => (i === 0 ? title.padEnd(width) : title.padStart(width)))
    .join(' ');
  const lines = results.flatMap(({ spec, outcomes }) => [
    '',
    `${spec.name}: ${spec.title} (${outcomes[0] ? outcomes[0].score.trueMoves : 0} moves)`,
    heading,
    ...outcomes.map(lineOf),
  ]);
  return lines.slice(1).join('\n');
}

function lineOf({ contender, score }: Outcome): string {
  const measures = measuresOf(score);
  const cells = [
    contender.name,
    decimals(measures.truthPercent, 1),
    decimals(measures.movesRatio, 2),
    decimals(measures.delayP50S, 1),
    decimals(measures.delayP95S, 1),
    decimals(measures.missedPercent, 1),
    decimals(measures.passagesPercent, 1),
    decimals(measures.falsePassagesPerAssetDay, 2),
    decimals(measures.microsecondsPerRead, 2),
  ];
  return cells
    .map((cell, i) => (i === 0 ? cell.padEnd(columns[i]?.width ?? 0) : cell.padStart(columns[i]?.width ?? 0)))
    .join(' ');
}

function decimals(value: number, digits: number): string {
  return Number.isNaN(value) ? '-' : value.toFixed(digits);
}
