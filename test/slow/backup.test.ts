import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync, readdirSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { expect, test } from 'vitest';
import { backUp, restore } from '../../server/operations/admin/backup-command.js';
import { createResetLink } from '../../server/operations/admin/reset-password-command.js';
import { readMigrationStates, readTables, quoteName, tableName } from '../../server/operations/backup/catalog.js';
import { createLog } from '../../server/kernel/log.js';
import { readSettings } from '../../server/kernel/settings.js';
import { projectRoot } from '../../server/kernel/project-root.js';
import { createTestFolder } from '../support/folder.js';
import { createEmptyDatabase, createTestDatabase } from '../support/postgres.js';
import { createScanWorld } from '../support/scan-world.js';
import { addressIn, startService } from '../support/service-process.js';

const secret = 'the secret of the service that is backed up';
const log = createLog('silent');
const strict = { acceptsOtherSecret: false, acceptsUnsigned: false, pausesOutbound: false };

function settingsOf(databaseUrl: string, authSecret = secret) {
  return readSettings({ DATABASE_URL: databaseUrl, AUTH_SECRET: authSecret });
}

type Json = Record<string, unknown>;

async function post(url: string, body: Json, token?: string): Promise<Json> {
  const headers = { 'Content-Type': 'application/json', ...(token && { Authorization: `Bearer ${token}` }) };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  expect(response.status, url).toBeLessThan(300);
  return (await response.json()) as Json;
}

async function trpc(url: string, input: Json, token?: string): Promise<Json> {
  return ((await post(url, input, token)) as { result: { data: Json } }).result.data;
}

async function rest(address: string, key: string, asset: Json): Promise<Json> {
  return ((await post(`${address}/api/v1/assets`, asset, key)) as { data: Json }).data;
}

/** A command as an operator runs it, with the data of `startService` in the folder. */
function runAdmin(folder: string, args: string[]): Promise<{ code: number | null; output: string; messages: string }> {
  const { PATH = '', HOME = folder } = process.env;
  const child = spawn(process.execPath, [path.join(projectRoot(), 'dist', 'admin.js'), ...args], {
    cwd: folder,
    env: { PATH, HOME, DATA_DIR: path.join(folder, 'data') },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  let messages = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (messages += text));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, output, messages }));
  });
}

/** The rows of every table as text, in an order of their own, and where every sequence stands. */
async function contentOf(url: string): Promise<Record<string, string[]>> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const content: Record<string, string[]> = {};
    for (const table of await readTables(client)) {
      const name = quoteName(table.schema, table.name);
      const { rows } = await client.query<{ row: string }>(`SELECT t::text AS row FROM ${name} t ORDER BY 1`);
      content[tableName(table)] = rows.map(({ row }) => row);
    }
    const { rows } = await client.query<{ row: string }>(
      "SELECT sequencename || ' ' || coalesce(last_value::text, '') AS row FROM pg_sequences ORDER BY 1",
    );
    content['sequences'] = rows.map(({ row }) => row);
    content['migrations'] = (await readMigrationStates(client)).map(({ name }) => name);
    return content;
  } finally {
    await client.end();
  }
}

/** A service on a database of its own, in which something of every kind has happened. */
async function createUsedWorld() {
  const world = await createScanWorld();
  const org = await world.organization();
  const { admin } = org;
  const hall = (
    await admin.locations.create({
      name: 'Hall “1” \\N',
      description: 'Two\tlines\n\\.',
      tags: [{ tag_type: 'rfid', value: 'HALL' }],
    })
  ).data.id;
  const asset = await org.asset({ tags: [['rfid', 'E280']] });
  await org.reader({ location_id: hall, antennas: [{ port: 1, location_id: hall }] });
  await admin.apiKeys.create({ name: 'Warehouse system', scopes: ['assets:read'], expires_at: null });
  const submission_id = '01J00000000000000000000001';
  await admin.scans.submit({ submission_id, location_id: hall, reads: [{ asset_id: asset }, { value: 'nobody’s' }] });
  return { world, org, asset };
}

test('a backup restores into an empty database, row for row', async () => {
  const used = await createUsedWorld();
  await using world = used.world;
  // What is counted in memory is stored with the stop, so that nothing changes between the backup and the comparison.
  await world.core.stop();
  using folder = createTestFolder();
  const file = path.join(folder.path, 'all.tar.gz');
  const settings = settingsOf(world.databaseUrl);
  const digests = await backUp(file, { settings, log, output: process.stdout });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder.path)).toEqual(['all.tar.gz']);
  expect(digests.find(({ table }) => table === 'public.scan_events')).toMatchObject({ rows: 1 });

  await using target = await createEmptyDatabase();
  const restored = await restore(file, {
    settings: settingsOf(target.url),
    log,
    input: process.stdin,
    ...strict,
  });
  expect(restored).toEqual(digests);
  expect(await contentOf(target.url)).toEqual(await contentOf(world.databaseUrl));
});

