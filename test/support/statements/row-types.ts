import { rowShape } from './column-shape.js';
import type { RecordedStatement } from './recorder.js';
import { differences } from './shape.js';
import type { StatementSite } from './statement-sites.js';

/**
 * Compares the declared type of the rows of each site with the columns of the statements that it ran.
 *
 * @returns `wrong`: one line for each difference. `unseen`: the sites that ran no statement
 */
export function checkRowTypes(
  sites: readonly StatementSite[],
  statements: readonly RecordedStatement[],
): { wrong: string[]; unseen: string[] } {
  const wrong = new Set<string>();
  const seen = new Set<StatementSite>();
  for (const statement of statements) {
    if (statement.columns.length === 0) continue;
    for (const site of sitesOf(statement, sites)) {
      seen.add(site);
      for (const fault of differences('', site.row, rowShape(statement.columns, site.isPlain)))
        wrong.add(`${site.file}:${site.line}: ${fault}`);
    }
  }
  const unseen = sites.filter((site) => !seen.has(site)).map(({ file, line }) => `${file}:${line}`);
  return { wrong: [...wrong].toSorted(), unseen };
}

/** The sites that declare the rows of a statement: by the name of a prepared statement, else around the line that ran it. */
function sitesOf({ name, callers }: RecordedStatement, sites: readonly StatementSite[]): StatementSite[] {
  const named = sites.filter((site) => site.statementName?.test(name) === true);
  if (named.length > 0) return named;
  return callers.flatMap(({ file, line }) =>
    sites.filter((site) => !site.statementName && site.file === file && site.line <= line && line <= site.lastLine),
  );
}
