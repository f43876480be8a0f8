import { expect, test } from 'vitest';
import { oneClauseALine } from '../../../support/statements/clauses.js';

const names = Array.from({ length: 20 }, (_, n) => `column_${n}`);

test.each([
  ['a list', `SELECT ${names.join(', ')} FROM things`],
  [
    'cases',
    `SELECT CASE ${names.map((name) => `WHEN ${name} > 0 THEN '${name}'`).join(' ')} ELSE 'none' END FROM things`,
  ],
  ['alternatives', `SELECT id FROM things WHERE ${names.map((name) => `${name} = 1`).join(' OR ')}`],
])('a long line of %s is broken between words, and nothing but white space changes', (_what, sql) => {
  const lines = oneClauseALine(sql).split('\n');
  expect(lines.length).toBeGreaterThan(2);
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(130);
  expect(lines.map((line) => line.trim()).join(' ')).toBe(sql);
  expect(lines.filter((line) => line.endsWith(' '))).toEqual([]);
});
