/** An answer is kept for so many times as long as it took to find, so that however many ask, the database seldom counts. */
const keptPerCost = 10;
const keptAnswersMax = 1000;

/** Answers that are shared by all who ask for the same while they are being found and some time after. */
export type KeptAnswers<Answer> = {
  /** Returns the kept answer of a key, or finds it. A failure is not kept. */
  get(key: string, find: () => Promise<Answer>): Promise<Answer>;
};

type Kept<Answer> = { answer: Promise<Answer>; untilMs: number };

/**
 * @param bounds how long an answer is kept at the least and at the most, in milliseconds
 * @param elapsedMs a clock that never runs backwards, in milliseconds
 */
export function createKeptAnswers<Answer>(
  { minMs, maxMs }: { minMs: number; maxMs: number },
  elapsedMs: () => number = () => performance.now(),
): KeptAnswers<Answer> {
  const kept = new Map<string, Kept<Answer>>();

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
    get(key, find) {
      const known = kept.get(key);
      if (known && elapsedMs() < known.untilMs) return known.answer;
      kept.delete(key);
      makeRoom();
      const beganMs = elapsedMs();
      const entry: Kept<Answer> = { answer: find(), untilMs: Number.POSITIVE_INFINITY };
      kept.set(key, entry);
      entry.answer.then(
        () => {
          const nowMs = elapsedMs();
          entry.untilMs = nowMs + Math.max(minMs, Math.min(maxMs, (nowMs - beganMs) * keptPerCost));
        },
        () => kept.delete(key),
      );
      return entry.answer;
    },
  };
}
