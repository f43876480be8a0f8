import { QueueFullError } from './semaphore.js';

/**
 * Runs work as soon as fewer than `runningMax` pieces are running. Rejects with the error of the work.
 *
 * @param path the line in which the work waits: a name for each level, the most general name first
 */
export type FairSemaphore = <Result>(path: readonly string[], work: () => Promise<Result>) => Promise<Result>;

export type FairSemaphoreOptions = {
  runningMax: number;
  /** Pieces of work that can wait in all. */
  waitingMax: number;
  /** Pieces of work that can wait in one line. */
  waitingPerLineMax: number;
};

type Waiter = { start: () => void; reject: (error: Error) => void };

/** The queue at one level of a path: lines of the next level, or the waiting work at the last level. */
type Line = { waiting: number; readonly lines: Map<string, Line>; readonly waiters: Waiter[] };

/**
 * Creates a semaphore whose lines take turns: round-robin over the first names of the paths, within each of them over
 * the second names, and so on. If the queue is full, the fullest line gives up its newest work. So a line with very
 * much work takes neither turns nor capacity from others.
 *
 * @throws QueueFullError from the semaphore, for work that cannot wait, or cannot wait any longer
 */
export function createFairSemaphore({
  runningMax,
  waitingMax,
  waitingPerLineMax,
}: FairSemaphoreOptions): FairSemaphore {
  const root = newLine();
  let running = 0;

  function wait(path: readonly string[]): Promise<void> {
    return new Promise((resolve, reject) => {
      if (waitingIn(root, path) >= waitingPerLineMax) return reject(new QueueFullError());
      append(root, path, { start: resolve, reject });
      if (root.waiting > waitingMax) removeLast(root)?.reject(new QueueFullError());
    });
  }

  /** Passes the permit of finished work to the next work in turn. */
  function end(): void {
    const next = root.waiting > 0 ? removeNext(root) : undefined;
    if (next) next.start();
    else running -= 1;
  }

  return async (path, work) => {
    if (running < runningMax) running += 1;
    else await wait(path);
    try {
      return await work();
    } finally {
      end();
    }
  };
}

function newLine(): Line {
  return { waiting: 0, lines: new Map(), waiters: [] };
}

function waitingIn(root: Line, path: readonly string[]): number {
  let line: Line | undefined = root;
  for (const name of path) line = line?.lines.get(name);
  return line?.waiting ?? 0;
}

function append(root: Line, path: readonly string[], waiter: Waiter): void {
  let line = root;
  line.waiting += 1;
  for (const name of path) {
    const next = line.lines.get(name) ?? newLine();
    line.lines.set(name, next);
    next.waiting += 1;
    line = next;
  }
  line.waiters.push(waiter);
}

/** Removes the work whose turn it is. Lines are in the order of their turns. */
function removeNext(line: Line): Waiter | undefined {
  line.waiting -= 1;
  const [first] = line.lines;
  if (!first) return line.waiters.shift();
  const [name, next] = first;
  const waiter = removeNext(next);
  line.lines.delete(name);
  if (next.waiting > 0) line.lines.set(name, next);
  return waiter;
}

/**
 * Removes the newest work of the fullest line. If several lines are equally full, the line whose turn is last gives up
 * its work.
 */
function removeLast(line: Line): Waiter | undefined {
  line.waiting -= 1;
  let fullest: [string, Line] | undefined;
  for (const entry of line.lines) if (!fullest || entry[1].waiting >= fullest[1].waiting) fullest = entry;
  if (!fullest) return line.waiters.pop();
  const [name, next] = fullest;
  const waiter = removeLast(next);
  if (next.waiting === 0) line.lines.delete(name);
  return waiter;
}
