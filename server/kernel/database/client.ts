import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { Prisma, PrismaClient } from '../../../generated/prisma/client.js';
import { parseSized } from '../json-size.js';
import type { Log } from '../log.js';
import { limitsOf, type Purpose, prepareConnection } from './connection-settings.js';
import type { Presence } from './presence.js';
import { watchReplication } from './replication-faults.js';
import { createSilenceWatch } from './silence.js';
import { createStatementNames } from './statement-names.js';
import { type Queries, statementTexts } from './statement.js';
import { runInTransaction, type TransactionClient, type TransactionOptions } from './transaction.js';

export type { Queries } from './statement.js';
export type { TransactionClient } from './transaction.js';

/** A pool of connections. */
export type Database = Queries & {
  /** Commits when `work` has returned, and rolls back if it throws. */
  $transaction<Result>(work: (tx: TransactionClient) => Promise<Result>, options?: TransactionOptions): Promise<Result>;
  /** Reads single rows and counts with Prisma's models, outside of transactions. */
  models<Result>(read: (models: PrismaClient) => Promise<Result>): Promise<Result>;
};

/** A new connection has to plan every statement again, which delays the first statements by a tenth of a second. */
const idleConnectionMs = 600_000;

/** If a statement takes too long, this process ends it this much later than the database would. */
const graceMs = 2000;

export type ConnectionOptions = {
  url: string;
  poolSize: number;
  /** Selects the limits of the connections; `background` by default. */
  purpose?: Purpose;
  /** Receives a warning when an idle connection breaks; the pool replaces it. */
  log?: Log;
  /** Another pool or connection, which sends the cancellations. */
  canceledBy?: Pick<pg.Pool, 'query'>;
};

/** When work may run, and whether anybody still wants its result. */
export type Turn = {
  inTurn: <Result>(work: () => Promise<Result>) => Promise<Result>;
  /** Waits for a turn at the event loop, before rows are processed and between pieces of them. */
  pause?: () => Promise<void>;
  /** Single reads and writes are canceled when it reports that the client has disconnected; transactions are not. */
  presence?: Presence | undefined;
};

