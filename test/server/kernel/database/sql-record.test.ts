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
} from '../../../support/sql-record/record.js';
import type { SentText } from '../../../support/sql-record/recorder.js';

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

const found = (text: string): SentText => ({ file, line: 2, text });
const removed: SentText = { file, line: 6, text: 'DELETE FROM things' };

function check(...sent: SentText[]) {
  const record = readRecord(root);
  const groups = groupTexts(root, sent, record);
  return { ...compareWithRecord(groups, record), unused: notRun(groups, record) };
}

const fine = { faults: [], variants: [], unused: [] };

function write(sent: SentText[], isComplete = true): string {
  const record: SqlRecord = isComplete ? new Map() : readRecord(root);
  writeRecord(root, updateRecord(root, record, groupTexts(root, sent, record)));
  return readFileSync(recordPath(root, file), 'utf8');
}

it('writes the statements of a file in the order of its functions', () => {
  expect(write([removed, found('SELECT 1')])).toBe(
    `-- name: find\nSELECT\n  1;\n-- plan:\n--   \n\n-- name: remove\nDELETE FROM things;\n-- plan:\n--   \n`,
  );
  expect(check(removed, found('SELECT   1'))).toEqual(fine);
});

it('finds what is not on record, what is left there, and what no test runs', () => {
  write([removed, found('SELECT 1')]);
  expect(check(removed, found('SELECT 2'))).toEqual({
    faults: [`${file} find: not on record: SELECT 2`],
    variants: [],
    unused: [`${file} find: SELECT 1`],
  });
  expect(callsNotRun(root, [found('SELECT 2')])).toEqual([`${file}:6`]);
});

it('after a part of the tests, replaces what was run as a whole and keeps the rest', () => {
  write([removed, found('SELECT 1')]);
  write([found('SELECT 2')], false);
  expect(check(removed, found('SELECT 2'))).toEqual(fine);
  write([found('SELECT 2'), found('SELECT 3')], false);
  write([found('SELECT 3')], false);
  expect(check(removed, found('SELECT 2'), found('SELECT 3'))).toEqual(fine);
});

it('does not fail for a further variant of a call on record', () => {
  write([removed, found('SELECT 1')]);
  expect(check(removed, found('SELECT 1'), found('SELECT 2'))).toEqual({
    ...fine,
    variants: [`${file} find: not on record: SELECT 2`],
  });
});

it('takes only the examples of a function that has some', () => {
  const example = { ...found('SELECT 1'), example: { name: 'one', of: 'find' } };
  expect(write([example, found('SELECT 2')])).toBe(`-- name: find, as in one\nSELECT\n  1;\n-- plan:\n--   \n`);
  expect(check(found('SELECT 3')).faults).toEqual([]);
  expect(check({ ...example, text: 'SELECT 3' }).faults).toEqual([`${file} find, as in one: not on record: SELECT 3`]);
});

it('asks for examples of a function with very many texts', () => {
  const many = Array.from({ length: 41 }, (_, index) => found(`SELECT ${index}`));
  write(many);
  expect(check(...many).faults).toEqual([`${file} find: has 41 texts and needs an example`]);
});

it('gives all partitions the same month', () => {
  write([found('SELECT 1 FROM events_2026_11')]);
  expect(check(found('SELECT 1 FROM events_2026_12'))).toEqual(fine);
});
