/** Formats a Markdown table that is readable as text: aligned columns, with numbers to the right. */
export function markdownTable(columns: readonly string[], body: readonly (readonly string[])[]): string {
  const rows = [columns, ...body];
  const widths = columns.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0))).join(' | ')} |`;
  const rule = `|${widths.map((width, column) => `${'-'.repeat(width + 1)}${column === 0 ? '-' : ':'}`).join('|')}|`;
  return [line(columns), rule, ...body.map(line)].join('\n');
}

/** Returns whether a target was reached, in words. */
export function verdict(reached: boolean, target: string): string {
  return `${target} ${reached ? 'reached' : 'MISSED'}`;
}
