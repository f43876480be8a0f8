import type { ServerResponse } from 'node:http';

/** Answers that continue until the client disconnects. */
export type OpenStreams = {
  add(response: ServerResponse): void;
  /**
   * Ends all open streams, and each further stream when it opens. Clients treat this as a lost connection and reconnect
   * to another process.
   */
  breakOff(): void;
};

export function createOpenStreams(): OpenStreams {
  const open = new Set<ServerResponse>();
  let isClosed = false;
  return {
    add(response) {
      if (isClosed) {
        response.destroy();
        return;
      }
      open.add(response);
      response.once('close', () => open.delete(response));
    },
    breakOff() {
      isClosed = true;
      for (const response of open) response.destroy();
    },
  };
}
