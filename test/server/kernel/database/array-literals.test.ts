import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RowColumns } from '../../../../server/kernel/database/array-literals.js';
import { type DatabasePool, openDatabase } from '../../../../server/kernel/database/client.js';
import { defineStatement } from '../../../../server/kernel/database/statement.js';
import { storageFault } from '../../../../server/tracking/scans/storage-faults.js';
import { createTestDatabase, type TestDatabase } from '../../../support/postgres.js';

let database: TestDatabase;
let connections: DatabasePool;

beforeAll(async () => {
  database = await createTestDatabase();
  connections = openDatabase({ url: database.url, poolSize: 1 });
});

afterAll(async () => {
  await connections.close();
  await database[Symbol.asyncDispose]();
});

/** Returns what the database reads from a column, as text. */
async function sentAs<Item>(column: RowColumns<Item>[string], items: readonly Item[]): Promise<(string | null)[]> {
  const statement = defineStatement<readonly Item[], { back: string | null }>(
    `back_${column[0]}`,
    ({ rows }) => `SELECT r.value::text AS back FROM ${rows('r', (given) => given, { value: column })}`,
  );
  const rows = await connections.db.$transaction((tx) => tx.run(statement, items));
  return rows.map(({ back }) => back);
}

const self = <Value>(value: Value) => value;

describe('what is sent arrives unchanged', () => {
  it('texts', async () => {
    const values = ['', 'NULL', ' a ', '{}', '"', '\\"', "'", '\n\t', 'ÄÖ€😀', 'x'.repeat(3_000_000)];
    expect(await sentAs(['text', self<string>], values)).toEqual(values);
    expect(await sentAs(['text', self<string>], [])).toEqual([]);
  });

  it('whole numbers', async () => {
    const integers = [0, -1, 2_147_483_647, -2_147_483_648, null];
    expect(await sentAs(['int', self<number | null>], integers)).toEqual(
      integers.map((value) => value?.toString() ?? null),
    );
    const larger = [0, -1, 1_780_587_173_668, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER, -(2 ** 32), null];
    expect(await sentAs(['int8', self<number | null>], larger)).toEqual(
      larger.map((value) => value?.toString() ?? null),
    );
  });

  it('fractions', async () => {
    const doubles = [0.1, -1e-300, 1.797_693_134_862_315_7e308, 1_780_587_173_668.125, null];
    const back = await sentAs(['float8', self<number | null>], doubles);
    expect(back.map((text) => text && Number(text))).toEqual(doubles);
    expect(await sentAs(['real', self<number | null>], [-48.5, null])).toEqual(['-48.5', null]);
  });
});

it.each([2 ** 31, 0.5, Number.NaN])('%d is rejected as a 32-bit integer', async (value) => {
  const rejected = sentAs(['int', self<number>], [value]).catch(storageFault);
  expect(await rejected).toBe('content');
});
