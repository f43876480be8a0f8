import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type EmbeddedDatabase, startEmbeddedDatabase } from '../../server/kernel/database/embedded.js';
import { isAlive } from '../../server/kernel/database/embedded/postmaster.js';
import { createLog } from '../../server/kernel/log.js';
import { StartError } from '../../server/kernel/start-error.js';
import { createDataSeed, type DataSeed } from '../support/data-folder.js';
import { createTestFolder } from '../support/folder.js';
import { query } from '../support/postgres.js';

const log = createLog('silent');
const serverSettings = { fsync: 'off', shared_buffers: '16MB' };

type Running = EmbeddedDatabase & AsyncDisposable;

/** The embedded database on a folder; stopped when the test is over. */
async function start(dataDir: string): Promise<Running> {
  const database = await startEmbeddedDatabase({ dataDir, log, serverSettings });
  let stopped: Promise<void> | undefined;
  const stop = (deadline?: number) => {
    stopped ??= database.stop(deadline);
    return stopped;
  };
  return { ...database, stop, [Symbol.asyncDispose]: () => stop() };
}

let seed: DataSeed;

beforeAll(async () => {
  seed = await createDataSeed(async (url) => {
    await query(url, 'CREATE TABLE kept AS SELECT 42 AS answer');
  });
});

afterAll(() => seed[Symbol.dispose]());

const dataOf = (folder: { path: string }) => path.join(folder.path, 'data');

function postmasterPid(dataDir: string): number {
  return Number(readFileSync(path.join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]);
}

