import { createTurns } from './turns.js';

/** How long work takes in one turn of the event loop before the rest waits for the next turn. A longer piece is a long one. */
const turnMsMax = 5;
/** The longest rest after a long piece. */
const restMsMax = 50;
/** How long after its last piece of work an organization counts as active. */
const activeMs = 250;

/** Shares the event loop among organizations. */
export type LoopTurns = {
  /**
   * Resolves when the organization may occupy the event loop. What follows, up to the next wait for something else, is its
   * piece of work, and its time is counted.
   */
  next(orgId: number): Promise<void>;
};

/**
 * Creates the turns of a process. The next piece of work is from the organization that has used the least time. When the
 * pieces of one turn have taken 5 ms, what arrived meanwhile is read first. After a long piece, its organization rests for
 * as long as the piece took, if others are active: so a request, which needs the event loop several times with the
 * database's answers in between, waits for about one long piece of another organization in all.
 */
export function createLoopTurns(elapsedMs: () => number = () => performance.now()): LoopTurns {
  const turns = createTurns<() => void>(elapsedMs);
  /** When each active organization began its last piece of work. */
  const lastMs = new Map<number, number>();
  /** Until when organizations rest. */
  const rests = new Map<number, number>();
  let state: 'idle' | 'scheduled' | 'resting' = 'idle';
  let timer: NodeJS.Timeout | undefined;
  let begunMs = 0;

  function schedule(): void {
    clearTimeout(timer);
    state = 'scheduled';
    setImmediate(begin);
  }

  function begin(): void {
    begunMs = elapsedMs();
    for (const [orgId, untilMs] of rests) if (untilMs <= begunMs) rests.delete(orgId);
    runNext();
  }

  function runNext(): void {
    const turn = turns.next((orgId) => !rests.has(orgId));
    if (!turn) {
      waitForRests();
      return;
    }
    const { orgId, work, end } = turn;
    lastMs.delete(orgId);
    lastMs.set(orgId, elapsedMs());
    work();
    // Ticks that are added by a microtask run when all microtasks have, and so has the piece of work.
    queueMicrotask(() =>
      process.nextTick(() => {
        const tookMs = end();
        if (tookMs > turnMsMax && isAnotherActive(orgId)) rests.set(orgId, elapsedMs() + Math.min(tookMs, restMsMax));
        if (elapsedMs() - begunMs < turnMsMax) runNext();
        else schedule();
      }),
    );
  }

  /** Goes on when the first rest has ended, if anything waits for it. */
  function waitForRests(): void {
    if (rests.size === 0) {
      state = 'idle';
      return;
    }
    state = 'resting';
    timer = setTimeout(schedule, Math.max(1, Math.min(...rests.values()) - elapsedMs()));
  }

  function isAnotherActive(orgId: number): boolean {
    const sinceMs = elapsedMs() - activeMs;
    for (const [id, atMs] of lastMs) if (atMs < sinceMs) lastMs.delete(id);
    return lastMs.size > (lastMs.has(orgId) ? 1 : 0);
  }

  return {
    next(orgId) {
      return new Promise((resolve) => {
        turns.add(orgId, resolve);
        if (state === 'idle' || (state === 'resting' && !rests.has(orgId))) schedule();
      });
    },
  };
}
