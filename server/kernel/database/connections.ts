import pg from 'pg';
import type { Log } from '../log.js';
import { watchReplication } from './replication-faults.js';
import type { Statement, StatementRunner } from './statement.js';

/** The connections of ingestion, which nothing else uses. */
export type Connections = {
  /** Runs statements in one transaction, which is committed when `work` returns and rolled back when it throws. */
  transaction<Result>(work: (runner: StatementRunner) => Promise<Result>): Promise<Result>;
  end(): Promise<void>;
};

/** A statement without an answer for this long has failed. */
const answerMaxMs = 30_000;

/**
 * Every row is found by key: a plan made while a table is still empty would read all of it later on, and a connection
 * keeps its plans. Such plans are not worth compiling.
 */
const planByKey = ['enable_seqscan', 'enable_hashjoin', 'enable_mergejoin', 'jit'];
const settings = [
  ...planByKey.map((name) => `SET ${name} = off`),
  'SET plan_cache_mode = force_generic_plan',
  `SET statement_timeout = ${answerMaxMs}`,
].join('; ');

/**
 * Creates connections besides Prisma's, at most `size`, which connect on first use. They pipeline statements:
 * one is sent without waiting for the answer to the previous one, unless the caller waits.
 */
export function createConnections({ url, size, log }: { url: string; size: number; log: Log }): Connections {
  const faults = new WeakMap<pg.ClientBase, ReturnType<typeof watchReplication>>();
  const pool = new pg.Pool({
    connectionString: url,
    max: size,
    application_name: 'whereabouts ingestion',
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: 600_000,
    keepAlive: true,
    query_timeout: answerMaxMs,
    pipeline: true,
    // A broken connection fails the present statement, or the next one.
    onConnect: (client) => {
      client.on('error', () => {});
      faults.set(client, watchReplication(client));
      client.query(settings).catch(() => {});
    },
  });
  pool.on('error', (error) => {
    // A pool has ended once it has asked its connections to close. The database may end them first, as when it stops as well.
    if (!pool.ending) log.warn({ err: error }, 'an idle database connection broke');
  });

  async function transaction<Result>(work: (runner: StatementRunner) => Promise<Result>): Promise<Result> {
    const client = await pool.connect();
    try {
      const { commit, working } = inOneWrite(client, () => {
        const open = begin(client);
        return { commit: open.commit, working: work(open.runner) };
      });
      const result = await working;
      await commit();
      const fault = faults.get(client)?.takeFault();
      if (fault) throw fault;
      client.release();
      return result;
    } catch (error) {
      await undo(client);
      throw error;
    }
  }

  // The core can be stopped more than once; a pool cannot.
  let ended: Promise<void> | undefined;
  return { transaction, end: () => (ended ??= pool.end()) };
}

/**
 * Sends everything that `send` writes synchronously in one write, since each write wakes the server, which costs more
 * than a statement.
 */
function inOneWrite<Result>(client: pg.PoolClient, send: () => Result): Result {
  const { stream } = (client as pg.PoolClient & pg.Client).connection;
  stream.cork();
  try {
    return send();
  } finally {
    stream.uncork();
  }
}

/** Begins a transaction: `BEGIN` is sent with the first statement, and all statements fail if it does. */
function begin(client: pg.PoolClient): { runner: StatementRunner; commit: () => Promise<void> } {
  const begun = client.query({ name: 'begin', text: 'BEGIN' });
  begun.catch(() => {});
  let committed: Promise<void> | undefined;

  /** Keeps nothing of the input while the database works: of a batch that would be megabytes. */
  function run<Row, Input>(statement: Statement<Input, Row>, input: Input): Promise<Row[]> {
    const { name, text } = statement;
    const answered = client.query<Row & pg.QueryResultRow>({ name, text, values: statement.valuesOf(input) });
    return Promise.all([begun, answered]).then(([, { rows }]) => rows);
  }

  /** Commits. PostgreSQL answers the commit of a failed transaction with a rollback. */
  function commit(): Promise<void> {
    committed ??= client.query({ name: 'commit', text: 'COMMIT' }).then(({ command }) => {
      if (command !== 'COMMIT') throw new Error('the transaction was not committed');
    });
    return committed;
  }

  function runLast<Row, Input>(statement: Statement<Input, Row>, input: Input): Promise<Row[]> {
    return bothOf(inOneWrite(client, () => [run<Row, Input>(statement, input), commit()]));
  }

  return { runner: { run, runLast }, commit };
}

/** Returns what a statement returned, once the commit after it has succeeded. */
async function bothOf<Result>([answered, committing]: readonly [Promise<Result>, Promise<void>]): Promise<Result> {
  // The failed statement reports why a transaction was not committed.
  committing.catch(() => {});
  const result = await answered;
  await committing;
  return result;
}

/** Rolls back a failed transaction. Closes the connection if that is impossible. */
async function undo(client: pg.PoolClient): Promise<void> {
  const isUndone = await client.query({ name: 'rollback', text: 'ROLLBACK' }).then(
    () => true,
    () => false,
  );
  client.release(!isUndone);
}
