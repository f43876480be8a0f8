import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { format } from 'sql-formatter';
import type { SentText } from './recorder.js';

/** A statement on record. */
export type Statement = {
  /** The function that runs it, by its name at the top of the file, and the example, if its SQL is composed. */
  title: string;
  sql: string;
  /** The nodes of its plan, one a line. */
  plan: string;
};

/** The texts that tests have run of a title, in the order of the source, and the same by the line that ran them. */
export type Group = { file: string; title: string; texts: string[]; calls: Map<number, string[]> };

/** By source file, such as `server/things/assets/queries.ts`. */
export type SqlRecord = ReadonlyMap<string, readonly Statement[]>;

/** A function with more texts is recorded by examples. */
const textsMax = 40;

/** How much of a text is shown with a fault. */
const briefMax = 200;

const exampleMark = ', as in ';

function recordFolder(root: string): string {
  return path.join(root, 'test', 'sql');
}

/** Returns the file with the statements of a source file. */
export function recordPath(root: string, file: string): string {
  return path.join(recordFolder(root), file.replace(/\.ts$/, '.sql'));
}

export function readRecord(root: string): SqlRecord {
  const folder = recordFolder(root);
  return new Map(
    filesIn(folder, '.sql').map((name) => [
      name.replace(/\.sql$/, '.ts'),
      parseStatements(readFileSync(path.join(folder, name), 'utf8')),
    ]),
  );
}

function parseStatements(content: string): Statement[] {
  const parts = content.split(/^-- name: /m).slice(1);
  return parts.map((part) => {
    const [, title = '', sql = '', plan = ''] = /^(.*)\n([^]*);\n-- plan:\n([^]*)$/.exec(part.trimEnd()) ?? [];
    return { title, sql, plan: plan.replaceAll(/^-- {3}/gm, '') };
  });
}

export function printStatements(statements: readonly Statement[]): string {
  const parts = statements.map(
    ({ title, sql, plan }) => `-- name: ${title}\n${sql};\n-- plan:\n${plan.replaceAll(/^/gm, '--   ')}\n`,
  );
  return parts.join('\n');
}

/** Groups texts by the function that ran them. Of functions with examples, only the examples count. */
export function groupTexts(root: string, sent: readonly SentText[], record: SqlRecord): Group[] {
  const declarations = declarationsIn(root);
  const sites = sent.map(({ file, line, text, example }) => {
    const name = declarations(file).findLast((declaration) => declaration.line <= line)?.name ?? '';
    const title = example?.of === name ? `${name}${exampleMark}${example.name}` : name;
    return { file, line, title, text: withoutMonths(text) };
  });
  const recorded = [...record].flatMap(([file, statements]) => statements.map(({ title }) => ({ file, title })));
  const examples = [...recorded, ...sites].filter(({ title }) => title.includes(exampleMark));
  const composed = new Set(examples.map(({ file, title }) => `${file} ${functionOf(title)}`));
  const groups = new Map<string, Group>();
  for (const { file, line, title, text } of sites.toSorted((a, b) => a.line - b.line || compare(a.text, b.text))) {
    const key = `${file} ${title}`;
    if (composed.has(key)) continue;
    const group: Group = groups.get(key) ?? { file, title, texts: [], calls: new Map() };
    groups.set(key, group);
    if (!group.texts.includes(text)) group.texts.push(text);
    group.calls.set(line, [...(group.calls.get(line) ?? []), text]);
  }
  return [...groups.values()];
}

/**
 * Compares what tests have run with the record. `faults` are the calls without a text on record, and functions that need examples.
 * `variants` are further texts of calls that have a text on record: which variants of a composed statement run can
 * depend on time.
 */
export function compareWithRecord(
  groups: readonly Group[],
  record: SqlRecord,
): { faults: string[]; variants: string[] } {
  const [faults, variants]: [string[], string[]] = [[], []];
  for (const { file, title, texts, calls } of groups) {
    const statements = record.get(file)?.filter((statement) => statement.title === title) ?? [];
    const recorded = new Set(statements.map(({ sql }) => bare(sql)));
    const isMissing = (text: string) => !recorded.has(bare(text));
    for (const sent of calls.values()) {
      const found = sent.every(isMissing) ? faults : variants;
      for (const text of new Set(sent.filter(isMissing))) {
        found.push(`${file} ${title}: not on record: ${brief(text)}`);
      }
    }
    if (texts.length > textsMax) faults.push(`${file} ${title}: has ${texts.length} texts and needs an example`);
  }
  return { faults, variants };
}

