import type pg from 'pg';
import type { Prisma } from '../../../generated/prisma/client.js';
import { type Queries, type Statement, type StatementRunner, statementTexts } from './statement.js';

/** The transaction inside `db.$transaction(async (tx) => …)`. */
export type TransactionClient = Queries & StatementRunner;

export type TransactionOptions = {
  /** After this time the transaction sends no further statement; 30 seconds by default. */
  timeoutMs?: number;
};

const timeoutMsMax = 30_000;

type Parts = TransactionOptions & {
  toQuery: (given: TemplateStringsArray | Prisma.Sql, values: readonly unknown[]) => pg.QueryConfig;
  /** Returns what was wrong with the last commit of a connection, although PostgreSQL reported that it succeeded. */
  faultOf: (client: pg.PoolClient) => Error | undefined;
};

/** Runs `work` in one transaction, which is committed when it returns and rolled back when it throws. */
export async function runInTransaction<Result>(
  pool: pg.Pool,
  work: (tx: TransactionClient) => Promise<Result>,
  parts: Parts,
): Promise<Result> {
  const client = await pool.connect();
  try {
    const { commit, working } = inOneWrite(client, () => {
      const open = begin(client, parts);
      return { commit: open.commit, working: work(open.tx) };
    });
    const result = await working;
    await commit();
    const fault = parts.faultOf(client);
    if (fault) throw fault;
    client.release();
    return result;
  } catch (error) {
    await undo(client);
    throw error;
  }
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
function begin(
  client: pg.PoolClient,
  { toQuery, timeoutMs = timeoutMsMax }: Parts,
): { tx: TransactionClient; commit: () => Promise<void> } {
  const endMs = performance.now() + timeoutMs;
  const begun = client.query({ name: 'begin', text: 'BEGIN' });
  begun.catch(() => {});
  let committed: Promise<void> | undefined;

  function answerTo(query: pg.QueryConfig): Promise<pg.QueryResult> {
    if (committed) return Promise.reject(new Error('the transaction has ended'));
    if (performance.now() > endMs) return Promise.reject(new TransactionTooLongError());
    return Promise.all([begun, client.query(query)]).then(([, answer]) => answer);
  }

  /** Does not keep the input while the database works, which would be megabytes for a batch. */
  function run<Row, Input>(statement: Statement<Input, Row>, input: Input): Promise<Row[]> {
    const { name, text } = statement;
    if (statementTexts.hasSubscribers) statementTexts.publish(text);
    return answerTo({ name, text, values: statement.valuesOf(input) }).then(({ rows }) => rows as Row[]);
  }

  /** Commits. PostgreSQL answers the commit of a failed transaction with a rollback. */
  function commit(): Promise<void> {
    committed ??= client.query({ name: 'commit', text: 'COMMIT' }).then(({ command }) => {
      if (command !== 'COMMIT') throw new Error('the transaction was not committed');
    });
    return committed;
  }

  const tx: TransactionClient = {
    async $queryRaw<Rows>(given: TemplateStringsArray | Prisma.Sql, ...values: unknown[]) {
      const { rows } = await answerTo(toQuery(given, values));
      return rows as Rows;
    },
    async $executeRaw(given, ...values) {
      const { rowCount } = await answerTo(toQuery(given, values));
      return rowCount ?? 0;
    },
    run,
    runLast: (statement, input) => bothOf(inOneWrite(client, () => [run(statement, input), commit()])),
  };
  return { tx, commit };
}

/**
 * Thrown for further statements of a transaction that took too long. The code is a timeout's, so the caller may try
 * again.
 */
class TransactionTooLongError extends Error {
  readonly code = 'ETIMEDOUT';

  constructor() {
    super('the transaction took too long');
    this.name = 'TransactionTooLongError';
  }
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
