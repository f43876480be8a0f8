/**
 * Arrays as PostgreSQL writes them, for parameters that are long: an array that is handed to Prisma is looked at element by
 * element three times on its way, a text once. The statement says what the text is, as in `${numbers(ids)}::int[]`.
 */
export function numbers(values: readonly (number | null)[]): string {
  // An element that is null joins as nothing, so each is written out where there are any.
  return `{${values.includes(null) ? values.map((value) => value ?? 'NULL').join(',') : values.join(',')}}`;
}

/** As `numbers`, for text: every element is quoted, whatever it holds. */
export function texts(values: readonly string[]): string {
  return `{${values.map(quoted).join(',')}}`;
}

function quoted(value: string): string {
  const isPlain = !value.includes('"') && !value.includes('\\');
  return `"${isPlain ? value : value.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
}
