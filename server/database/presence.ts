/** Whether the client of a request is still connected, and how to end the statements that run for it. */
export type Presence = {
  readonly hasLeft: boolean;
  /** Ends the statements that run for the client, and prevents further ones. */
  leave(): void;
  /** Calls `cancel` if the client leaves before the function returned here is called. */
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
