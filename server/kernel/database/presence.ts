/** Whether the client of a request is still connected, and how to cancel its statements. */
export type Presence = {
  readonly hasLeft: boolean;
  /** Cancels the statements of the client, and prevents further ones. */
  leave(): void;
  /** Calls `cancel` if the client disconnects before the returned function is called. */
  whileRunning(cancel: () => void): () => void;
};

export function createPresence(): Presence {
  let hasLeft = false;
  let running: Set<() => void> | undefined;
  return {
    get hasLeft() {
      return hasLeft;
    },
    leave() {
      hasLeft = true;
      for (const cancel of running ?? []) cancel();
    },
    whileRunning(cancel) {
      running ??= new Set();
      running.add(cancel);
      return () => running?.delete(cancel);
    },
  };
}
