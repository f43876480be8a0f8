/** Thrown to whom no waiting place is left. */
export class TurnstileFullError extends Error {
  constructor() {
    super('too many are waiting');
    this.name = 'TurnstileFullError';
  }
}

/** Lets `runningMax` pieces of work run at once, and `waitingMax` wait their turn. */
export function createTurnstile({ runningMax, waitingMax }: { runningMax: number; waitingMax: number }) {
  const waiting: (() => void)[] = [];
  let running = 0;

  /** @throws TurnstileFullError */
  return async function pass<Result>(work: () => Promise<Result>): Promise<Result> {
    if (running < runningMax) running += 1;
    else {
      if (waiting.length >= waitingMax) throw new TurnstileFullError();
      // Whoever finishes hands its place on, so `running` stays as it is.
      await new Promise<void>((resolve) => waiting.push(resolve));
    }
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
