import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync } from 'node:fs';
import path from 'node:path';
import { inject } from 'vitest';
import { startEmbeddedDatabase } from '../../server/kernel/database/embedded.js';
import { migrate } from '../../server/kernel/database/migrate.js';
import { createLog } from '../../server/kernel/log.js';
import { createTestFolder, type TestFolder } from './folder.js';

/** The data of an embedded database that has been started and migrated before, to be copied: making it takes seconds. */
export type DataSeed = Disposable & {
  /** A folder with a copy of the data in `data/`. */
  createFolder(): TestFolder;
};

/** The migrated data that the test files of this process copy. The run's folder is deleted at its end. */
let migratedData: Promise<string> | undefined;

async function makeMigratedData(): Promise<string> {
  const folder = mkdtempSync(path.join(inject('runFolder'), 'migrated-'));
  chmodSync(folder, 0o711);
  const dataDir = path.join(folder, 'data');
  await runDatabase(dataDir, (url) => migrate({ url, log: createLog('silent') }));
  return dataDir;
}

async function runDatabase(dataDir: string, work: (url: string) => Promise<unknown>): Promise<void> {
  const serverSettings = { fsync: 'off', shared_buffers: '16MB' };
  const database = await startEmbeddedDatabase({ dataDir, log: createLog('silent'), serverSettings });
  try {
    await work(database.url);
  } finally {
    await database.stop();
  }
}

function copyData(dataDir: string, folder: TestFolder): void {
  execFileSync('cp', ['-a', dataDir, folder.path]);
}

/** @param fill fills the migrated database before it is copied */
export async function createDataSeed(fill?: (url: string) => Promise<void>): Promise<DataSeed> {
  migratedData ??= makeMigratedData();
  const migrated = await migratedData;
  const seed = createTestFolder('seed');
  copyData(migrated, seed);
  const dataDir = path.join(seed.path, 'data');
  if (fill) await runDatabase(dataDir, fill);
  return {
    createFolder() {
      const folder = createTestFolder();
      copyData(dataDir, folder);
      return folder;
    },
    [Symbol.dispose]: () => seed[Symbol.dispose](),
  };
}
