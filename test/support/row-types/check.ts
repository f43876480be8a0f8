import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { rowShape } from './column-shape.js';
import { parseStatement, type RecordedStatement } from './recorder.js';
import { differences } from './shape.js';
import type { StatementSite } from './statement-sites.js';

const unseenEnding = ': no test runs this statement';

/** Reads what the processes of a run have recorded; the last line of a statement has all of what its process knows. */
export function readStatements(folder: string): RecordedStatement[] {
  return readdirSync(folder).flatMap((name) => {
    const lines = readFileSync(path.join(folder, name), 'utf8').split('\n').filter(Boolean).map(parseStatement);
    return [...new Map(lines.map((statement) => [`${statement.name} ${statement.text}`, statement])).values()];
  });
}

/**
 * Compares the declared type of the rows of each site with the columns of the statements that it ran.
 *
 * @param isComplete whether all tests have run, so that a site without a statement is a fault too
 * @returns one line for each fault
 */
export function checkRowTypes(
  sites: readonly StatementSite[],
  statements: readonly RecordedStatement[],
  isComplete: boolean,
): string[] {
  const faults = new Set<string>();
  const seen = new Set<StatementSite>();
  for (const statement of statements) {
    for (const site of sitesOf(statement, sites)) {
      seen.add(site);
      for (const fault of differences('', site.row, rowShape(statement.columns, site.isPlain)))
        faults.add(`${site.at}: ${fault}`);
    }
  }
  for (const site of sites) {
    if (!site.pattern) faults.add(`${site.at}: the SQL is not written here, so its row type cannot be checked`);
    else if (isComplete && !seen.has(site)) faults.add(`${site.at}${unseenEnding}`);
  }
  return [...faults].sort();
}

/** Whether a fault means that no test has run the statement of a site. */
export function isUnseen(fault: string): boolean {
  return fault.endsWith(unseenEnding);
}

/** The sites that a statement may come from: the matching sites with the most constant SQL. */
function sitesOf({ text, name }: RecordedStatement, sites: readonly StatementSite[]): StatementSite[] {
  const named = sites.filter((site) => site.name === name);
  const candidates = (named.length > 0 ? named : sites).filter(({ pattern }) => pattern?.matches(text));
  const longest = Math.max(...candidates.map(({ pattern }) => pattern?.length ?? 0));
  return candidates.filter(({ pattern }) => pattern?.length === longest);
}
