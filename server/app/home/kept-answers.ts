/**
 * An answer is cached for this many times the time that it took to compute, so that the database seldom counts, even
 * with many users.
 */
const keptPerCost = 10;
const keptAnswersMax = 1000;

/** A cache of answers. Callers with the same key share an answer while it is computed and for some time afterwards. */
export type KeptAnswers<Answer> = {
  /** Returns the cached answer of a key, or computes it. A failure is not cached. */
  get(key: string, find: () => Promise<Answer>): Promise<Answer>;
};

type Kept<Answer> = { answer: Promise<Answer>; untilMs: number };

/**
 * @param bounds the minimum and maximum time that an answer is cached, in milliseconds
 * @param elapsedMs a monotonic clock, in milliseconds
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
    // All answers are fresh, so the oldest is dropped.
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
