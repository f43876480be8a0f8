/** Formats rows as a Markdown table with aligned columns; the first `texts` columns hold text, the others numbers. */
export function markdownTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  { texts }: { texts: number } = { texts: 1 },
): string {
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)));
  const pad = (cell: string, column: number) =>
    column < texts ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0);
  const line = (cells: readonly string[]) => `| ${cells.map(pad).join(' | ')} |`;
  const rule = `|${widths.map((width, column) => '-'.repeat(width + 1) + (column < texts ? '-' : ':')).join('|')}|`;
  return [line(head), rule, ...rows.map(line)].join('\n');
}

/** Formats a part of a whole as a percentage. */
export function percentage(part: number, whole: number, digits = 2): string {
  return whole === 0 ? '–' : `${((100 * part) / whole).toFixed(digits)} %`;
}
