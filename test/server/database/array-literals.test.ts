import { afterAll, beforeAll, expect, it } from 'vitest';
import { numbers } from '../../../server/database/array-literals.js';
import { createDatabase, type Database } from '../../../server/database/client.js';
import { createTestDatabase, type TestDatabase } from '../../support/postgres.js';

let database: TestDatabase;
let db: Database;

beforeAll(async () => {
  database = await createTestDatabase();
  db = createDatabase({ url: database.url, poolSize: 1 });
});

afterAll(async () => {
  await db.$disconnect();
  await database[Symbol.asyncDispose]();
});

it.each([[[]], [[1, -2, 0]], [[null]], [[1, null, 3]]])('whole numbers come back as they went: %j', async (values) => {
  const [row] = await db.$queryRaw<[{ back: (number | null)[] }]>`SELECT ${numbers(values)}::int[] AS back`;
  expect(row.back).toEqual(values);
});

it('fractions come back as they went', async () => {
  const values = [0.1, -1e-300, 1.7976931348623157e308, 1_780_587_173_668.125, null];
  const [row] = await db.$queryRaw<[{ back: (number | null)[] }]>`SELECT ${numbers(values)}::float8[] AS back`;
  expect(row.back).toEqual(values);
});
