import { channel } from 'node:diagnostics_channel';
import type { Prisma } from '../../../generated/prisma/client.js';
import { arraysOf, type RowColumns } from './array-literals.js';

/** Publishes the text of every statement, from the function that runs it. Without subscribers it costs nothing. */
export const statementTexts = channel('whereabouts.statement-texts');

/** Runs SQL that is written with Prisma's templates, as Prisma's client does: 64-bit integers and decimals are exact. */
export type Queries = {
  $queryRaw<Rows = unknown>(query: TemplateStringsArray | Prisma.Sql, ...values: unknown[]): Promise<Rows>;
  /** Returns how many rows a statement changed. */
  $executeRaw(query: TemplateStringsArray | Prisma.Sql, ...values: unknown[]): Promise<number>;
};

/**
 * SQL whose text never changes, and the values of its parameters. The text is written once, when the module is loaded,
 * and planned once on each connection. `Row` is the type of its rows; `never` if nobody reads them.
 */
export type Statement<Input, Row = never> = {
  /** The name of the prepared statement, unique to its text. */
  readonly name: string;
  readonly text: string;
  valuesOf(input: Input): unknown[];
  /** Carries the type of the rows; no statement has a value here. */
  readonly row?: Row;
};

/** Runs prepared statements in a transaction. */
export type StatementRunner = {
  run<Row, Input>(statement: Statement<Input, Row>, input: Input): Promise<Row[]>;
  /**
   * Runs the last statement of the transaction. The commit is sent with it, and takes effect if the statement succeeds.
   */
  runLast<Row, Input>(statement: Statement<Input, Row>, input: Input): Promise<Row[]>;
};

/** Writes parameters into the text of a statement, and remembers where their values come from. */
export type ParameterWriter<Input> = {
  /** Adds a single parameter, such as `$1::int`. */
  value(type: string, of: (input: Input) => unknown): string;
  /**
   * Rows, as `(SELECT unnest($1::int[]) AS id, unnest($2::text[]) AS value) AS alias`. In a select list the arrays are
   * expanded in parallel; as a function in the `FROM` clause each would first be copied to a table.
   */
  rows: RowsWriter<Input>;
  /** Rows with their number, from 1, as the last column `no`. */
  numberedRows: RowsWriter<Input>;
};

type RowsWriter<Input> = <Item>(
  alias: string,
  of: (input: Input) => readonly Item[],
  columns: RowColumns<Item>,
) => string;

/** Defines a statement; `write` is called once. */
export function defineStatement<Input, Row = never>(
  name: string,
  write: (parameters: ParameterWriter<Input>) => string,
): Statement<Input, Row> {
  const fillers: ((input: Input, values: unknown[]) => void)[] = [];
  let count = 0;

  function addRows<Item>(of: (input: Input) => readonly Item[], columns: RowColumns<Item>): string[] {
    fillers.push((input, values) => values.push(...arraysOf(of(input), columns)));
    return Object.entries(columns).map(([name, [type]]) => `unnest($${(count += 1)}::${type}[]) AS ${name}`);
  }

  function addCount(of: (input: Input) => readonly unknown[]): string {
    fillers.push((input, values) => values.push(of(input).length));
    return `generate_series(1, $${(count += 1)}::int) AS no`;
  }

  const text = write({
    value(type, of) {
      fillers.push((input, values) => values.push(of(input)));
      count += 1;
      return `$${count}::${type}`;
    },
    rows: (alias, of, columns) => `(SELECT ${addRows(of, columns).join(', ')}) AS ${alias}`,
    numberedRows: (alias, of, columns) => `(SELECT ${[...addRows(of, columns), addCount(of)].join(', ')}) AS ${alias}`,
  });
  return {
    name,
    text,
    valuesOf(input) {
      const values: unknown[] = [];
      for (const fill of fillers) fill(input, values);
      return values;
    },
  };
}
