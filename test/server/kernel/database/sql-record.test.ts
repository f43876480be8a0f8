import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { createTestFolder } from '../../../support/folder.js';
import {
  callsNotRun,
  compareWithRecord,
  groupTexts,
  notRun,
  readRecord,
  recordPath,
  type SqlRecord,
  updateRecord,
  writeRecord,
} from '../../../support/statements/record.js';
import type { RecordedStatement } from '../../../support/statements/recorder.js';

const file = 'server/queries.ts';
const source = `export async function find(db: Queries) {
  return db.$queryRaw\`SELECT 1\`;
}

const remove = async (tx: Queries) => {
  await tx.$executeRaw\`DELETE FROM things\`;
};
`;

let root: string;

beforeEach(() => {
  const folder = createTestFolder();
  onTestFinished(() => folder[Symbol.dispose]());
  root = folder.path;
  mkdirSync(path.join(root, 'server'));
  writeFileSync(path.join(root, file), source);
});

const by = (line: number, text: string): RecordedStatement => ({
  text,
  name: '',
  callers: [{ file, line }],
  columns: [],
});
const found = (text: string) => by(2, text);
const removed = by(6, 'DELETE FROM things');

function check(...statements: RecordedStatement[]) {
  const record = readRecord(root);
  const groups = groupTexts(root, statements);
  return { ...compareWithRecord(groups, record), unused: notRun(groups, record) };
}

const fine = { faults: [], variants: [], unused: [] };

function write(statements: RecordedStatement[], isComplete = true): string {
  const record: SqlRecord = isComplete ? new Map() : readRecord(root);
  writeRecord(root, updateRecord(root, record, groupTexts(root, statements)));
  return readFileSync(recordPath(root, file), 'utf8');
}

it('writes the statements of a file in the order of its functions, one clause a line', () => {
  const select =
    'SELECT o.name FROM things t LEFT JOIN others o ON o.id = t.id WHERE o.name IS DISTINCT FROM t.name AND t.at > $1';
  expect(write([removed, found(`SELECT 1  FROM (${select}) x,\n (VALUES (1)) y WHERE x.name = $2`)])).toBe(
    `-- name: find
SELECT 1
FROM (
  SELECT o.name
  FROM things t
  LEFT JOIN others o ON o.id = t.id
  WHERE o.name IS DISTINCT FROM t.name
  AND t.at > $1
) x, (VALUES (1)) y
WHERE x.name = $2;

-- name: remove
DELETE FROM things;
`,
  );
  expect(check(removed, found(`SELECT 1 FROM (${select}) x, (VALUES (1)) y WHERE  x.name = $2`))).toEqual(fine);
});

it('finds a text that is not on record, a text that is left there, and a call that no test runs', () => {
  write([removed, found('SELECT 1')]);
  expect(check(removed, found('SELECT 2'))).toEqual({
    faults: [`${file} find: SELECT 2`],
    variants: [],
    unused: [`${file} find: 1`],
  });
  expect(callsNotRun(root, [found('SELECT 2')])).toEqual([`${file}:6`]);
});

it('finds a further variant of a call on record', () => {
  write([removed, found('SELECT 1')]);
  expect(check(removed, found('SELECT 1'), found('SELECT 2'))).toEqual({ ...fine, faults: [`${file} find: SELECT 2`] });
});

it('after a part of the tests, replaces a function that has as many texts, and otherwise adds to it', () => {
  write([removed, found('SELECT 1')]);
  write([found('SELECT 2')], false);
  expect(check(removed, found('SELECT 2'))).toEqual(fine);
  write([found('SELECT 2'), found('SELECT 3')], false);
  write([found('SELECT 3')], false);
  expect(check(removed, found('SELECT 2'), found('SELECT 3'))).toEqual(fine);
});

const manyTexts = (count: number) => Array.from({ length: count }, (_, index) => found(`SELECT ${index}`));

it('shows two texts of a function, and has digests of the others', () => {
  const written = write(manyTexts(9));
  expect(written.match(/^SELECT \d;$/gm)).toHaveLength(2);
  expect(written).toMatch(/\n\n-- name: find\n-- further:(?: [\da-f]{10}){7}\n$/);
  expect(check(...manyTexts(9))).toEqual(fine);
});

it('shows one text of a function whose texts are long', () => {
  const long = (n: number) => found(`SELECT ${n} ${'UNION ALL SELECT 1 '.repeat(40)}`);
  expect(write([long(1), long(2)])).toMatch(
    /^-- name: find\nSELECT 1\n[^]*;\n\n-- name: find\n-- further: [\da-f]{10}\n$/,
  );
  expect(check(removed, long(1), long(2)).faults).toEqual([`${file} remove: DELETE FROM things`]);
});

it('reports few new texts of a function with more than five, and fails for the texts that a changed clause changes', () => {
  write(manyTexts(5));
  expect(check(...manyTexts(6)).faults).toEqual([`${file} find: SELECT 5`]);
  write(manyTexts(40));
  expect(check(...manyTexts(42))).toEqual({
    ...fine,
    variants: [`${file} find: SELECT 40`, `${file} find: SELECT 41`],
  });
  expect(check(...manyTexts(43)).faults).toHaveLength(3);
  write([found('SELECT 40')], false);
  expect(check(...manyTexts(41))).toEqual(fine);
});

it('leaves out what others than the service run, and what migrations run', () => {
  const migrate = 'server/kernel/database/migrate.ts';
  mkdirSync(path.dirname(path.join(root, migrate)), { recursive: true });
  writeFileSync(path.join(root, migrate), 'async function applyOutside() {}\nasync function waitForTurn() {}\n');
  const at = (name: string, line: number) => ({ ...removed, callers: [{ file: name, line }] });
  expect(groupTexts(root, [at('scripts/one.ts', 1), at(migrate, 1), at(migrate, 2)])).toMatchObject([
    { file: migrate, name: 'waitForTurn' },
  ]);
});

it('gives all partitions the same month', () => {
  write([found('SELECT 1 FROM events_2026_11')]);
  expect(check(found('SELECT 1 FROM events_2026_12'))).toEqual(fine);
});
