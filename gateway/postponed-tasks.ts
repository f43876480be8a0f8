/** How long tasks are postponed at a time while connections keep arriving. */
const postponedMsMax = 100;

/** Tasks that are postponed while new connections arrive, and then run a few in each turn of the event loop. */
export type PostponedTasks = {
  /** Call this for each accepted connection. */
  onConnection(): void;
  /** Runs a task later. A task that is already waiting is not added again. */
  add(task: () => void): void;
  drop(task: () => void): void;
};

/**
 * Node accepts one connection in each turn of the event loop. In a burst of connections, later ones wait for everything
 * that a turn does for earlier ones. So turns do little until the whole burst is accepted.
 */
export function createPostponedTasks(tasksPerTurn: number): PostponedTasks {
  const waiting = new Set<() => void>();
  let next: NodeJS.Immediate | undefined;
  let hasAccepted = false;
  let ranAtMs = 0;

  function runDue(): void {
    const nowMs = performance.now();
    if (!hasAccepted || nowMs - ranAtMs >= postponedMsMax) {
      ranAtMs = nowMs;
      runTasks();
    }
    hasAccepted = false;
    next = waiting.size > 0 ? setImmediate(runDue) : undefined;
  }

  function runTasks(): void {
    let left = tasksPerTurn;
    for (const task of waiting) {
      if (left === 0) return;
      left -= 1;
      waiting.delete(task);
      task();
    }
  }

  return {
    onConnection() {
      hasAccepted = true;
    },
    add(task) {
      waiting.add(task);
      if (next) return;
      ranAtMs = performance.now();
      next = setImmediate(runDue);
    },
    drop: (task) => waiting.delete(task),
  };
}
