/** Longer lines are continued at a comma or a condition. */
const widthMax = 130;

/** A shorter subquery stays on the line. */
const subqueryMin = 100;

const token = /'(?:[^']|'')*'|"[^"]*"|\$\$[^]*?\$\$|\s+|[(),;]|[^\s'"(),;]+/g;

const begins = /^(?:SELECT|WITH|INSERT|UPDATE|DELETE|VALUES)$/;
const clause =
  /^(?:SELECT|FROM|WHERE|JOIN|LEFT|RIGHT|FULL|CROSS|INNER|GROUP|HAVING|ORDER|LIMIT|OFFSET|UNION|RETURNING|SET|VALUES|AND|FOR|WINDOW)$/;

/** Whether a word continues the clause before it, as in `IS DISTINCT FROM`, `LEFT JOIN`, `DO UPDATE SET` and `DELETE FROM`. */
function continues(word: string, before: string): boolean {
  if (word === 'FROM') return before === 'DISTINCT' || before === 'DELETE';
  if (word === 'JOIN') return /^(?:LEFT|RIGHT|FULL|CROSS|INNER|OUTER)$/.test(before);
  if (word === 'SELECT') return before === 'ALL' || before === '';
  return word === 'UPDATE' || (word === 'ORDER' && before === 'WITHIN');
}

/** Lays SQL out with one clause a line, and subqueries indented; nothing but white space changes. */
export function oneClauseALine(sql: string): string {
  const lines: string[] = [];
  /** Of each open parenthesis: whether a query is in it. */
  const open: boolean[] = [];
  let line = '';
  let before = '';
  let afterQuery = false;
  const indent = () => '  '.repeat(open.filter(Boolean).length);
  const end = () => {
    if (line.trim() !== '') lines.push(...continued(line.trimEnd()));
    line = indent();
  };
  const tokens = sql.match(token) ?? [];
  tokens.forEach((text, index) => {
    if (/^\s/.test(text)) {
      if (!/(?:^|[( ])$/.test(line)) line += ' ';
      return;
    }
    const isInQuery = open.at(-1) ?? true;
    if (text === '(') {
      line += text;
      open.push(isLongQuery(tokens, index));
      if (open.at(-1) === true) end();
    } else if (text === ')') {
      const wasQuery = open.pop() ?? false;
      if (wasQuery) end();
      line = line.trimEnd().length === 0 ? `${indent()})` : `${line.trimEnd()})`;
      afterQuery = wasQuery;
      before = text;
      return;
    } else if (text === ',') {
      line = `${line.trimEnd()},`;
      if (afterQuery && isInQuery) end();
    } else {
      if (isInQuery && clause.test(text) && !continues(text, before)) end();
      line += text;
    }
    before = text;
    afterQuery = false;
  });
  end();
  return lines.join('\n');
}

/** Whether the parenthesis that opens at a token has a query in it that needs lines of its own. */
function isLongQuery(tokens: readonly string[], index: number): boolean {
  const next = tokens.slice(index + 1, index + 3).find((text) => !/^\s/.test(text)) ?? '';
  if (!begins.test(next)) return false;
  let depth = 0;
  let length = 0;
  for (const text of tokens.slice(index)) {
    if (text === '(') depth += 1;
    if (text === ')') depth -= 1;
    length += /^\s/.test(text) ? 1 : text.length;
    if (depth === 0 || length >= subqueryMin) break;
  }
  return length >= subqueryMin;
}

function continued(line: string): string[] {
  if (line.length <= widthMax) return [line];
  const breaks = [', ', ' OR ', ' WHEN ', ' ELSE '].map((text) => line.lastIndexOf(text, widthMax));
  const at = Math.max(...breaks);
  const margin = line.length - line.trimStart().length;
  if (at <= margin) return [line];
  // A comma ends its line; the word of a condition begins the next one.
  const end = line[at] === ',' ? at + 1 : at;
  return [line.slice(0, end), ...continued(`${' '.repeat(margin + 2)}${line.slice(end + 1)}`).map(keepMargin)];

  function keepMargin(rest: string): string {
    return `${' '.repeat(margin + 2)}${rest.trimStart()}`;
  }
}
