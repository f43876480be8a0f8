import type { Database } from '../../kernel/database/client.js';
import { type AssetFigures, type FiguresInput, readAssetFigures } from './asset-figures.js';
import { createSharedAnswers } from '../../kernel/shared-answers.js';
import { readTrends, type Trends } from './trend-queries.js';

/** An answer is cached for this many times the time that it took to compute, so that the database seldom counts, even with many users. */
const keptPerCost = 10;
const keptAnswersMax = 1000;
/** The maximum age of present figures. */
const figuresKept = { minMs: 0, maxMs: 20_000 };
/** The maximum age of the comparison with the day before, which changes slowly. */
const trendsKept = { minMs: 60_000, maxMs: 300_000 };

/** Figures whose cost grows with the number of assets. */
export type HomeFigures = {
  /** Returns recent figures, or present figures if they are cheap to compute. */
  of(orgId: number, input: FiguresInput): Promise<AssetFigures>;
  /** Returns the comparison with the day before, up to some minutes old. */
  trendsOf(orgId: number, dayStartMs: number): Promise<Trends>;
};

/**
 * @param databaseOf returns the database for the figures of an organization
 * @param elapsedMs a monotonic clock, in milliseconds
 */
export function createHomeFigures(
  databaseOf: (orgId: number) => Pick<Database, '$queryRaw'>,
  elapsedMs: () => number = () => performance.now(),
): HomeFigures {
  const figures = answersKept<AssetFigures>(figuresKept, elapsedMs);
  const trends = answersKept<Trends>(trendsKept, elapsedMs);
  return {
    of: (orgId, input) =>
      figures.get(`${orgId} ${input.dayStartMs} ${input.unseenDays}`, () =>
        readAssetFigures(databaseOf(orgId), orgId, input),
      ),
    trendsOf: (orgId, dayStartMs) =>
      trends.get(`${orgId} ${dayStartMs}`, () => readTrends(databaseOf(orgId), orgId, dayStartMs)),
  };
}

function answersKept<Answer>({ minMs, maxMs }: { minMs: number; maxMs: number }, elapsedMs: () => number) {
  const keptMs = (tookMs: number) => Math.max(minMs, Math.min(maxMs, tookMs * keptPerCost));
  return createSharedAnswers<Answer>({ keptMs, entriesMax: keptAnswersMax, elapsedMs });
}