export type DatabasePool = {
  db: Database;
  /** Returns the same database for work that has to wait for its turn. */
  inTurns(turn: Turn): Database;
  pool: pg.Pool;
  /** Whether the database is frozen or unreachable: a statement would fail, after some seconds. */
  isSilent(): boolean;
  /** Cancels the statements that run on these connections. */
  cancelStatements(): Promise<void>;
  /** Ends all connections. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
};

const int8Id = 20;
const numericId = 1700;

const exactParsers = new Map<number, (text: string) => unknown>([
  [int8Id, BigInt],
  [numericId, (text) => new Prisma.Decimal(text)],
]);

const types: pg.CustomTypesConfig = {
  getTypeParser: (id, format): unknown => exactParsers.get(id) ?? pg.types.getTypeParser(id, format),
};

/** This many characters of JSON are parsed in one go. */
const parsedMax = 65_536;

/** JSON that is parsed when the whole result has arrived. */
class LaterJson {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Returns the types of one result, whose first JSON is parsed as it arrives. `isPartial`: the rest is `LaterJson`. */
function typesOfResult(): pg.CustomTypesConfig & { isPartial(): boolean } {
  let left = parsedMax;
  const parse = (text: string): unknown => {
    left -= text.length;
    return left >= 0 ? parseSized(text) : new LaterJson(text);
  };
  return {
    getTypeParser: (id, format): unknown => (isJson(id) ? parse : types.getTypeParser(id, format)),
    isPartial: () => left < 0,
  };
}

/** Creates a pool that connects on first use, with at most `poolSize` connections. The caller has to call `close()`. */
export function openDatabase({
  url,
  poolSize,
  purpose = 'background',
  log,
  canceledBy,
}: ConnectionOptions): DatabasePool {
  const names = createStatementNames();
  const { connectionTimeoutMs, silenceMaxMs, statementTimeoutMs } = limitsOf[purpose];
  const silence = createSilenceWatch({
    url,
    patienceMs: silenceMaxMs,
    statementMs: statementTimeoutMs + graceMs,
    log,
    isEnded: () => pool.ending,
  });
  const replication = new WeakMap<pg.ClientBase, ReturnType<typeof watchReplication>>();
  // The pool awaits the promise, though its types do not say so.
  const onConnect: (client: pg.ClientBase) => unknown = (client) => {
    // A connection that breaks is reported to its user by the statement under way, or by the next one. Without a listener the
    // event would end the process.
    client.on('error', () => {});
    silence.watch(client);
    replication.set(client, watchReplication(client));
    return prepareConnection(client, purpose);
  };
  const pool = new pg.Pool({
    connectionString: url,
    max: poolSize,
    application_name: `whereabouts ${purpose}`,
    connectionTimeoutMillis: connectionTimeoutMs,
    idleTimeoutMillis: idleConnectionMs,
    keepAlive: true,
    // Statements are sent without waiting for the answer to the previous statement.
    pipeline: true,
    types,
    onConnect,
  });
  pool.on('error', (error) => {
    // A pool has ended once it has asked its connections to close. The database may close them first, for example if it
    // stops at the same time.
    if (!pool.ending) log?.warn({ err: error }, 'an idle database connection broke');
  });
  const clients = new Set<pg.PoolClient>();
  pool.on('connect', (client) => clients.add(client));
  pool.on('remove', (client) => clients.delete(client));

  let prisma: PrismaClient | undefined;
  /** Errors without excerpts of our source, which would cost every query a stack trace. */
  const models = () =>
    (prisma ??= new PrismaClient({
      adapter: new PrismaPg(pool, { statementNameGenerator: names }),
      errorFormat: 'minimal',
    }));

  async function cancel(ids: readonly number[]): Promise<void> {
    await canceledBy?.query('SELECT pg_cancel_backend(id) FROM unnest($1::int[]) AS id', [ids]);
  }

  const toQuery = (given: TemplateStringsArray | Prisma.Sql, values: readonly unknown[]): pg.QueryConfig => {
    const sql = given instanceof Prisma.Sql ? given : Prisma.sql(given, ...values);
    const text = sql.text;
    if (statementTexts.hasSubscribers) statementTexts.publish(text);
    return { name: names({ sql: text }), text, values: sql.values.map(toParameter) };
  };

  async function runAlone(query: pg.QueryConfig, presence: Presence | undefined): Promise<pg.QueryResult> {
    const client = await pool.connect();
    let canceling: Promise<unknown> | undefined;
    const ended = presence?.whileRunning(() => {
      canceling = cancel([processIdOf(client)]).catch(() => {});
    });
    let fault: unknown;
    try {
      const result = await client.query(query);
      const unreplicated = replication.get(client)?.takeFault();
      if (unreplicated) throw unreplicated;
      return result;
    } catch (error) {
      fault = error;
      throw error;
    } finally {
      ended?.();
      // The connection is reused only when the cancellation can no longer affect its next statement.
      if (canceling) await canceling;
      client.release(isBroken(fault));
    }
  }

  function inTurns({ inTurn, pause, presence }: Turn): Database {
    return {
      async $queryRaw<Rows>(given: TemplateStringsArray | Prisma.Sql, ...values: unknown[]) {
        const query = toQuery(given, values);
        return inTurn(async () => {
          const resultTypes = typesOfResult();
          const result = await runAlone({ ...query, types: resultTypes }, presence);
          await pause?.();
          if (resultTypes.isPartial()) await parseRest(result, pause);
          return result.rows as Rows;
        });
      },
      async $executeRaw(given, ...values) {
        const query = toQuery(given, values);
        const { rowCount } = await inTurn(() => runAlone(query, presence));
        return rowCount ?? 0;
      },
      $transaction: (work, options) =>
        inTurn(() =>
          runInTransaction(pool, work, {
            ...options,
            toQuery,
            faultOf: (client) => replication.get(client)?.takeFault(),
          }),
        ),
      models: (read) => inTurn(() => read(models())),
    };
  }

  async function close(): Promise<void> {
    await prisma?.$disconnect();
    if (!pool.ended && !pool.ending) await pool.end();
  }

  return {
    db: inTurns({ inTurn: (work) => work() }),
    inTurns,
    pool,
    isSilent: silence.isSilent,
    cancelStatements: () => cancel([...clients].map(processIdOf)),
    close,
    [Symbol.asyncDispose]: close,
  };
}

const jsonId = 114;
const jsonbId = 3802;

function isJson(typeId: number): boolean {
  return typeId === jsonId || typeId === jsonbId;
}

/** Parses the rest of the JSON of a result in pieces, as the rows of a page can have megabytes of it. */
async function parseRest(
  { fields, rows }: pg.QueryResult<Record<string, unknown>>,
  pause: Turn['pause'],
): Promise<void> {
  const names = fields.flatMap(({ dataTypeID, name }) => (isJson(dataTypeID) ? [name] : []));
  let parsed = 0;
  for (const row of rows) {
    for (const name of names) {
      const value = row[name];
      if (!(value instanceof LaterJson)) continue;
      row[name] = parseSized(value.text);
      parsed += value.text.length;
    }
    if (parsed < parsedMax || !pause) continue;
    parsed = 0;
    await pause();
  }
}

function processIdOf(client: pg.PoolClient): number {
  return (client as unknown as { processID: number }).processID;
}

/** Converts a parameter for node-postgres. Instants are in UTC, regardless of the time zone of the process. */
function toParameter(value: unknown): unknown {
  return value instanceof Date ? value.toISOString() : value;
}

/**
 * Returns whether the connection cannot be used after an error. It can be used only after an error that the server
 * reported and survived.
 */
function isBroken(fault: unknown): boolean {
  if (fault === undefined) return false;
  const { severity } = fault as { severity?: string };
  return severity !== 'ERROR';
}
