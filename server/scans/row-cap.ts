import type { Database } from '../database/client.js';
import type { Log } from '../log.js';
import { removeSurplusUnknownTags, unknownTagsMax } from './unknown-cap-queries.js';

/** After so many rows counted, an organization is looked at again: of so many its cap can be exceeded. */
const lookEveryRows = 10_000;

/** Keeps each organization's unknown tags below a cap while reads come in. */
export type UnknownCap = {
  /** So many rows of unknown tags were stored for these organizations; some of them may have been there before. */
  counted(rowsByOrg: ReadonlyMap<number, number>): void;
  /** Resolves once nothing is under way. */
  stop(): Promise<void>;
};

export function createUnknownCap(options: {
  db: Pick<Database, '$executeRaw'>;
  log: Pick<Log, 'warn'>;
  rowsMax?: number;
  lookEvery?: number;
}): UnknownCap {
  const { db, log, rowsMax = unknownTagsMax, lookEvery = lookEveryRows } = options;
  const sinceLook = new Map<number, number>();
  const due = new Set<number>();
  let working: Promise<void> | undefined;

  async function work(): Promise<void> {
    for (const orgId of due) {
      due.delete(orgId);
      try {
        await removeSurplusUnknownTags(db, { orgId, rowsMax });
      } catch (error) {
        log.warn({ err: error, orgId }, 'the surplus of unknown tags could not be removed');
      }
    }
    working = undefined;
  }

  return {
    counted(rowsByOrg) {
      for (const [orgId, rows] of rowsByOrg) {
        const counted = (sinceLook.get(orgId) ?? 0) + rows;
        if (counted < lookEvery) {
          sinceLook.set(orgId, counted);
          continue;
        }
        sinceLook.delete(orgId);
        due.add(orgId);
        working ??= work();
      }
    },
    async stop() {
      await working;
    },
  };
}
