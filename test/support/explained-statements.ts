import { randomUUID } from 'node:crypto';
import type { Database } from '../../server/kernel/database/client.js';
import { defineStatement, type Statement, type StatementRunner } from '../../server/kernel/database/statement.js';

/** How a statement was executed with its generic plan. */
export type ExplainedStatement = {
  name: string;
  /** Blocks of tables and indexes that it read. */
  buffers: number;
  /** The indexes by which it found rows, by table; a table that it read without an index has `none`. */
  indexes: ReadonlyMap<string, ReadonlySet<string>>;
};

type RawNode = {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
  Plans?: RawNode[];
};

type PlanRow = { 'QUERY PLAN': [{ Plan: RawNode }] };

/** Explains each statement that a transaction of ingestion runs, then undoes it and runs it. */
export function explaining(
  connections: Pick<Database, '$transaction'>,
  onStatement: (statement: ExplainedStatement) => void,
): Pick<Database, '$transaction'> {
  return {
    $transaction: (work) => connections.$transaction((tx) => work({ ...tx, ...explainingRunner(tx, onStatement) })),
  };
}

function explainingRunner(
  runner: StatementRunner,
  onStatement: (statement: ExplainedStatement) => void,
): StatementRunner {
  let previous: Promise<unknown> = Promise.resolve();

  /** Statements that are sent at once are explained one after the other. */
  function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = previous.then(work);
    previous = result.catch(() => {});
    return result;
  }

  const explained = (statement: Statement<never, unknown>, values: unknown[]) =>
    explain(runner, { name: statement.name, text: statement.text, values }).then(onStatement);
  return {
    run: (statement, input) =>
      inTurn(async () => {
        await explained(statement, statement.valuesOf(input));
        return runner.run(statement, input);
      }),
    runLast: (statement, input) =>
      inTurn(async () => {
        await explained(statement, statement.valuesOf(input));
        return runner.runLast(statement, input);
      }),
  };
}

async function explain(
  runner: StatementRunner,
  { name, text, values }: { name: string; text: string; values: unknown[] },
): Promise<ExplainedStatement> {
  const prepared = `explained_${name}`;
  const run = (sql: string) =>
    runner.run(
      defineStatement<undefined, PlanRow>(`${prepared}_${randomUUID().slice(0, 8)}`, () => sql),
      undefined,
    );
  const literals = values.map((value) => [`'${String(value).replaceAll("'", "''")}'`, value === null] as const);
  const parameters = literals.map(([literal, isNull]) => (isNull ? 'NULL' : literal)).join(', ');
  await run('SAVEPOINT explained');
  await run(`PREPARE ${prepared} AS ${text}`);
  const [row] = await run(
    `EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, FORMAT JSON) EXECUTE ${prepared}${parameters === '' ? '' : `(${parameters})`}`,
  );
  await run('ROLLBACK TO SAVEPOINT explained');
  await run(`DEALLOCATE ${prepared}`);
  const root = row?.['QUERY PLAN'][0].Plan;
  if (!root) throw new Error(`${name} has no plan`);
  const indexes = new Map<string, Set<string>>();
  collectIndexes(root, indexes);
  return { name, buffers: root['Shared Hit Blocks'] + root['Shared Read Blocks'], indexes };
}

function collectIndexes(node: RawNode, indexes: Map<string, Set<string>>): void {
  const { 'Node Type': kind, 'Relation Name': table, 'Index Name': index, Plans: children = [] } = node;
  if (table !== undefined && kind.endsWith('Scan')) {
    const known = indexes.get(table);
    const used = index ?? (kind === 'Tid Scan' ? 'ctid' : 'none');
    if (known) known.add(used);
    else indexes.set(table, new Set([used]));
  }
  for (const child of children) collectIndexes(child, indexes);
}
