import type { ServerResponse } from 'node:http';

/** Answers that go on until the client leaves. */
export type OpenStreams = {
  add(response: ServerResponse): void;
  /** Breaks off all of them, and whichever are still to come: clients take that for a lost connection and go elsewhere. */
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
