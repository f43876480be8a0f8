import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { expect, test } from 'vitest';
import { migrate } from '../../server/kernel/database/migrate.js';
import { createLog } from '../../server/kernel/log.js';
import { createTestFolder } from '../support/folder.js';
import { createEmptyDatabase } from '../support/postgres.js';

/** The number by which `prisma migrate` and the service take turns. */
const migrateLock = 72_707_369;

test('an index is built concurrently while another process waits for its turn to migrate', async () => {
  await using database = await createEmptyDatabase();
  using folder = createTestFolder();
  const scripts = {
    '1_table': '-- Locks: none.\nCREATE TABLE things (id int);',
    '2_index': '-- Outside of a transaction.\n-- Locks: none.\nCREATE INDEX CONCURRENTLY things_id ON things (id);',
  };
  for (const [name, script] of Object.entries(scripts)) {
    mkdirSync(path.join(folder.path, name));
    writeFileSync(path.join(folder.path, name, 'migration.sql'), script);
  }
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query('SELECT pg_advisory_lock($1)', [migrateLock]);
  const start = () => migrate({ url: database.url, log: createLog('silent'), folder: folder.path });
  const starts = Promise.all([start(), start()]);
  const connected = async () => {
    const { rows } = await client.query<{ n: number }>(
      `SELECT count(*)::int AS n FROM pg_stat_activity
        WHERE datname = current_database() AND application_name = 'whereabouts migrate' AND query LIKE '%advisory%'`,
    );
    return rows[0]?.n;
  };
  await expect.poll(connected).toBe(2);
  await client.query('SELECT pg_advisory_unlock($1)', [migrateLock]);
  expect((await starts).toSorted((one, two) => one.length - two.length)).toEqual([[], Object.keys(scripts)]);
  await client.end();
});
