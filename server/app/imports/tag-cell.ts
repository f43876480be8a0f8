/**
 * Returns the tag values of one cell: separated by `|`, with `\|` and `\\` for those characters themselves. An empty
 * cell has none; an empty value between two separators is kept, for the tag rules to reject.
 */
export function splitTagCell(cell: string): string[] {
  if (cell === '') return [];
  const values = [''];
  for (let at = 0; at < cell.length; at += 1) {
    const character = cell.charAt(at);
    if (character === '|') {
      values.push('');
      continue;
    }
    const escaped = character === '\\' && (cell.charAt(at + 1) === '|' || cell.charAt(at + 1) === '\\');
    if (escaped) at += 1;
    values[values.length - 1] += cell.charAt(at);
  }
  return values;
}