test('a restored database continues the ids and counts of the original, and rejects a second restore', async () => {
  const used = await createUsedWorld();
  await using world = used.world;
  using folder = createTestFolder();
  const file = path.join(folder.path, 'all.tar.gz');
  await backUp(file, { settings: settingsOf(world.databaseUrl), log, output: process.stdout });
  await using target = await createEmptyDatabase();
  const options = { settings: settingsOf(target.url), log, input: process.stdin, ...strict };
  await restore(file, options);
  const client = new pg.Client({ connectionString: target.url });
  await client.connect();
  try {
    const insert = `INSERT INTO assets (org_id, external_key, name, valid_from, created_at, updated_at)
                    VALUES ($1, 'NEXT', 'Next', now(), now(), now()) RETURNING id`;
    const { rows } = await client.query<{ id: number }>(insert, [used.org.orgId]);
    expect(rows[0]?.id).toBeGreaterThan(used.asset);
    const counts = await client.query('SELECT * FROM row_counts WHERE org_id = $1', [used.org.orgId]);
    expect(counts.rows.length).toBeGreaterThan(0);
  } finally {
    await client.end();
  }
  await expect(restore(file, options)).rejects.toThrow('the database is in use');
});

test('a backup that was truncated or changed leaves nothing behind', async () => {
  const used = await createUsedWorld();
  await using world = used.world;
  using folder = createTestFolder();
  const file = path.join(folder.path, 'all.tar.gz');
  const settings = settingsOf(world.databaseUrl);
  await backUp(file, { settings, log, output: process.stdout });
  await expect(backUp(file, { settings, log, output: process.stdout })).rejects.toThrow('exists already');

  const whole = readFileSync(file);
  const cut = path.join(folder.path, 'cut.tar.gz');
  writeFileSync(cut, whole);
  truncateSync(cut, whole.length - 200);
  const noise = path.join(folder.path, 'noise.tar.gz');
  writeFileSync(noise, randomBytes(1000));
  await using target = await createTestDatabase();
  const options = { settings: settingsOf(target.url), log, input: process.stdin, ...strict };
  await expect(restore(cut, options)).rejects.toThrow(/nothing of it was kept/);
  await expect(restore(noise, options)).rejects.toThrow('this is no backup of Whereabouts');
  expect((await contentOf(target.url))['public.organizations']).toEqual([]);
  await restore(file, options);
  expect((await contentOf(target.url))['public.organizations']).toHaveLength(1);
});

test('a restore with another AUTH_SECRET is rejected unless it is explicitly allowed', async () => {
  const used = await createUsedWorld();
  await using world = used.world;
  using folder = createTestFolder();
  const file = path.join(folder.path, 'all.tar.gz');
  await backUp(file, { settings: settingsOf(world.databaseUrl), log, output: process.stdout });
  await using target = await createEmptyDatabase();
  const options = { settings: settingsOf(target.url, 'another secret that is long enough'), log, input: process.stdin };
  await expect(restore(file, { ...options, ...strict })).rejects.toThrow(/AUTH_SECRET is not the one/);
  await restore(file, { ...options, ...strict, acceptsOtherSecret: true });
});

test('the embedded database is backed up while it runs, and a service starts on the restored data', async () => {
  using folder = createTestFolder();
  await using service = startService({ folder: folder.path });
  const address = addressIn(await service.ready, 'http');
  const account = { email: 'ada@example.com', password: 'analytical engine' };
  const signUp = await trpc(`${address}/trpc/session.signUp`, { organization_name: 'Acme', name: 'Ada', ...account });
  const scopes = ['assets:read', 'assets:write'];
  const key = await trpc(
    `${address}/trpc/apiKeys.create`,
    { name: 'Key', scopes, expires_at: null },
    signUp.token as string,
  );
  const asset = await rest(address, key.token as string, { name: 'Pallet 42' });

  const file = path.join(folder.path, 'all.tar.gz');
  const backup = await runAdmin(folder.path, ['backup', file]);
  expect(backup).toMatchObject({ code: 0, messages: expect.stringMatching(/Backed up \d+ rows/) });
  const link = await runAdmin(folder.path, ['reset-password', 'ADA@example.com']);
  expect(link.output).toMatch(/^http:\/\/localhost:\d+\/reset-password#[\w-]{40,}\n$/);
  await service.stop('SIGTERM');

  using other = createTestFolder();
  expect(await runAdmin(other.path, ['restore', file])).toMatchObject({ code: 0 });
  await using restored = startService({ folder: other.path });
  const restoredAddress = addressIn(await restored.ready, 'http');
  await trpc(`${restoredAddress}/trpc/session.signIn`, account);
  const headers = { Authorization: `Bearer ${key.token as string}` };
  const found = await fetch(`${restoredAddress}/api/v1/assets/${asset.id as number}`, { headers });
  expect(await found.json()).toEqual({ data: asset });
  expect(await runAdmin(other.path, ['restore', file])).toMatchObject({
    code: 1,
    messages: expect.stringMatching(/a service runs on/),
  });
}, 120_000);

test('mistakes are reported with a line that explains what to do', async () => {
  using folder = createTestFolder();
  expect(await runAdmin(folder.path, ['bakup'])).toMatchObject({
    code: 1,
    messages: expect.stringMatching(/unknown command: bakup/),
  });
  expect(await runAdmin(folder.path, ['restore'])).toMatchObject({
    code: 1,
    messages: expect.stringMatching(/restore needs a file/),
  });
  await using database = await createTestDatabase();
  const settings = settingsOf(database.url);
  await expect(createResetLink('nobody@example.com', { settings, log })).rejects.toThrow('nobody has the email');
});
