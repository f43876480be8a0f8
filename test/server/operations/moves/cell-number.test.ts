import { expect, test } from 'vitest';
import { claimIdRanges } from '../../../../server/operations/moves/cell-number.js';
import { createTestDatabase, query } from '../../../support/postgres.js';

const addOrganization = async (url: string) =>
  (await query<{ id: number }>(url, `INSERT INTO organizations (name) VALUES ('Acme') RETURNING id`))[0]?.id ?? 0;

test('a cell generates ids of its own range, however often its processes start', async () => {
  await using database = await createTestDatabase();
  const { url } = database;
  await claimIdRanges({ url, cellNumber: 3 });
  const first = await addOrganization(url);
  expect(first).toBeGreaterThan(3 * 2 ** 26);
  await Promise.all([claimIdRanges({ url, cellNumber: 3 }), claimIdRanges({ url, cellNumber: 3 })]);
  expect(await addOrganization(url)).toBe(first + 1);
  const ranges = await query<{ type: string; max: string }>(
    url,
    `SELECT DISTINCT data_type::text AS type, max_value::text AS max FROM pg_sequences WHERE schemaname = 'public' ORDER BY 1`,
  );
  expect(ranges).toEqual([
    { type: 'bigint', max: String(4 * 2 ** 48 - 1) },
    { type: 'integer', max: String(4 * 2 ** 26 - 1) },
  ]);
});

test('the ids of the last cell fit into an integer, and into a double', async () => {
  await using database = await createTestDatabase();
  await claimIdRanges({ url: database.url, cellNumber: 31 });
  expect(await addOrganization(database.url)).toBeLessThan(2 ** 31);
  expect(32 * 2 ** 48 - 1).toBeLessThanOrEqual(Number.MAX_SAFE_INTEGER);
});

test('an installation that was never numbered keeps its ids as cell 0, and cannot become a lower cell than it was', async () => {
  await using database = await createTestDatabase();
  const { url } = database;
  const before = await addOrganization(url);
  await claimIdRanges({ url, cellNumber: 0 });
  expect(await addOrganization(url)).toBe(before + 1);
  await claimIdRanges({ url, cellNumber: 2 });
  await addOrganization(url);
  await expect(claimIdRanges({ url, cellNumber: 1 })).rejects.toThrow('past the ids of that cell');
});
