import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { startEmbeddedDatabase } from '../../server/database/embedded.js';
import { createLog } from '../../server/log.js';
import { createTestFolder, type TestFolder } from './folder.js';

/** The data of an embedded database that has been started before, to be copied: making it takes seconds. */
export type DataSeed = Disposable & {
  /** A folder with a copy of the data in `data/`. */
  createFolder(): TestFolder;
};

/** @param prepare fills the database before it is stopped */
export async function createDataSeed(prepare: (url: string) => Promise<void>): Promise<DataSeed> {
  const seed = createTestFolder('seed');
  const dataDir = path.join(seed.path, 'data');
  const serverSettings = { fsync: 'off', shared_buffers: '16MB' };
  const database = await startEmbeddedDatabase({ dataDir, log: createLog('silent'), serverSettings });
  try {
    await prepare(database.url);
  } finally {
    await database.stop();
  }
  return {
    createFolder() {
      const folder = createTestFolder();
      execFileSync('cp', ['-a', dataDir, folder.path]);
      return folder;
    },
    [Symbol.dispose]: () => seed[Symbol.dispose](),
  };
}
