import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findEmbeddedDatabase, startEmbeddedDatabase } from '../../server/kernel/database/embedded.js';
import { createLog } from '../../server/kernel/log.js';
import { projectRoot } from '../../server/kernel/project-root.js';
import { createDataSeed, type DataSeed } from '../support/data-folder.js';
import { query } from '../support/postgres.js';

const log = createLog('silent');
const serverSettings = { fsync: 'off', shared_buffers: '16MB' };

let seed: DataSeed;

beforeAll(async () => {
  seed = await createDataSeed(async (url) => {
    await query(url, 'CREATE TABLE kept AS SELECT 42 AS answer');
  });
});

afterAll(() => seed[Symbol.dispose]());

/** The commands of docs/operations.md for a lost password, for the data of a test. */
function commandsOfDocumentation(dataDir: string): string {
  const section = readFileSync(path.join(projectRoot(), 'docs', 'operations.md'), 'utf8').split('## Lost secrets')[1];
  const commands = /```sh\n(.*?)```/s.exec(section ?? '')?.[1] ?? '';
  // Root runs PostgreSQL as the owner of the data.
  const { uid, gid } = statSync(path.join(dataDir, 'postgres'));
  const asOwner = process.getuid?.() === 0 ? `setpriv --reuid ${uid} --regid ${gid} --clear-groups ` : '';
  return commands.replaceAll('.data/', `${dataDir}/`).replace('node_modules/', `${asOwner}node_modules/`);
}

test.for(['auth-secret', 'postgres-password'])('a lost %s is reported, and not replaced', async (name) => {
  using folder = seed.createFolder();
  const dataDir = path.join(folder.path, 'data');
  const file = path.join(dataDir, name);
  const secret = readFileSync(file, 'utf8');
  rmSync(file);
  const start = () => startEmbeddedDatabase({ dataDir, log, serverSettings });
  await expect(start()).rejects.toThrow(`${file} is missing, and the data need it. Copy it back`);
  expect(existsSync(file)).toBe(false);
  writeFileSync(file, '');
  await expect(start()).rejects.toThrow(`${file} is empty`);

  writeFileSync(file, secret);
  const database = await start();
  try {
    rmSync(file);
    expect(() => findEmbeddedDatabase({ dataDir })).toThrow(`${file} is missing`);
    expect(existsSync(file)).toBe(false);
  } finally {
    await database.stop();
  }
});

test('AUTH_SECRET is enough, and without it the data need the file', async () => {
  using folder = seed.createFolder();
  const dataDir = path.join(folder.path, 'data');
  rmSync(path.join(dataDir, 'auth-secret'));
  const authSecret = 'a secret of the environment, long enough';
  const database = await startEmbeddedDatabase({ dataDir, log, serverSettings, authSecret });
  expect(database.authSecret).toBe(authSecret);
  await database.stop();
  await expect(startEmbeddedDatabase({ dataDir, log, serverSettings })).rejects.toThrow('auth-secret is missing');
});

test('the documented commands give the data another password', async () => {
  using folder = seed.createFolder();
  const dataDir = path.join(folder.path, 'data');
  rmSync(path.join(dataDir, 'postgres-password'));
  execFileSync('sh', ['-ec', commandsOfDocumentation(dataDir)], { cwd: projectRoot() });
  const database = await startEmbeddedDatabase({ dataDir, log, serverSettings });
  try {
    expect(await query(database.url, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
  } finally {
    await database.stop();
  }
});
