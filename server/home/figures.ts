import type { Database } from '../database/client.js';
import { type AssetFigures, type FiguresInput, readAssetFigures } from './asset-figures.js';

/** An answer is kept for so many times as long as it took to find, so that however many ask, the database seldom counts. */
const keptPerCost = 10;
const keptMaxMs = 20_000;
const keptAnswersMax = 1000;

/** Figures that cost more the more assets an organisation has. */
export type HomeFigures = {
  /**
   * The figures as they were a moment ago: an answer is shared by all who ask for the same while it is being found and
   * some time after, which is nothing where it was cheap.
   */
  of(orgId: number, input: FiguresInput): Promise<AssetFigures>;
};

type Kept = { answer: Promise<AssetFigures>; untilMs: number };

/**
 * @param databaseOf gives the database for the figures of an organization
 * @param elapsedMs a clock that never runs backwards, in milliseconds
 */
export function createHomeFigures(
  databaseOf: (orgId: number) => Pick<Database, '$queryRaw'>,
  elapsedMs: () => number = () => performance.now(),
): HomeFigures {
  const kept = new Map<string, Kept>();

  function find(key: string, read: () => Promise<AssetFigures>): Promise<AssetFigures> {
    const beganMs = elapsedMs();
    const entry: Kept = { answer: read(), untilMs: Number.POSITIVE_INFINITY };
    kept.set(key, entry);
    entry.answer.then(
      () => {
        const nowMs = elapsedMs();
        entry.untilMs = nowMs + Math.min(keptMaxMs, (nowMs - beganMs) * keptPerCost);
      },
      () => kept.delete(key),
    );
    return entry.answer;
  }

  function makeRoom(): void {
    if (kept.size < keptAnswersMax) return;
    const nowMs = elapsedMs();
    for (const [key, { untilMs }] of kept) if (untilMs <= nowMs) kept.delete(key);
    // All of them are fresh: the oldest goes.
    for (const key of kept.keys()) {
      if (kept.size < keptAnswersMax) return;
      kept.delete(key);
    }
  }

  return {
    of(orgId, input) {
      const key = `${orgId} ${input.dayStartMs} ${input.unseenDays}`;
      const known = kept.get(key);
      if (known && elapsedMs() < known.untilMs) return known.answer;
      kept.delete(key);
      makeRoom();
      return find(key, () => readAssetFigures(databaseOf(orgId), orgId, input));
    },
  };
}
