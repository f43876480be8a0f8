import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '../../kernel/database/client.js';
import { cancelTransaction, type OpenTransaction } from '../../kernel/database/open-transaction.js';
import type { Log } from '../../kernel/log.js';
import { createSemaphore } from '../../kernel/semaphore.js';
import { endLease, type Lease, renewLease } from './queries.js';
import type { Placing } from './placing.js';
import type { Job } from './staging.js';
import { applyFile, checkFile, LeaseLostError } from './steps.js';

/** The work on imports in this process, which continues without a client. */
export type ImportRuns = {
  /** Works on an import whose lease was just taken. Never rejects: the result is stored with the import. */
  start(step: 'checking' | 'applying', lease: Lease, job: Omit<Job, 'orgId' | 'importId'>): void;
  /** Resolves once no work is in progress; interrupted work is rolled back and can be started again. */
  stop(): Promise<void>;
};

const renewEveryMs = 1000;
const cancelEveryMs = 200;
/** Imports at once in one process, since connections and processor time are for others too. */
const runsMax = 2;

export type ImportRunsOptions = { db: Database; leases: Database; log: Log; placing: Placing };

/**
 * @param options.db for the work on the rows
 * @param options.leases only for leases, on connections that no request and no other import can take
 */
export function createImportRuns({ db, leases, log, placing }: ImportRunsOptions): ImportRuns {
  const underWay = new Set<Promise<void>>();
  const transactions = new Map<Lease, OpenTransaction>();
  const semaphore = createSemaphore({ runningMax: runsMax });
  let isStopping = false;

  async function run(step: 'checking' | 'applying', lease: Lease, job: Job): Promise<void> {
    let doneRows = 0;
    let isLost = false;
    const timer = setInterval(() => {
      renewLease(leases, lease, doneRows).then(
        (isHeld) => {
          isLost ||= !isHeld;
        },
        // A lease that cannot be renewed expires by itself, and the step's own statements fail too.
        (error: unknown) => log.warn({ err: error }, 'an import could not renew its lease'),
      );
    }, renewEveryMs);
    timer.unref();
    const watch = {
      ensureWanted() {
        if (isLost || isStopping) throw new LeaseLostError();
      },
      progress(rows: number) {
        doneRows = rows;
      },
      worksIn: (transaction: OpenTransaction) => void transactions.set(lease, transaction),
    };
    try {
      await semaphore(async () => {
        watch.ensureWanted();
        await (step === 'checking' ? checkFile : applyFile)({ db, log, lease, job, watch, placing });
      });
    } catch (error) {
      await giveUp(step, lease, error);
    } finally {
      clearInterval(timer);
      transactions.delete(lease);
    }
  }

  /** Stores why a step failed, if it still has the lease. */
  async function giveUp(step: 'checking' | 'applying', lease: Lease, error: unknown): Promise<void> {
    // A step that is canceled because the process stops fails with any of its statements.
    const isOurs = error instanceof LeaseLostError || isStopping;
    if (!isOurs) log.error({ err: error, importId: lease.importId, step }, 'an import failed');
    const failure = isOurs ? 'import_interrupted' : 'import_failed';
    try {
      await endLease(leases, lease, { status: step === 'checking' ? 'received' : 'checked', failure });
    } catch (cause) {
      log.warn({ err: cause }, 'a failed import could not be stored; its lease expires by itself');
    }
  }

  /** Cancels the statements of imports until all of them have ended: one can be between two statements. */
  async function cancelAll(): Promise<void> {
    const ended = Promise.all(underWay).then(() => 'ended');
    do {
      for (const transaction of transactions.values()) {
        await cancelTransaction(leases, transaction).catch((error: unknown) =>
          log.warn({ err: error }, 'an import could not be canceled'),
        );
      }
    } while ((await Promise.race([ended, delay(cancelEveryMs)])) !== 'ended');
  }

  return {
    start(step, lease, job) {
      const work = run(step, lease, { ...job, orgId: lease.orgId, importId: lease.importId });
      underWay.add(work);
      void work.finally(() => underWay.delete(work));
    },
    async stop() {
      isStopping = true;
      await cancelAll();
    },
  };
}
