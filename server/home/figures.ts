import type { Database } from '../database/client.js';
import { type AssetFigures, type FiguresInput, readAssetFigures } from './asset-figures.js';
import { createKeptAnswers } from './kept-answers.js';
import { readTrends, type Trends } from './trend-queries.js';

/** Figures of the moment may be this old. */
const figuresKept = { minMs: 0, maxMs: 20_000 };
/** What is compared with the day before changes slowly. */
const trendsKept = { minMs: 60_000, maxMs: 300_000 };

/** Figures that cost more the more assets an organization has. */
export type HomeFigures = {
  /** The figures as they were a moment ago; at once where they are cheap to find. */
  of(orgId: number, input: FiguresInput): Promise<AssetFigures>;
  /** The comparison with the day before, up to some minutes old. */
  trendsOf(orgId: number, dayStartMs: number): Promise<Trends>;
};

/**
 * @param databaseOf gives the database for the figures of an organization
 * @param elapsedMs a clock that never runs backwards, in milliseconds
 */
export function createHomeFigures(
  databaseOf: (orgId: number) => Pick<Database, '$queryRaw'>,
  elapsedMs?: () => number,
): HomeFigures {
  const figures = createKeptAnswers<AssetFigures>(figuresKept, elapsedMs);
  const trends = createKeptAnswers<Trends>(trendsKept, elapsedMs);
  return {
    of: (orgId, input) =>
      figures.get(`${orgId} ${input.dayStartMs} ${input.unseenDays}`, () =>
        readAssetFigures(databaseOf(orgId), orgId, input),
      ),
    trendsOf: (orgId, dayStartMs) =>
      trends.get(`${orgId} ${dayStartMs}`, () => readTrends(databaseOf(orgId), orgId, dayStartMs)),
  };
}
