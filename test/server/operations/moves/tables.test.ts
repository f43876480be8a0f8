import pg from 'pg';
import { expect, test } from 'vitest';
import { accountTables, movedTables, stayingTables } from '../../../../server/operations/moves/tables.js';
import { readTables } from '../../../../server/operations/backup/catalog.js';
import { createTestDatabase } from '../../../support/postgres.js';

test('every table either moves with its organization or stays, and one with org_id moves', async () => {
  await using database = await createTestDatabase();
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const tables = (await readTables(client)).filter(({ schema }) => schema === 'public');
  await client.end();
  const known = [...Object.keys(movedTables), ...accountTables, ...stayingTables];
  expect(known.toSorted()).toEqual(tables.map(({ name }) => name).toSorted());
  const ofOrganizations = tables.filter(({ columns }) => columns.includes('org_id')).map(({ name }) => name);
  expect(ofOrganizations.filter((name) => !movedTables[name])).toEqual([]);
});

test('columns that the rules name exist', async () => {
  await using database = await createTestDatabase();
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const columns = new Map((await readTables(client)).map((table) => [table.name, table.columns]));
  await client.end();
  for (const [name, { unguarded = [], left = [] }] of Object.entries(movedTables)) {
    expect([name, columns.get(name)]).toEqual([name, expect.arrayContaining([...unguarded, ...left])]);
  }
});