/** Returns a line for each statement on record that no test has run. */
export function notRun(groups: readonly Group[], record: SqlRecord): string[] {
  const run = new Set(
    groups.flatMap(({ file, title, texts }) => texts.map((text) => `${file} ${title} ${bare(text)}`)),
  );
  return [...record].flatMap(([file, statements]) =>
    statements.flatMap(({ title, sql }) =>
      run.has(`${file} ${title} ${bare(sql)}`) ? [] : [`${file} ${title}: ${brief(sql)}`],
    ),
  );
}

/**
 * Returns the record with what tests have run. If they have run at least as many texts of a function as are on
 * record, the new texts replace the record. Otherwise the other texts stay, since only a part of the tests may have run.
 * New texts have no plan yet.
 */
export function updateRecord(root: string, record: SqlRecord, groups: readonly Group[]): SqlRecord {
  const declarations = declarationsIn(root);
  const updated = new Map(record);
  for (const { file, title, texts } of groups) {
    const statements = updated.get(file) ?? [];
    const former = statements.filter((statement) => statement.title === title);
    const kept = former.length <= texts.length ? [] : former;
    const known = new Set(kept.map(({ sql }) => bare(sql)));
    const run = texts
      .filter((text) => !known.has(bare(text)))
      .map((text) => ({ title, sql: format(text, { language: 'postgresql', expressionWidth: 120 }), plan: '' }));
    const names = declarations(file).map(({ name }) => name);
    const placeOf = (statement: Statement) => names.indexOf(functionOf(statement.title));
    const all = [...statements.filter((statement) => statement.title !== title), ...kept, ...run];
    updated.set(
      file,
      all.toSorted((a, b) => placeOf(a) - placeOf(b) || compare(a.title, b.title)),
    );
  }
  return updated;
}

export function writeRecord(root: string, record: SqlRecord): void {
  rmSync(recordFolder(root), { recursive: true, force: true });
  for (const [file, statements] of record) {
    const target = recordPath(root, file);
    mkdirSync(path.dirname(target), { recursive: true });
    writeFileSync(target, printStatements(statements));
  }
}

const calls = /\.\$(?:queryRaw|executeRaw)[<(`]|\b(?:tx|runner)\.run(?:Last)?\(/;

/** Returns the lines of the service that run SQL, but not in the tests, as `server/core.ts:17`. */
export function callsNotRun(root: string, sent: readonly SentText[]): string[] {
  const run = new Set(sent.map(({ file, line }) => `${file}:${line}`));
  const files = ['server', 'gateway', 'ingest-broker'].flatMap((folder) =>
    filesIn(path.join(root, folder), '.ts').map((name) => path.join(folder, name)),
  );
  return files.flatMap((file) =>
    linesOf(root, file).flatMap((text, index) => {
      const at = `${file}:${index + 1}`;
      return calls.test(text) && !run.has(at) ? [at] : [];
    }),
  );
}

function filesIn(folder: string, ending: string): string[] {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return names.filter((name) => name.endsWith(ending)).toSorted();
}

function linesOf(root: string, file: string): string[] {
  return readFileSync(path.join(root, file), 'utf8').split('\n');
}

/** Returns a function that returns the functions and constants at the top of a file, with their lines. */
function declarationsIn(root: string): (file: string) => { name: string; line: number }[] {
  const known = new Map<string, { name: string; line: number }[]>();
  return (file) => {
    const declarations =
      known.get(file) ??
      linesOf(root, file).flatMap((text, index) => {
        const name = /^(?:export )?(?:async )?(?:function\*?|const|class) (\w+)/.exec(text)?.[1];
        return name === undefined ? [] : [{ name, line: index + 1 }];
      });
    known.set(file, declarations);
    return declarations;
  };
}

function functionOf(title: string): string {
  return title.split(exampleMark)[0] ?? title;
}

/** Without white space, which formatting changes. */
function bare(sql: string): string {
  return sql.replaceAll(/\s+/g, '');
}

/** The beginning of a text, on one line. */
function brief(text: string): string {
  return text.trim().replaceAll(/\s+/g, ' ').slice(0, briefMax);
}

/** Names of partitions and their bounds have months. */
function withoutMonths(text: string): string {
  return text.replaceAll(/_\d{4}_\d{2}\b/g, '_2000_01').replaceAll(/'\d{4}-\d{2}-01T00:00:00.000Z'/g, "'2000-01-01'");
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
