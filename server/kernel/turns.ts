type Line<Work> = { waiting: Work[]; usedMs: number };

/** The work whose turn it is; `end` has to be called when it is done, and returns the time that it took. */
type Turn<Work> = { orgId: number; work: Work; end(): number };

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
  function leastUsed(mayGo: (orgId: number) => boolean): [orgId: number, line: Line<Work>] | undefined {
    let least: [number, Line<Work>] | undefined;
    for (const [orgId, line] of lines) {
      if (line.waiting.length === 0) {
        if (line.usedMs <= floorMs) lines.delete(orgId);
      } else if ((!least || line.usedMs < least[1].usedMs) && mayGo(orgId)) least = [orgId, line];
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
    /** @param mayGo whether it can be the turn of an organization; by default, of any */
    next(mayGo: (orgId: number) => boolean = () => true): Turn<Work> | undefined {
      const [orgId, line] = leastUsed(mayGo) ?? [];
      const work = line?.waiting.shift();
      if (orgId === undefined || !line || work === undefined) return undefined;
      floorMs = line.usedMs;
      const begunMs = elapsedMs();
      const end = () => {
        const tookMs = elapsedMs() - begunMs;
        line.usedMs += tookMs;
        return tookMs;
      };
      return { orgId, work, end };
    },
    /** Removes and returns everything that waits. */
    drain: (): Work[] => [...lines.values()].flatMap(({ waiting }) => waiting.splice(0)),
  };
}
