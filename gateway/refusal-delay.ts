import type { ServerResponse } from 'node:http';

/** Resolves when a refusal may be sent, or when its client has left. */
export type RefusalDelay = (response: ServerResponse) => Promise<void>;

/**
 * Delays the refusals of unauthenticated callers who make too many requests. A client that sends its next request when the last one
 * is answered then costs the service almost nothing. The refusals that wait are bounded; further ones are sent at once.
 */
export function createRefusalDelay({ delayMs = 1000, waitingMax = 1000 } = {}): RefusalDelay {
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
