import pg from 'pg';
import { Prisma } from '../../../generated/prisma/client.js';
import type { DatabasePool } from './client.js';
import type { Presence } from './presence.js';

/** Runs single statements on connections of a pool. */
export type SqlRunner = {
  rows(statement: Prisma.Sql, presence?: Presence): Promise<object[]>;
  /** Returns how many rows a statement changed. */
  count(statement: Prisma.Sql, presence?: Presence): Promise<number>;
};

const int8Id = 20;
const numericId = 1700;

/** The same results as Prisma's: 64-bit integers and decimals are exact. */
const exactParsers = new Map<number, (text: string) => unknown>([
  [int8Id, BigInt],
  [numericId, (text) => new Prisma.Decimal(text)],
]);

const types: pg.CustomTypesConfig = {
  getTypeParser: (id, format): unknown => exactParsers.get(id) ?? pg.types.getTypeParser(id, format),
};

/**
 * Creates a runner of SQL that was written with Prisma's templates on node-postgres itself, like Prisma's adapter, with
 * the same names for prepared statements. It saves the overhead of Prisma's client for a raw query, which is as much
 * processor time as a lookup by key, and knows which connection a statement runs on, so that it can be canceled.
 *
 * @param cancel cancels the statement of the server process with this id, over another connection
 */
export function createSqlRunner(
  { pool, names }: Pick<DatabasePool, 'pool' | 'names'>,
  cancel: (serverProcessId: number) => Promise<unknown>,
): SqlRunner {
  async function run(statement: Prisma.Sql, presence: Presence | undefined): Promise<pg.QueryResult<object>> {
    const client = await pool.connect();
    let canceling: Promise<unknown> | undefined;
    const ended = presence?.whileRunning(() => {
      canceling = cancel((client as unknown as { processID: number }).processID).catch(() => {});
    });
    let fault: unknown;
    try {
      const text = statement.text;
      const values = statement.values.map(toParameter);
      return await client.query<object>({ name: names({ sql: text }), text, values, types });
    } catch (error) {
      fault = error;
      throw error;
    } finally {
      ended?.();
      // The connection is not used again until it is certain that the cancellation cannot affect its next statement.
      if (canceling) await canceling;
      client.release(isBroken(fault));
    }
  }

  return {
    async rows(statement, presence) {
      const { rows } = await run(statement, presence);
      return rows;
    },
    async count(statement, presence) {
      const { rowCount } = await run(statement, presence);
      return rowCount ?? 0;
    },
  };
}

/** Converts a parameter for node-postgres. Instants are in UTC, regardless of the time zone of the process. */
function toParameter(value: unknown): unknown {
  return value instanceof Date ? value.toISOString() : value;
}

/**
 * Returns whether the connection cannot be used after an error: any error but one that the server reported and
 * survived.
 */
function isBroken(fault: unknown): boolean {
  if (fault === undefined) return false;
  const { severity } = fault as { severity?: string };
  return severity !== 'ERROR';
}
