import { chmodSync, mkdirSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { openTestDb } from './models.js';
import { startEmbeddedDatabase } from '../../server/kernel/database/embedded.js';
import { migrate } from '../../server/kernel/database/migrate.js';
import { activityLog, ensurePartitions } from '../../server/kernel/database/partitions.js';
import { createLog } from '../../server/kernel/log.js';
import { readSettings } from '../../server/kernel/settings.js';

declare module 'vitest' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- extends an interface of the library
  interface ProvidedContext {
    /** Of the migrated database that test databases are cloned from; nobody may be connected to it. */
    templateUrl: string;
    /** Of the same with the partitions that the first start of a service creates. */
    startedTemplateUrl: string;
    /** Deleted at the end of the run. Every user of the machine may pass it. */
    runFolder: string;
  }
}

/** Tests need no durability, and databases by the dozen. */
const serverSettings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '500',
  shared_buffers: '128MB',
  max_wal_size: '256MB',
  autovacuum_naptime: '5min',
};

const memoryFolder = '/dev/shm';

/** More than the data of a run takes at its peak. */
const memoryMinBytes = 2 ** 31;

/**
 * Returns where the data is fastest: in memory, if enough is free. Each database has 700 files, and the file system of a disk can
 * take longer to create and delete them than PostgreSQL takes for everything else.
 */
function dataParent(): string {
  try {
    const { bavail, bsize } = statfsSync(memoryFolder);
    if (bavail * bsize >= memoryMinBytes) return memoryFolder;
  } catch {
    // Only Linux has the folder.
  }
  return tmpdir();
}

/** One PostgreSQL for the whole run, with migrated databases as the templates of all others. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(path.join(dataParent(), 'whereabouts-test-'));
  chmodSync(folder, 0o711);
  const dataDir = path.join(folder, 'data');
  mkdirSync(dataDir);
  const log = createLog('silent');
  const database = await startEmbeddedDatabase({ dataDir, log, serverSettings });
  const [templateUrl, startedTemplateUrl] = await createTemplates(database.url);
  project.provide('templateUrl', templateUrl);
  project.provide('startedTemplateUrl', startedTemplateUrl);
  project.provide('runFolder', folder);
  return async () => {
    await database.stop();
    rmSync(folder, { recursive: true, force: true });
  };
}

/** Returns the addresses of a migrated database, and of one with the partitions of a service that has started. */
async function createTemplates(url: string): Promise<[migrated: string, started: string]> {
  const addressOf = (database: string) => {
    const address = new URL(url);
    address.pathname = `/${database}`;
    return address.href;
  };
  const [migrated, started] = [addressOf('template_migrated'), addressOf('template_started')];
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  // Tests open thousands of connections, and hashing the password 4,096 times for each takes longer than all else.
  await client.query('SET scram_iterations = 1');
  const { username, password } = new URL(url);
  await client.query(`ALTER ROLE ${username} PASSWORD '${password}'`);
  await client.query('CREATE DATABASE template_migrated');
  await migrate({ url: migrated, log: createLog('silent') });
  await client.query('CREATE DATABASE template_started TEMPLATE template_migrated');
  await client.end();
  const db = openTestDb(started, 1);
  const nowMs = Date.now();
  await ensurePartitions(db, { retentionDays: readSettings({}).eventRetentionDays, nowMs });
  await ensurePartitions(db, { retentionDays: 1, nowMs }, activityLog);
  await db.$disconnect();
  return [migrated, started];
}
