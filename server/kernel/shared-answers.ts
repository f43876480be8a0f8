import { LRUCache } from 'lru-cache';

/** A cache of answers that may be slightly old. Callers with the same key share an answer. */
export type SharedAnswers<Answer> = {
  /** Returns the cached answer of a key, or finds it. A failure is not cached; all callers that shared it get its error. */
  get(key: string, find: () => Promise<Answer>): Promise<Answer>;
  /** Makes the next caller find the answer again, even while it is being found. */
  forget(key: string): void;
  forgetAll(): void;
};

/**
 * @param keptMs how long an answer is cached: a number counts from before it was asked for, so that a slow answer never
 * counts as new; a function is given how long it took, and its result counts from then
 * @param elapsedMs a monotonic clock
 */
export function createSharedAnswers<Answer>(options: {
  keptMs: number | ((tookMs: number) => number);
  entriesMax: number;
  elapsedMs: () => number;
}): SharedAnswers<Answer> {
  const { keptMs, entriesMax, elapsedMs } = options;
  const entries = new LRUCache<string, { answer: Promise<Answer>; untilMs: number }>({ max: entriesMax });
  return {
    get(key, find) {
      const beganMs = elapsedMs();
      const known = entries.get(key);
      if (known && beganMs < known.untilMs) return known.answer;
      const untilMs = typeof keptMs === 'number' ? beganMs + keptMs : Number.POSITIVE_INFINITY;
      const entry = { answer: find(), untilMs };
      entries.set(key, entry);
      entry.answer.then(
        () => {
          const nowMs = elapsedMs();
          if (typeof keptMs === 'function') entry.untilMs = nowMs + keptMs(nowMs - beganMs);
        },
        () => {
          if (entries.peek(key) === entry) entries.delete(key);
        },
      );
      return entry.answer;
    },
    forget: (key) => void entries.delete(key),
    forgetAll: () => entries.clear(),
  };
}
