import { expect, test } from 'vitest';
import { jsonInPieces } from '../../../gateway/rest/json-in-pieces.js';

const row = (no: number, length: number) => ({ no, text: 'ü'.repeat(length), nothing: null, missing: undefined });
const listOf = (rows: number, length: number) => Array.from({ length: rows }, (_, no) => row(no, length));

test.each<[string, object]>([
  ['a list with its counts', { data: listOf(200, 10_000), limit: 200, offset: 0, total_count: 900 }],
  ['a list alone', { data: listOf(11, 1) }],
  ['a list whose last rows are more than a piece', { data: listOf(25, 10), limit: 50 }],
  ['a short list', { data: listOf(2, 1), limit: 50 }],
  ['an empty list', { data: [], limit: 50 }],
  ['an object', { data: row(1, 10) }],
])('serializes %s to the same text as JSON.stringify', async (_what, value) => {
  expect(await jsonInPieces(value, () => Promise.resolve())).toBe(JSON.stringify(value));
});

test('serializes large rows in several pieces, and small rows in one', async () => {
  let pauses = 0;
  const pause = async () => {
    pauses += 1;
  };
  await jsonInPieces({ data: listOf(200, 100) }, pause);
  expect(pauses).toBe(0);
  await jsonInPieces({ data: listOf(200, 15_000) }, pause);
  expect(pauses).toBe(19);
});
