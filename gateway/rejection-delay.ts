import type { ServerResponse } from 'node:http';

/** Resolves when a rejection may be sent, or when its client has left. */
export type RejectionDelay = (response: ServerResponse) => Promise<void>;

/**
 * Delays the rejections of unauthenticated callers who make too many requests. A client that waits for each answer
 * before its next request then costs the service almost nothing. At most `waitingMax` rejections wait; further
 * rejections are sent at once.
 */
export function createRejectionDelay({ delayMs = 1000, waitingMax = 1000 } = {}): RejectionDelay {
  let waiting = 0;
  return async (response) => {
    if (waiting >= waitingMax || response.destroyed) return;
    waiting += 1;
    await new Promise<void>((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        response.off('close', end);
        resolve();
      };
      const timer = setTimeout(end, delayMs);
      response.once('close', end);
    });
    waiting -= 1;
  };
}
