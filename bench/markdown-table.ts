/** A Markdown table that can be read as it stands: columns of even width, numbers to the right of the first one. */
export function markdownTable(columns: readonly string[], body: readonly (readonly string[])[]): string {
  const rows = [columns, ...body];
  const widths = columns.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0))).join(' | ')} |`;
  const rule = `|${widths.map((width, column) => `${'-'.repeat(width + 1)}${column === 0 ? '-' : ':'}`).join('|')}|`;
  return [line(columns), rule, ...body.map(line)].join('\n');
}

/** Whether a target was reached, in words. */
export function verdict(reached: boolean, target: string): string {
  return `${target} ${reached ? 'reached' : 'MISSED'}`;
}
