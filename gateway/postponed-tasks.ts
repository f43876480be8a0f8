/** How long tasks are postponed at a time while connections keep arriving. */
const postponedMsMax = 100;

/** Tasks that are postponed while new connections arrive, and then run a few in each turn of the event loop. */
export type Turns = {
  /** Call this for each accepted connection. */
  onConnection(): void;
  /** Runs a task when its turn comes. A task that is already waiting is not added again. */
  wait(task: () => void): void;
  drop(task: () => void): void;
};

/**
 * Node accepts one connection in each turn of the event loop. In a burst of connections, later ones wait for everything
 * that a turn does for earlier ones. So turns do little until the whole burst is accepted.
 */
export function createTurns(tasksPerTurn: number): Turns {
  const waiting = new Set<() => void>();
  let next: NodeJS.Immediate | undefined;
  let hasAccepted = false;
  let ranAtMs = 0;

  function takeTurn(): void {
    const nowMs = performance.now();
    if (!hasAccepted || nowMs - ranAtMs >= postponedMsMax) {
      ranAtMs = nowMs;
      runTasks();
    }
    hasAccepted = false;
    next = waiting.size > 0 ? setImmediate(takeTurn) : undefined;
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
    wait(task) {
      waiting.add(task);
      if (next) return;
      ranAtMs = performance.now();
      next = setImmediate(takeTurn);
    },
    drop: (task) => waiting.delete(task),
  };
}