test('the first start creates the data, and a later start finds it', async () => {
  using folder = createTestFolder("a folder's name, with spaces");
  const dataDir = path.join(folder.path, 'not there yet', 'data');
  const first = await start(dataDir);
  await query(first.url, 'CREATE TABLE kept AS SELECT 42 AS answer');
  await first.stop();
  await using second = await start(dataDir);
  expect({ url: second.url, authSecret: second.authSecret }).toEqual({ url: first.url, authSecret: first.authSecret });
  expect(await query(second.url, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
});

test('only the owner can read the data, and only this machine can reach the server', async () => {
  using folder = createTestFolder();
  const dataDir = path.join(folder.path, 'data');
  await using database = await start(dataDir);
  const modeOf = (name: string) => (statSync(path.join(dataDir, name)).mode & 0o777).toString(8);
  expect(['postgres-password', 'auth-secret', 'postgres'].map(modeOf)).toEqual(['600', '600', '700']);
  expect(Buffer.byteLength(database.authSecret)).toBeGreaterThanOrEqual(32);
  expect(
    await query(
      database.url,
      `SELECT name, setting FROM pg_settings
        WHERE name IN ('listen_addresses', 'unix_socket_directories', 'synchronous_commit') ORDER BY name`,
    ),
  ).toEqual([
    { name: 'listen_addresses', setting: '127.0.0.1' },
    { name: 'synchronous_commit', setting: 'on' },
    { name: 'unix_socket_directories', setting: '' },
  ]);
  const wrong = new URL(database.url);
  wrong.password = 'wrong';
  await expect(query(wrong.href, 'SELECT 1')).rejects.toThrow('password authentication failed');
});

test('stopping ends the server and closes open connections', async () => {
  using folder = seed.createFolder();
  const database = await start(dataOf(folder));
  const pid = postmasterPid(dataOf(folder));
  const client = new pg.Client({ connectionString: database.url });
  client.on('error', () => {});
  await client.connect();
  const ended = new Promise((resolve) => client.once('end', resolve));
  await database.stop();
  await ended;
  expect(isAlive(pid)).toBe(false);
  expect(existsSync(path.join(dataOf(folder), 'postgres', 'postmaster.pid'))).toBe(false);
});

test('a second process on the same data is rejected and does not disturb the first', async () => {
  using folder = seed.createFolder();
  await using first = await start(dataOf(folder));
  const second = start(dataOf(folder));
  await expect(second).rejects.toBeInstanceOf(StartError);
  await expect(second).rejects.toThrow(`another whereabouts (process ${process.pid}) is using this data folder`);
  expect(await query(first.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
});

test('one of two simultaneous first starts succeeds', async () => {
  using folder = createTestFolder();
  const starts = await Promise.allSettled([start(folder.path), start(folder.path)]);
  const running = starts.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
  const refused = starts.flatMap((outcome) => (outcome.status === 'rejected' ? [String(outcome.reason)] : []));
  for (const database of running) await database.stop();
  expect(running).toHaveLength(1);
  expect(refused).toEqual([expect.stringContaining('is using this data folder')]);
});

test('a start succeeds despite the files of a killed server', async () => {
  using folder = seed.createFolder();
  const first = await start(dataOf(folder));
  const lost = new Promise((resolve) => setImmediate(resolve));
  process.kill(postmasterPid(dataOf(folder)), 'SIGKILL');
  await lost;
  await first.stop();
  await using second = await start(dataOf(folder));
  expect(await query(second.url, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
});

test('a lock file that names the process of another program does not stop the start', async () => {
  using folder = seed.createFolder();
  const lines = [process.pid, path.join(dataOf(folder), 'postgres'), 0, 5432, '', '127.0.0.1', '', 'ready', ''];
  writeFileSync(path.join(dataOf(folder), 'postgres', 'postmaster.pid'), lines.join('\n'));
  await using database = await start(dataOf(folder));
  expect(await query(database.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
});

test('the files of a start that was killed halfway are removed', async () => {
  using folder = createTestFolder();
  const draft = path.join(folder.path, 'postgres.new-999999999-x');
  mkdirSync(draft);
  writeFileSync(path.join(draft, 'PG_VERSION'), '18\n');
  await using database = await start(folder.path);
  expect(existsSync(draft)).toBe(false);
  expect(await query(database.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
});

test('another port is chosen if the remembered one is in use', async () => {
  using folder = seed.createFolder();
  const first = await start(dataOf(folder));
  await first.stop();
  const { port } = new URL(first.url);
  const squatter = createServer();
  await new Promise<void>((resolve) => {
    squatter.listen(Number(port), '127.0.0.1', resolve);
  });
  try {
    await using second = await start(dataOf(folder));
    expect(new URL(second.url).port).not.toBe(port);
    expect(await query(second.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  } finally {
    squatter.close();
  }
});

test('data of another major version is rejected', async () => {
  using folder = seed.createFolder();
  writeFileSync(path.join(dataOf(folder), 'postgres', 'PG_VERSION'), '17\n');
  await expect(start(dataOf(folder))).rejects.toThrow('was made by PostgreSQL 17, and this release has PostgreSQL 18');
});

test('a data folder that cannot be created is reported in one line', async () => {
  using folder = createTestFolder();
  const file = path.join(folder.path, 'file');
  writeFileSync(file, '');
  const failure = start(path.join(file, 'data'));
  await expect(failure).rejects.toBeInstanceOf(StartError);
  await expect(failure).rejects.toThrow(/^the data folder .*data cannot be written \(ENOTDIR\): set DATA_DIR/);
});

test('as root, an inaccessible parent folder is reported; its owner can use it', async () => {
  using folder = createTestFolder();
  const closed = path.join(folder.path, 'closed');
  mkdirSync(closed);
  chmodSync(closed, 0o700);
  const dataDir = path.join(closed, 'data');
  if (process.getuid?.() === 0) {
    await expect(start(dataDir)).rejects.toThrow(`cannot access ${closed}. Run chmod o+x "${closed}"`);
  } else {
    await using database = await start(dataDir);
    expect(await query(database.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  }
});

test('losing the server is reported once', async () => {
  using folder = seed.createFolder();
  const losses: unknown[] = [];
  const lost = new Promise<void>((resolve, reject) => {
    const onLost = (error: unknown) => {
      losses.push(error);
      resolve();
    };
    startEmbeddedDatabase({ dataDir: dataOf(folder), log, serverSettings, onLost }).then(
      () => process.kill(postmasterPid(dataOf(folder)), 'SIGKILL'),
      reject,
    );
  });
  await lost;
  expect(losses).toHaveLength(1);
});
