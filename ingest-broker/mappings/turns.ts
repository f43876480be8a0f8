type Line<Work> = { waiting: Work[]; usedMs: number };

/** The work whose turn it is; `end` has to be called when it is done. */
type Turn<Work> = { work: Work; end(): void };

/**
 * Creates a queue for work that is done one piece at a time. The next piece is from the organization that has used the least
 * time, so that organizations with short work do not wait for each long piece of another. The time before an organization's
 * work waited does not count.
 */
export function createTurns<Work>(elapsedMs: () => number) {
  const lines = new Map<number, Line<Work>>();
  /** The time that the organization of the last turn had used before it. */
  let floorMs = 0;

  /** Finds the line with the least time, and forgets empty lines that have no time to make up for. */
  function leastUsed(): Line<Work> | undefined {
    let least: Line<Work> | undefined;
    for (const [orgId, line] of lines) {
      if (line.waiting.length === 0) {
        if (line.usedMs <= floorMs) lines.delete(orgId);
      } else if (!least || line.usedMs < least.usedMs) least = line;
    }
    return least;
  }

  return {
    add(orgId: number, work: Work): void {
      const line = lines.get(orgId) ?? { waiting: [], usedMs: 0 };
      lines.set(orgId, line);
      if (line.waiting.length === 0) line.usedMs = Math.max(line.usedMs, floorMs);
      line.waiting.push(work);
    },
    next(): Turn<Work> | undefined {
      const line = leastUsed();
      const work = line?.waiting.shift();
      if (!line || work === undefined) return undefined;
      floorMs = line.usedMs;
      const begunMs = elapsedMs();
      return { work, end: () => (line.usedMs += elapsedMs() - begunMs) };
    },
    /** Removes and returns everything that waits. */
    drain: (): Work[] => [...lines.values()].flatMap(({ waiting }) => waiting.splice(0)),
  };
}
