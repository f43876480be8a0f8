import { setTimeout as delay } from 'node:timers/promises';
import { backoffMs } from '../backoff.js';
import type { DatabasePool, Database } from './client.js';
import { clientLeft, createFairQueue, type FairQueueStats } from './fair-queue.js';
import { isLockFault } from './faults.js';
import type { LoopTurns } from '../loop-turns.js';
import type { Presence } from './presence.js';
import { silenceError } from './silence.js';

/** How long a request waits for locks; it has no connection meanwhile. */
const lockWaitMsMax = 4000;

/** The pauses between repetitions of a statement that could not get a lock. */
const lockPauses = { minMs: 25, maxMs: 400 };

/** The tenant of all callers without an organization, who together count as one organization. */
const noOrganization = 0;

/** Provides the databases of requests. */
export type RequestDatabases = {
  /**
   * Returns the database for one request of an organization, or for a caller without one (null). Everything that needs
   * a connection waits in the fair queue. On a connection it waits at most a quarter of a second for locks. If a lock
   * was not available, it is repeated for four seconds, so the function of a transaction may run more than once. Single
   * statements are canceled when `presence` reports that the client has disconnected. Rows are parsed and returned in
   * turns of the organization at the event loop; until then no further statement is granted their connection.
   */
  of(orgId: number | null, presence?: Presence): Database;
  /** Rejects all waiting and new work, and resolves when no connection is in use. */
  close(): Promise<void>;
  stats(): FairQueueStats;
};

/** @param connections the connections of requests, used for nothing else */
export function createRequestDatabases({ pool, isSilent, inTurns }: DatabasePool, turns: LoopTurns): RequestDatabases {
  const queue = createFairQueue({ inAll: pool.options.max ?? 10 });

  /** If the database has frozen meanwhile, work that waited for a connection would wait for a new one again. */
  function unlessSilent<Result>(work: () => Promise<Result>): Promise<Result> {
    return isSilent() ? Promise.reject(silenceError()) : work();
  }

  return {
    of(orgId, presence) {
      const tenant = orgId ?? noOrganization;

      /** Waits for a connection, and for locks without one. */
      async function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
        try {
          return await queue.run(tenant, () => unlessSilent(work), presence);
        } catch (error) {
          if (!isLockFault(error)) throw error;
          return repeat(work, error);
        }
      }

      async function repeat<Result>(work: () => Promise<Result>, fault: unknown): Promise<Result> {
        const untilMs = performance.now() + lockWaitMsMax;
        let last = fault;
        for (let repeats = 0; performance.now() < untilMs; repeats += 1) {
          await delay(backoffMs(repeats, lockPauses));
          if (presence?.hasLeft) throw clientLeft();
          try {
            return await queue.run(tenant, work, presence);
          } catch (error) {
            if (!isLockFault(error)) throw error;
            last = error;
          }
        }
        throw last;
      }

      return inTurns({ inTurn, pause: () => turns.next(tenant), presence });
    },
    close: queue.close,
    stats: queue.stats,
  };
}
