import pg from 'pg';
import { expect, test } from 'vitest';
import { createTestFolder } from '../support/folder.js';
import { createFreezableProxy } from '../support/freezable-proxy.js';
import { pollOptions } from '../support/poll-options.js';
import { createTestDatabase } from '../support/postgres.js';
import { addressIn, startService } from '../support/service-process.js';

const jobConnections = `FROM pg_stat_activity WHERE application_name = 'whereabouts jobs' AND datname = current_database()`;

test('a service survives a lost database while the job queue waits for an answer', async () => {
  await using database = await createTestDatabase();
  const url = new URL(database.url);
  await using proxy = await createFreezableProxy({ host: url.hostname, port: Number(url.port) });
  url.port = String(proxy.port);
  using folder = createTestFolder();
  const env = { DATABASE_URL: url.href, AUTH_SECRET: 'a secret of this test and of no other one' };
  await using service = startService({ folder: folder.path, env });
  const address = addressIn(await service.ready, 'http');
  const other = new pg.Client({ connectionString: database.url });
  await other.connect();
  try {
    const pidsOf = async (condition: string): Promise<number[]> =>
      (await other.query(`SELECT pid ${jobConnections} AND ${condition}`)).rows.map(({ pid }) => pid);
    await other.query('BEGIN; LOCK TABLE graphile_worker._private_jobs');
    await expect.poll(() => pidsOf(`wait_event_type = 'Lock'`), pollOptions).not.toEqual([]);
    const broken = new Set(await pidsOf('true'));
    proxy.cut();
    await other.query('ROLLBACK');
    const isNew = (pid: number) => !broken.has(pid);
    await expect.poll(async () => (await pidsOf(`query LIKE 'LISTEN %'`)).filter(isNew), pollOptions).not.toEqual([]);
  } finally {
    await other.end();
  }
  expect((await fetch(`${address}/healthz`)).status).toBe(200);
}, 120_000);
