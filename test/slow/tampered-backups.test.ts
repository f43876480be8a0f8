import { createWriteStream, existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { backUp, restore } from '../../server/operations/admin/backup-command.js';
import { readArchive, readWhole, writeArchive } from '../../server/operations/backup/archive.js';
import { createLog } from '../../server/kernel/log.js';
import { readSettings, type Settings } from '../../server/kernel/settings.js';
import { createTestFolder, type TestFolder } from '../support/folder.js';
import { createStartedDatabase, createTestDatabase, query, type TestDatabase } from '../support/postgres.js';

type Entry = { name: string; content: Buffer };
type Json = Record<string, unknown> & { partitions: { bound: string }[]; tables: Record<string, unknown>[] };

const log = createLog('silent');
const backupKey = 'the key that the operator keeps elsewhere';

function settingsOf({ url }: TestDatabase, key?: string): Settings {
  const env = { DATABASE_URL: url, AUTH_SECRET: 'the secret of the service that is backed up' };
  return readSettings({ ...env, ...(key !== undefined && { BACKUP_KEY: key }) });
}

let folder: TestFolder;
let source: TestDatabase;

/** The entries of a backup, signed or not. */
let unsigned: Entry[];
let signed: Entry[];

async function entriesOf(file: string): Promise<Entry[]> {
  const entries: Entry[] = [];
  for await (const entry of readArchive(Readable.from(readFileSync(file)))) {
    entries.push({ name: entry.name, content: await readWhole(entry) });
  }
  return entries;
}

beforeAll(async () => {
  folder = createTestFolder();
  source = await createStartedDatabase();
  await query(source.url, "INSERT INTO organizations (name) VALUES ('Acme')");
  await query(source.url, "INSERT INTO users (email, name, password_hash) VALUES ('ada@example.com', 'Ada', 'x')");
  const back = async (name: string, key?: string) => {
    const file = path.join(folder.path, name);
    await backUp(file, { settings: settingsOf(source, key), log, output: process.stdout });
    return await entriesOf(file);
  };
  unsigned = await back('unsigned.tar.gz');
  signed = await back('signed.tar.gz', backupKey);
});

afterAll(async () => {
  await source[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

let files = 0;

/** Restores an archive of these entries into an empty database; resolves to the names of its organizations. */
async function restored(entries: Entry[], options: { key?: string; acceptsUnsigned?: boolean } = {}) {
  const file = path.join(folder.path, `${(files += 1)}.tar.gz`);
  const archive = writeArchive(createWriteStream(file));
  for (const { name, content } of entries) await archive.add(name, content);
  await archive.end();
  await using target = await createTestDatabase();
  const { acceptsUnsigned = false } = options;
  const accepts = { acceptsOtherSecret: false, acceptsUnsigned, pausesOutbound: false };
  try {
    await restore(file, { settings: settingsOf(target, options.key), log, input: process.stdin, ...accepts });
  } catch (error) {
    expect(await query(target.url, 'SELECT FROM users')).toEqual([]);
    throw error;
  }
  return await query(target.url, 'SELECT email FROM users ORDER BY email');
}

/** Returns the entries with one of them changed. */
const changed = (entries: Entry[], name: string, change: (content: string) => string) =>
  entries.map((entry) =>
    entry.name === name ? { name, content: Buffer.from(change(entry.content.toString())) } : entry,
  );

const changedManifest = (change: (manifest: Json) => unknown) =>
  changed(unsigned, 'manifest.json', (content) => {
    const manifest = JSON.parse(content) as Json;
    change(manifest);
    return JSON.stringify(manifest);
  });

const changedBound = (change: (bound: string) => string) =>
  changedManifest((manifest) => {
    manifest.partitions = manifest.partitions.map((partition) => ({ ...partition, bound: change(partition.bound) }));
  });

const rowsOf = (table: string) => (entry: Entry) => entry.name.startsWith(`tables/${table}/`);

test('a changed manifest is never executed as SQL', async () => {
  const proof = path.join('/tmp', `proof-of-${path.basename(folder.path)}`);
  const command = `; COPY (SELECT 1) TO PROGRAM 'touch ${proof}'; --`;
  const attempts = [
    changedBound((bound) => bound + command),
    changedBound(() => `FOR VALUES IN (pg_ls_dir('/'))`),
    changedManifest((manifest) => manifest.tables.push({ schema: 'pg_catalog', name: 'pg_class', columns: [] })),
    changedManifest((manifest) => Object.assign(manifest, { more: true })),
    changed(unsigned, 'secrets.json', () => JSON.stringify({ auth_secret: 'two\nlines' })),
  ];
  for (const attempt of attempts) await expect(restored(attempt)).rejects.toThrow('damaged or was changed');
  const unknown = changedManifest((manifest) =>
    manifest.tables.push({ schema: 'pg_catalog', name: 'pg_class', columns: ['relname'] }),
  );
  await expect(restored(unknown)).rejects.toThrow('another schema than the backup (pg_catalog.pg_class');
  expect(existsSync(proof)).toBe(false);
  expect(await restored(unsigned)).toEqual([{ email: 'ada@example.com' }]);
});

test('the size of the manifest, the secrets and the summary is limited', async () => {
  for (const name of ['manifest.json', 'secrets.json', 'summary.json']) {
    const long = changed(unsigned, name, (content) => content + ' '.repeat(5 * 1024 * 1024));
    await expect(restored(long)).rejects.toThrow(`${name} is longer than`);
  }
});

test('rows that the summary does not cover are rejected', async () => {
  const users = unsigned.find(rowsOf('public.users'));
  if (!users) throw new Error('the backup has no users');
  const line = users.content.toString().replaceAll('ada@', 'eve@').replace(/^\d+/, '99');
  const evil = { name: users.name, content: Buffer.from(line) };
  // Before the rows of other tables, and so apart from the genuine ones.
  const first = unsigned.findIndex(({ name }) => name.startsWith('tables/'));
  const twice = [...unsigned.slice(0, first), evil, ...unsigned.slice(first)];
  await expect(restored(twice)).rejects.toThrow('has the rows of public.users in two parts');
  const notSummed = changed(unsigned, 'summary.json', (content) => {
    const summary = JSON.parse(content) as { tables: { table: string }[] };
    return JSON.stringify({ ...summary, tables: summary.tables.filter(({ table }) => table !== 'public.users') });
  });
  await expect(restored(notSummed)).rejects.toThrow('the rows of public.users differ');
});

test('with BACKUP_KEY only a backup that is signed with it is restored, and only as a whole', async () => {
  expect(await restored(signed, { key: backupKey })).toEqual([{ email: 'ada@example.com' }]);
  // Without the key a signed backup is restored as well.
  expect(await restored(signed)).toEqual([{ email: 'ada@example.com' }]);
  const otherKey = 'another key, which is long enough as well';
  await expect(restored(signed, { key: otherKey })).rejects.toThrow('signed with another BACKUP_KEY');
  await expect(restored(unsigned, { key: backupKey })).rejects.toThrow('not signed, and BACKUP_KEY is set');
  expect(await restored(unsigned, { key: backupKey, acceptsUnsigned: true })).toHaveLength(1);

  const manifest = changed(signed, 'manifest.json', (content) => `${content} `);
  await expect(restored(manifest, { key: backupKey })).rejects.toThrow('the backup was changed');
  const cut = signed.filter(({ name }) => name !== 'signature.json');
  await expect(restored(cut, { key: backupKey })).rejects.toThrow('not signed');
  // Rows with a summary of their own, between the genuine signatures.
  const rows = changed(signed, 'summary.json', (content) => content.replace(/"value": "1"/, '"value": "7"'));
  await expect(restored(rows, { key: backupKey })).rejects.toThrow('the backup was changed');
});
