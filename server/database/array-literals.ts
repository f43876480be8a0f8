/**
 * PostgreSQL array literals for long parameters: Prisma processes an array element by element three times, a text once.
 * The statement casts the text, as in `${numbers(ids)}::int[]`.
 */
export function numbers(values: readonly (number | null)[]): string {
  // `join` writes null as an empty string, so nulls are written explicitly if there are any.
  return `{${values.includes(null) ? values.map((value) => value ?? 'NULL').join(',') : values.join(',')}}`;
}

/** Does the same as `numbers` for text: every element is quoted. */
export function texts(values: readonly string[]): string {
  return `{${values.map(quoted).join(',')}}`;
}

function quoted(value: string): string {
  const isPlain = !value.includes('"') && !value.includes('\\');
  return `"${isPlain ? value : value.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
}
