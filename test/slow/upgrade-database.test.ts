import { chmodSync, existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { upgradeDatabase } from '../../server/operations/admin/upgrade-database-command.js';
import { startEmbeddedDatabase } from '../../server/kernel/database/embedded.js';
import { findBinaries } from '../../server/kernel/database/embedded/binaries.js';
import { createLog } from '../../server/kernel/log.js';
import { readSettings } from '../../server/kernel/settings.js';
import { createDataSeed, type DataSeed } from '../support/data-folder.js';
import type { TestFolder } from '../support/folder.js';

const log = createLog('silent');
let seed: DataSeed;

beforeAll(async () => {
  seed = await createDataSeed(async (url) => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query("INSERT INTO organizations (name) SELECT 'Organization ' || n FROM generate_series(1, 50) AS n");
    await client.end();
  });
});

afterAll(() => seed[Symbol.dispose]());

/** Data that say they are of PostgreSQL 17. The folder `programs` has a server that takes them, in place of an older package. */
function createOlderData(): TestFolder {
  const folder = seed.createFolder();
  writeFileSync(path.join(folder.path, 'data', 'postgres', 'PG_VERSION'), '17\n');
  const { postgres, pgCtl } = findBinaries();
  const programs = path.join(folder.path, 'programs');
  mkdirSync(programs, { mode: 0o755 });
  const script = (file: string, lines: string) => {
    writeFileSync(path.join(programs, file), `#!/bin/sh\n${lines}\n`);
    chmodSync(path.join(programs, file), 0o755);
  };
  script('postgres', `echo 18 > "$2/PG_VERSION"\nexec '${postgres}' "$@"`);
  script('pg_ctl', `exec '${pgCtl}' "$@"`);
  return folder;
}

function optionsOf({ path: folder }: TestFolder, env: Record<string, string> = {}) {
  const settings = readSettings({ DATA_DIR: path.join(folder, 'data'), ...env });
  return { settings, log, binariesFolder: path.join(folder, 'programs') };
}

async function countOrganizations({ path: folder }: TestFolder): Promise<number> {
  const database = await startEmbeddedDatabase({ dataDir: path.join(folder, 'data'), log });
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const { rows } = await client.query<{ n: number }>('SELECT count(*)::int AS n FROM organizations');
  await client.end();
  await database.stop();
  return rows[0]?.n ?? 0;
}

test('data of an earlier PostgreSQL version is rejected at the start, and one command upgrades it', async () => {
  using folder = createOlderData();
  const dataDir = path.join(folder.path, 'data');
  await expect(startEmbeddedDatabase({ dataDir, log })).rejects.toThrow('run npm run upgrade-database');
  const upgrade = await upgradeDatabase(optionsOf(folder));
  expect(upgrade).toMatchObject({ from: '17', to: '18', oldFiles: path.join(dataDir, 'postgres.17') });
  expect(upgrade?.digests).toContainEqual(
    expect.objectContaining({ table: expect.stringContaining('organizations'), rows: 50 }),
  );
  expect(existsSync(upgrade?.backupFile ?? '')).toBe(true);
  expect(existsSync(path.join(dataDir, 'upgrade'))).toBe(false);
  expect(await countOrganizations(folder)).toBe(50);
  expect(await upgradeDatabase(optionsOf(folder))).toBeUndefined();
});

test('an upgrade that was killed before its last step is completed by the next start', async () => {
  using folder = seed.createFolder();
  const dataDir = path.join(folder.path, 'data');
  renameSync(path.join(dataDir, 'postgres'), path.join(dataDir, 'postgres.upgraded'));
  expect(await countOrganizations(folder)).toBe(50);
});

test('an upgrade that fails leaves the data unchanged', async () => {
  using folder = createOlderData();
  const { binariesFolder } = optionsOf(folder);
  renameSync(path.join(binariesFolder, 'postgres'), path.join(binariesFolder, 'postgres.away'));
  await expect(upgradeDatabase(optionsOf(folder))).rejects.toThrow(/programs\/postgres is missing$/);
  renameSync(path.join(binariesFolder, 'postgres.away'), path.join(binariesFolder, 'postgres'));
  expect((await upgradeDatabase(optionsOf(folder)))?.from).toBe('17');
});

test('an external database and a folder without data are rejected', async () => {
  using folder = seed.createFolder();
  const url = { DATABASE_URL: 'postgresql://db/whereabouts', AUTH_SECRET: 's'.repeat(32) };
  await expect(upgradeDatabase(optionsOf(folder, url))).rejects.toThrow('DATABASE_URL is set');
  const elsewhere = { DATA_DIR: path.join(folder.path, 'nothing') };
  await expect(upgradeDatabase(optionsOf(folder, elsewhere))).rejects.toThrow('has no database');
});
