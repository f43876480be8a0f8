type Queue<Work> = { waiting: Work[]; usedMs: number };

/** The work whose turn it is; `end` has to be called when it is done, and returns the time that it took. */
type Turn<Work> = { orgId: number; work: Work; end(): number };

/**
 * Creates a queue for work that is done one piece at a time. The next piece is from the organization that has used the least
 * time, so that organizations with short work do not wait for each long piece of another. The time before an organization's
 * work waited does not count.
 */
export function createTurns<Work>(elapsedMs: () => number) {
  const queues = new Map<number, Queue<Work>>();
  /** The time that the organization of the last turn had used before it. */
  let floorMs = 0;

  /** Finds the organization with the least time, and forgets empty queues that have no time to make up for. */
  function leastUsed(mayGo: (orgId: number) => boolean): [orgId: number, queue: Queue<Work>] | undefined {
    let least: [number, Queue<Work>] | undefined;
    for (const [orgId, queue] of queues) {
      if (queue.waiting.length === 0) {
        if (queue.usedMs <= floorMs) queues.delete(orgId);
      } else if ((!least || queue.usedMs < least[1].usedMs) && mayGo(orgId)) least = [orgId, queue];
    }
    return least;
  }

  return {
    add(orgId: number, work: Work): void {
      const queue = queues.get(orgId) ?? { waiting: [], usedMs: 0 };
      queues.set(orgId, queue);
      if (queue.waiting.length === 0) queue.usedMs = Math.max(queue.usedMs, floorMs);
      queue.waiting.push(work);
    },
    /** @param mayGo whether it can be the turn of an organization; by default, of any */
    next(mayGo: (orgId: number) => boolean = () => true): Turn<Work> | undefined {
      const [orgId, queue] = leastUsed(mayGo) ?? [];
      const work = queue?.waiting.shift();
      if (orgId === undefined || !queue || work === undefined) return undefined;
      floorMs = queue.usedMs;
      const begunMs = elapsedMs();
      const end = () => {
        const tookMs = elapsedMs() - begunMs;
        queue.usedMs += tookMs;
        return tookMs;
      };
      return { orgId, work, end };
    },
    /** Removes and returns everything that waits. */
    drain: (): Work[] => [...queues.values()].flatMap(({ waiting }) => waiting.splice(0)),
  };
}
