import type { WorldOutcome } from './run-all.js';
import { measuresOf } from './score.js';

/** Means over the worlds of a kind, of the rule of the service without labels. */
type Means = { truthPercent: number; moves: number };

/**
 * Returns the means of each kind of worlds: truth, and reported moves for each true move. If nothing moves, it is the
 * number of reported moves.
 */
export function meansOf(results: readonly WorldOutcome[]): Record<string, Means> {
  const kinds = [...new Set(results.map(({ kind }) => kind))];
  return Object.fromEntries(
    kinds.map((kind) => {
      const ofKind = results.filter((result) => result.kind === kind);
      const measured = ofKind.flatMap(({ outcomes }) =>
        outcomes.filter(({ contender }) => contender.name === 'evidence').map(({ score }) => measuresOf(score)),
      );
      const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
      const moves = measured.map(({ movesRatio, reportedMoves }) => (movesRatio >= 0 ? movesRatio : reportedMoves));
      return [kind, { truthPercent: mean(measured.map(({ truthPercent }) => truthPercent)), moves: mean(moves) }];
    }),
  );
}
