import { markdownTable } from '../markdown-table.js';
import type { WorldOutcome } from './run-all.js';
import { type Measures, measuresOf } from './score.js';

/** Each reported move beyond 1.1 for each true move costs this many points of truth, up to ten moves. */
const pointsPerMove = 5;

/**
 * Returns a table of the best choices of constants: over all kinds of worlds, and without each kind. All kinds have the
 * same weight, and so do all worlds within a kind.
 */
export function constantsTable(results: readonly WorldOutcome[]): string {
  const kinds = [...new Set(results.map(({ kind }) => kind))];
  const names = results[0]?.outcomes.map(({ contender }) => contender.name) ?? [];
  const valueIn = (kind: string, decider: string) =>
    mean(
      results
        .filter((result) => result.kind === kind)
        .flatMap(({ outcomes }) => outcomes.filter(({ contender }) => contender.name === decider))
        .map(({ score }) => valueOf(measuresOf(score))),
    );
  const rows = [undefined, ...kinds].map((left) => {
    const used = kinds.filter((kind) => kind !== left);
    const ranked = names
      .map((name) => ({ name, value: mean(used.map((kind) => valueIn(kind, name))) }))
      .sort((a, b) => b.value - a.value);
    const best = ranked.slice(0, 3).map(({ name, value }) => `${name} (${value.toFixed(1)})`);
    return [left ?? 'none', ...best];
  });
  return markdownTable(['kind left out', 'best', 'second', 'third'], rows);
}

function valueOf({ truthPercent, movesRatio, reportedMoves }: Measures): number {
  const moves = Number.isNaN(movesRatio) ? reportedMoves : movesRatio;
  return truthPercent - pointsPerMove * Math.max(0, Math.min(10, moves) - 1.1);
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
