import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { oneClauseALine } from './clauses.js';
import type { RecordedStatement } from './recorder.js';

/** What a function of a source file runs. */
export type FunctionRecord = {
  /** Its first texts, one clause a line. */
  texts: readonly string[];
  /** Digests of its further texts, in order. */
  digests: readonly string[];
};

/** By source file, such as `server/things/assets/queries.ts`, and by function. */
export type SqlRecord = ReadonlyMap<string, ReadonlyMap<string, FunctionRecord>>;

/** The texts that tests have run of a function, in the order of the source. */
export type Group = { file: string; name: string; texts: readonly string[] };

/** Of a function with more texts, or a second one that is long as well, only digests of the others are on record. */
const textsMax = 2;
const linesMax = 60;

/** Which of the texts of a function with more than this many run can depend on chance. */
const strictTextsMax = 5;
/** As many of the texts on record of such a function can be new: less than what a changed clause changes. */
const newTextsShare = 0.05;

/** Functions whose statements are in files already: migrations, and those of the package of the job queue. */
const runsFiles = new Set(
  ['applyInTransaction', 'applyOutside', 'migrateJobQueue'].map((name) => `server/kernel/database/migrate.ts ${name}`),
);

/** The folders of the service. */
const serviceFolders = ['server', 'gateway', 'ingest-broker'];

/** How much of a text is shown with a fault. */
const briefMax = 200;

const digestsPerLine = 12;

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
      parseFunctions(readFileSync(path.join(folder, name), 'utf8')),
    ]),
  );
}

function parseFunctions(content: string): Map<string, FunctionRecord> {
  const functions = new Map<string, FunctionRecord>();
  for (const part of content.split(/^-- name: /m).slice(1)) {
    const [, name = '', rest = ''] = /^(.*)\n([^]*)$/.exec(part) ?? [];
    const { texts, digests } = functions.get(name) ?? { texts: [], digests: [] };
    const isDigests = rest.startsWith('-- further: ');
    functions.set(name, {
      texts: isDigests ? texts : [...texts, rest.trimEnd().replace(/;$/, '')],
      digests: isDigests ? Array.from(rest.matchAll(/\b[\da-f]{10}\b/g), ([digest]) => digest) : digests,
    });
  }
  return functions;
}

export function printFunctions(functions: ReadonlyMap<string, FunctionRecord>): string {
  const parts = [...functions].flatMap(([name, { texts, digests }]) => [
    ...texts.map((text) => `-- name: ${name}\n${text};\n`),
    ...(digests.length === 0 ? [] : [`-- name: ${name}\n${printDigests(digests)}\n`]),
  ]);
  return parts.join('\n');
}

function printDigests(digests: readonly string[]): string {
  const lines: string[] = [];
  for (let from = 0; from < digests.length; from += digestsPerLine) {
    lines.push(`-- further: ${digests.slice(from, from + digestsPerLine).join(' ')}`);
  }
  return lines.join('\n');
}

/** Groups the texts of the service by the function that ran them. */
export function groupTexts(root: string, statements: readonly RecordedStatement[]): Group[] {
  const declarations = declarationsIn(root);
  const groups = new Map<string, { file: string; name: string; lines: Map<string, number> }>();
  for (const { text, callers } of statements) {
    for (const { file, line } of callers) {
      if (!serviceFolders.some((folder) => file.startsWith(`${folder}/`))) continue;
      const name = declarations(file).findLast((declaration) => declaration.line <= line)?.name ?? '';
      if (runsFiles.has(`${file} ${name}`)) continue;
      const group = groups.get(`${file} ${name}`) ?? { file, name, lines: new Map<string, number>() };
      groups.set(`${file} ${name}`, group);
      const written = oneClauseALine(withoutMonths(text));
      group.lines.set(written, Math.min(line, group.lines.get(written) ?? line));
    }
  }
  return [...groups.values()].map(({ file, name, lines }) => ({
    file,
    name,
    texts: [...lines].toSorted(([a, lineA], [b, lineB]) => lineA - lineB || compare(a, b)).map(([text]) => text),
  }));
}

/**
 * Returns a line for each text that is not on record. `variants` are few texts of functions with many: which of their texts run
 * can depend on chance.
 */
export function compareWithRecord(
  groups: readonly Group[],
  record: SqlRecord,
): { faults: string[]; variants: string[] } {
  const [faults, variants]: [string[], string[]] = [[], []];
  for (const { file, name, texts } of groups) {
    const recorded = record.get(file)?.get(name);
    const known = digestsOf(recorded);
    const found = texts.filter((text) => !known.has(digestOf(text)));
    const isChance = known.size > strictTextsMax && found.length <= Math.max(1, known.size * newTextsShare);
    (isChance ? variants : faults).push(...found.map((text) => `${file} ${name}: ${brief(text)}`));
  }
  return { faults, variants };
}

