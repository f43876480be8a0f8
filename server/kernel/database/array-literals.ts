/**
 * Returns a PostgreSQL array literal for a long parameter. Prisma processes an array element by element, three times,
 * but a text only once. The statement casts the text, as in `${numbers(ids)}::int[]`.
 */
export function numbers(values: readonly (number | null)[]): string {
  // `join` writes null as an empty string, so nulls are written explicitly if there are any.
  return `{${values.includes(null) ? values.map((value) => value ?? 'NULL').join(',') : values.join(',')}}`;
}

/** Returns a PostgreSQL array literal of texts. */
export function texts(values: readonly string[]): string {
  return `{${values.map((value) => `"${value.replace(/["\\]/g, String.raw`\$&`)}"`).join(',')}}`;
}

/** A column of rows that are passed as arrays: the type of its elements, and the value of a row. */
export type Column<Item> =
  | readonly [type: 'int' | 'int8' | 'float8' | 'real', of: (item: Item) => number | null]
  | readonly [type: 'text', of: (item: Item) => string];

/** The columns of rows by name. */
export type RowColumns<Item> = Readonly<Record<string, Column<Item>>>;

/** Returns the values of each column as an array literal, in the order of the columns. */
export function arraysOf<Item>(items: readonly Item[], columns: RowColumns<Item>): string[] {
  return Object.values(columns).map((column) =>
    column[0] === 'text' ? texts(items.map(column[1])) : numbers(items.map(column[1])),
  );
}
