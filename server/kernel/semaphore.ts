import pLimit from 'p-limit';

/** Thrown when the wait queue of a semaphore is full. */
export class QueueFullError extends Error {
  constructor() {
    super('the wait queue is full');
    this.name = 'QueueFullError';
  }
}

/** Runs work as soon as fewer than `runningMax` pieces are running. Rejects with the error of the work. */
export type Semaphore = <Result>(work: () => Promise<Result>) => Promise<Result>;

/**
 * Creates a semaphore. Work starts in the order in which it came.
 *
 * @param options.waitingMax pieces of work that can wait; no limit by default
 * @throws QueueFullError from the semaphore, for further work
 */
export function createSemaphore(options: { runningMax: number; waitingMax?: number }): Semaphore {
  const { runningMax, waitingMax = Number.POSITIVE_INFINITY } = options;
  const limit = pLimit(runningMax);
  return async (work) => {
    if (limit.activeCount + limit.pendingCount >= runningMax + waitingMax) throw new QueueFullError();
    return limit(work);
  };
}
