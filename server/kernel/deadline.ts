/** An exchange with something outside of the process took longer than its deadline. */
export class DeadlineError extends Error {
  /** The code that sockets report, for callers that classify faults by code. */
  readonly code = 'ETIMEDOUT';

  constructor(what: string, ms: number) {
    super(`${what}: no answer within ${ms / 1000} s`);
    this.name = 'DeadlineError';
  }
}

export type Deadline = {
  /** Names the exchange in the error and in the metric, such as `webhook`. */
  what: string;
  /** The most time that the exchange may take, in milliseconds. */
  ms: number;
  /** Ends the exchange early; the promise then rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
};

/** An exchange that is under way for longer than this has not ended at its deadline: it is a defect. */
const overdueMs = 60_000;

/** The exchanges of this process that have not ended, with the time at which each began. */
const underWay = new Set<{ readonly startedMs: number }>();

/**
 * Runs an exchange with something outside of the process: a webhook, a mail server, an identity provider, a name server, Redis or
 * the database. Settles at the deadline even if the exchange never does, and aborts the signal of the exchange, which has to
 * release its sockets then.
 *
 * @throws DeadlineError at the deadline
 */
export function withDeadline<Result>(
  { what, ms, signal }: Deadline,
  exchange: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const ending = new AbortController();
    const entry = { startedMs: performance.now() };
    let isOver = false;

    function finish(settle: () => void): void {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      settle();
    }

    function giveUp(reason: Error): void {
      finish(() => {
        reject(reason);
        ending.abort(reason);
      });
    }

    const onAbort = () => giveUp(signal?.reason as Error);
    // An answer that has arrived is in time even if a busy process reads it late, since sockets are read after timers.
    const timer = setTimeout(() => setImmediate(() => giveUp(new DeadlineError(what, ms))), ms);
    if (signal?.aborted) return onAbort();
    signal?.addEventListener('abort', onAbort);
    underWay.add(entry);
    // Called in a microtask, so that a synchronous error is a rejection too.
    Promise.resolve(ending.signal)
      .then(exchange)
      .then(
        (result) => finish(() => resolve(result)),
        (error: Error) => finish(() => reject(error)),
      )
      .finally(() => underWay.delete(entry));
  });
}

/** Returns how many exchanges of this process have been under way for longer than 60 seconds. */
export function overdueExchanges(): number {
  const before = performance.now() - overdueMs;
  let count = 0;
  for (const { startedMs } of underWay) if (startedMs < before) count += 1;
  return count;
}
