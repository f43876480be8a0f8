/**
 * Returns a PostgreSQL array literal for a long parameter: Prisma processes an array element by element three times, a
 * text once.
 * The statement casts the text, as in `${numbers(ids)}::int[]`.
 */
export function numbers(values: readonly (number | null)[]): string {
  // `join` writes null as an empty string, so nulls are written explicitly if there are any.
  return `{${values.includes(null) ? values.map((value) => value ?? 'NULL').join(',') : values.join(',')}}`;
}
