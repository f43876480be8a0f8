import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { chmodSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { startEmbeddedDatabase } from '../../server/database/embedded.js';
import { migrate } from '../../server/database/migrate.js';
import { createLog } from '../../server/log.js';

declare module 'vitest' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- extends an interface of the library
  interface ProvidedContext {
    /** Of the database that every test database is cloned from; nobody may be connected to it. */
    templateUrl: string;
  }
}

/** Tests need no durability, and databases by the dozen. */
const serverSettings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '500',
  shared_buffers: '128MB',
  autovacuum_naptime: '5min',
};

/** One PostgreSQL for the whole run, with one migrated database as the template of all others. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(path.join(tmpdir(), 'whereabouts-test-'));
  chmodSync(folder, 0o711);
  const dataDir = path.join(folder, 'data');
  mkdirSync(dataDir);
  const log = createLog('silent');
  const database = await startEmbeddedDatabase({ dataDir, log, serverSettings });
  const templateUrl = new URL(database.url);
  templateUrl.pathname = '/template_whereabouts';
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query('CREATE DATABASE template_whereabouts');
  await client.end();
  await migrate({ url: templateUrl.href, log });
  project.provide('templateUrl', templateUrl.href);
  return async () => {
    await database.stop();
    rmSync(folder, { recursive: true, force: true });
  };
}
