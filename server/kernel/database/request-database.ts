import { setTimeout as delay } from 'node:timers/promises';
import { Prisma } from '../../../generated/prisma/client.js';
import { backoffMs } from '../backoff.js';
import type { DatabasePool, Database } from './client.js';
import { clientLeft, createFairQueue, type FairQueueStats } from './fair-queue.js';
import { isLockFault } from './faults.js';
import type { Presence } from './presence.js';
import { silenceError } from './silence.js';
import { createSqlRunner, type SqlRunner } from './sql-runner.js';

/** How long a request waits for locks; it has no connection meanwhile. */
const lockWaitMsMax = 4000;

/** The pauses between repetitions of a statement that could not get a lock. */
const lockPauses = { minMs: 25, maxMs: 400 };

/** The tenant of callers without an organization, who share the connections of one. */
const noOrganization = 0;

/** Provides the databases of requests. */
export type RequestDatabases = {
  /**
   * Returns the database for one request of an organization, or for a caller without one (null). It looks like the
   * database itself, but everything that runs on a connection waits in the fair queue, waits at most a quarter of a
   * second for locks inside a connection, and is repeated for four seconds if a lock was not available. Reads are
   * canceled when `presence` reports that the client has disconnected.
   *
   * Transactions are functions, which may run more than once; arrays of queries are not supported.
   */
  of(orgId: number | null, presence?: Presence): Database;
  /** Rejects all waiting and new work, and resolves when no connection is in use. */
  close(): Promise<void>;
  stats(): FairQueueStats;
};

/**
 * @param connections the connections of requests, used for nothing else
 * @param cancel cancels the statement of the server process with this id, over another connection
 */
export function createRequestDatabases(
  connections: DatabasePool,
  cancel: (serverProcessId: number) => Promise<unknown>,
): RequestDatabases {
  const { db, pool, isSilent } = connections;
  const queue = createFairQueue(pool.options.max ?? 10);
  const runner = createSqlRunner(connections, cancel);

  return {
    of: (orgId, presence) => boundDatabase({ db, runner, queue, isSilent }, orgId ?? noOrganization, presence),
    close: queue.close,
    stats: queue.stats,
  };
}

type Parts = { db: Database; runner: SqlRunner; queue: ReturnType<typeof createFairQueue>; isSilent: () => boolean };

type TransactionOptions = Parameters<Database['$transaction']>[1];

function boundDatabase(
  { db, runner, queue, isSilent }: Parts,
  orgId: number,
  presence: Presence | undefined,
): Database {
  /** What waited for a connection of a database that has frozen meanwhile would wait again for a new one. */
  function unlessSilent<Result>(work: () => Promise<Result>): Promise<Result> {
    return isSilent() ? Promise.reject(silenceError()) : work();
  }

  /** Waits for a connection, and for locks without one. */
  async function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await queue.run(orgId, () => unlessSilent(work), presence);
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
        return await queue.run(orgId, work, presence);
      } catch (error) {
        if (!isLockFault(error)) throw error;
        last = error;
      }
    }
    throw last;
  }

  const own = {
    $queryRaw(query: TemplateStringsArray | Prisma.Sql, ...values: unknown[]) {
      const statement = sqlOf(query, values);
      return inTurn(() => runner.rows(statement, presence));
    },
    $executeRaw(query: TemplateStringsArray | Prisma.Sql, ...values: unknown[]) {
      const statement = sqlOf(query, values);
      return inTurn(() => runner.count(statement, presence));
    },
    $transaction(work: (tx: Prisma.TransactionClient) => Promise<unknown>, options?: TransactionOptions) {
      return inTurn(() => db.$transaction(work, options));
    },
  };
  const rest = new Proxy(db, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      return typeof member === 'object' && member !== null ? delegateInTurn(member, inTurn) : member;
    },
  });
  return Object.setPrototypeOf(own, rest) as Database;
}

/** Wraps Prisma's methods of one table, each of which waits in the queue. */
function delegateInTurn(delegate: object, inTurn: <Result>(work: () => Promise<Result>) => Promise<Result>): object {
  return new Proxy(delegate, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name);
      if (typeof method !== 'function') return method;
      return (...given: unknown[]) => inTurn(async () => Reflect.apply(method, target, given) as unknown);
    },
  });
}

function sqlOf(query: TemplateStringsArray | Prisma.Sql, values: readonly unknown[]): Prisma.Sql {
  return query instanceof Prisma.Sql ? query : Prisma.sql(query, ...values);
}
