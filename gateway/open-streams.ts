import type { ServerResponse } from 'node:http';

/** Answers that continue until the client disconnects. */
export type OpenStreams = {
  add(response: ServerResponse): void;
  /** Ends all of them, and further ones: clients treat that as a lost connection and reconnect elsewhere. */
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