/** Returns a line for each function with texts on record that no test has run. */
export function notRun(groups: readonly Group[], record: SqlRecord): string[] {
  const run = new Map(groups.map(({ file, name, texts }) => [`${file} ${name}`, new Set(texts.map(digestOf))]));
  return [...record].flatMap(([file, functions]) =>
    [...functions].flatMap(([name, recorded]) => {
      const left = [...digestsOf(recorded)].filter((digest) => !run.get(`${file} ${name}`)?.has(digest));
      return left.length === 0 ? [] : [`${file} ${name}: ${left.length}`];
    }),
  );
}

/**
 * Returns the record with what tests have run. If they have run at least as many texts of a function as are on
 * record, the new texts replace the record. Otherwise the other texts stay, since only a part of the tests may have run.
 */
export function updateRecord(root: string, record: SqlRecord, groups: readonly Group[]): SqlRecord {
  const declarations = declarationsIn(root);
  const updated = new Map<string, Map<string, FunctionRecord>>();
  for (const [file, functions] of record) updated.set(file, new Map(functions));
  for (const { file, name, texts } of groups) {
    const functions = updated.get(file) ?? new Map<string, FunctionRecord>();
    const former = functions.get(name);
    const isWhole = texts.length >= digestsOf(former).size;
    functions.set(name, isWhole ? recordOf(texts, []) : recordOf(merged(former?.texts, texts), former?.digests ?? []));
    updated.set(file, functions);
  }
  const sorted = [...updated]
    .toSorted(([a], [b]) => compare(a, b))
    .map(([file, functions]) => {
      const names = declarations(file).map(({ name }) => name);
      const ordered = [...functions].toSorted(([a], [b]) => names.indexOf(a) - names.indexOf(b));
      return [file, new Map(ordered)] as const;
    });
  return new Map(sorted);
}

function merged(former: readonly string[] = [], texts: readonly string[]): string[] {
  return [...new Map([...former, ...texts].map((text) => [digestOf(text), text])).values()];
}

function recordOf(texts: readonly string[], digests: readonly string[]): FunctionRecord {
  const lines = texts.slice(0, textsMax).reduce((sum, text) => sum + text.split('\n').length, 0);
  const shown = texts.slice(0, lines > linesMax ? 1 : textsMax);
  const known = new Set(shown.map(digestOf));
  const further = new Set(
    [...digests, ...texts.slice(shown.length).map(digestOf)].filter((digest) => !known.has(digest)),
  );
  return { texts: shown, digests: [...further].toSorted() };
}

export function writeRecord(root: string, record: SqlRecord): void {
  rmSync(recordFolder(root), { recursive: true, force: true });
  for (const [file, functions] of record) {
    const target = recordPath(root, file);
    mkdirSync(path.dirname(target), { recursive: true });
    writeFileSync(target, printFunctions(functions));
  }
}

const calls = /\.\$(?:queryRaw|executeRaw)[<(`]|\b(?:tx|runner)\.run(?:Last)?\(/;

/** Returns the lines of the service that run SQL, but not in the tests, as `server/core.ts:17`. */
export function callsNotRun(root: string, statements: readonly RecordedStatement[]): string[] {
  const run = new Set(statements.flatMap(({ callers }) => callers.map(({ file, line }) => `${file}:${line}`)));
  const files = serviceFolders.flatMap((folder) =>
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
  const target = path.join(root, file);
  return existsSync(target) ? readFileSync(target, 'utf8').split('\n') : [];
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

/** Names of partitions and their bounds have months. */
function withoutMonths(text: string): string {
  return text.replaceAll(/_\d{4}_\d{2}\b/g, '_2000_01').replaceAll(/'\d{4}-\d{2}-01T00:00:00.000Z'/g, "'2000-01-01'");
}

function digestsOf(recorded: FunctionRecord | undefined): Set<string> {
  return new Set([...(recorded?.texts ?? []).map(digestOf), ...(recorded?.digests ?? [])]);
}

/** White space makes no difference. */
function digestOf(text: string): string {
  return createHash('sha256').update(text.replaceAll(/\s+/g, '')).digest('hex').slice(0, 10);
}

/** The beginning of a text, on one line. */
function brief(text: string): string {
  return text.trim().replaceAll(/\s+/g, ' ').slice(0, briefMax);
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
