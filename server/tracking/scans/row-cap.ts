import type { Database } from '../../kernel/database/client.js';
import type { Log } from '../../kernel/log.js';
import { removeSurplusSubmissions } from './forgotten-scans.js';
import { removeSurplusUnknownTags } from './unknown-cap-queries.js';

/** Keeps the rows of each organization in one table below a cap while rows are added. */
export type RowCap = {
  /** Reports how many rows were stored for these organizations; some of the rows may have existed before. */
  counted(rowsByOrg: ReadonlyMap<number, number>): void;
  /** Resolves once no removal is running. */
  stop(): Promise<void>;
};

export type RowCapOptions = {
  log: Pick<Log, 'warn'>;
  /** What the rows are, in the plural, for the log. */
  rows: string;
  /** An organization is checked again after this many rows, so each process can exceed the cap by this number. */
  lookEvery: number;
  /** Deletes the rows of an organization above its cap. */
  removeSurplus: (orgId: number) => Promise<unknown>;
};

export function createRowCap({ log, rows: what, lookEvery, removeSurplus }: RowCapOptions): RowCap {
  const sinceLook = new Map<number, number>();
  const due = new Set<number>();
  let working: Promise<void> | undefined;

  async function work(): Promise<void> {
    for (const orgId of due) {
      due.delete(orgId);
      try {
        await removeSurplus(orgId);
      } catch (error) {
        log.warn({ err: error, orgId }, `the surplus of ${what} could not be removed`);
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

/** The caps of the tables that grow with what readers and handhelds send. */
export type ScanCaps = { unknownTags: RowCap; submissions: RowCap };

type ScanCapOptions = { db: Pick<Database, '$executeRaw'>; log: Pick<Log, 'warn'> };

export function createScanCaps({ db, log }: ScanCapOptions): ScanCaps {
  return {
    unknownTags: createRowCap({
      log,
      rows: 'unknown tags',
      lookEvery: 10_000,
      removeSurplus: (orgId) => removeSurplusUnknownTags(db, { orgId }),
    }),
    submissions: createRowCap({
      log,
      rows: 'submissions',
      lookEvery: 1000,
      removeSurplus: (orgId) => removeSurplusSubmissions(db, { orgId }),
    }),
  };
}
