import { createHash, type Hash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { once } from 'node:events';
import { finished } from 'node:stream/promises';
import pg from 'pg';
import { type CopyStreamQuery, from as copyFrom } from 'pg-copy-streams';
import { migrate } from '../database/migrate.js';
import type { Log } from '../log.js';
import { StartError } from '../start-error.js';
import {
  archiveFormat,
  type ArchiveEntry,
  manifestEntry,
  type Manifest,
  readArchive,
  readJson,
  secretsEntry,
  type Secrets,
  summaryEntry,
  type Summary,
  type TableDigest,
  tableOfEntry,
} from './archive.js';
import { type BackupTable, quoteName, readTables, tableName } from './catalog.js';

export type RestoreOptions = {
  readonly source: Readable;
  readonly log: Log;
  /**
   * Returns the address of the database to restore into, which has to be empty. Called with the secret of the backup
   * before anything is written.
   */
  readonly open: (secrets: Secrets) => Promise<string>;
};

/**
 * Migrates an empty database to the schema of the backup, loads all rows in one transaction, and applies the migrations
 * that have come since. Compares every table with the digests of the backup, and rolls back if anything differs.
 *
 * @returns rows and bytes by table
 * @throws StartError if the database is not empty, or the backup is damaged, truncated, or from a newer release
 */
export async function restoreBackup({ source, log, open }: RestoreOptions): Promise<readonly TableDigest[]> {
  const entries = readArchive(source);
  const manifest = await readFirst<Manifest>(entries, manifestEntry);
  if (manifest.format !== archiveFormat) {
    throw new StartError(`the backup has format ${manifest.format}, and this release reads ${archiveFormat}`);
  }
  const url = await open(await readFirst<Secrets>(entries, secretsEntry));
  await migrate({ url, log, until: manifest.migrations });
  const client = new pg.Client({ connectionString: url, application_name: 'whereabouts restore' });
  await client.connect();
  try {
    await client.query('SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0');
    await client.query('BEGIN');
    const digests = await loadAll(client, manifest, entries);
    await client.query('COMMIT');
    await migrate({ url, log });
    await client.query('ANALYZE');
    return digests;
  } finally {
    await client.end();
  }
}

async function readFirst<Content>(entries: AsyncGenerator<ArchiveEntry>, name: string): Promise<Content> {
  let entry: IteratorResult<ArchiveEntry>;
  try {
    entry = await entries.next();
  } catch (error) {
    throw new StartError('this is no backup of Whereabouts: it is not a gzipped archive', { cause: error });
  }
  if (entry.done || entry.value.name !== name) throw new StartError(`this is no backup of Whereabouts: no ${name}`);
  return readJson<Content>(entry.value);
}

async function loadAll(
  client: pg.Client,
  manifest: Manifest,
  entries: AsyncGenerator<ArchiveEntry>,
): Promise<readonly TableDigest[]> {
  const { tables } = manifest;
  await checkTables(client, tables);
  await checkEmpty(client);
  const names = tables.map(({ schema, name }) => quoteName(schema, name));
  await client.query(`TRUNCATE ${names.join(', ')}`);
  for (const { schema, name, parent, bound } of manifest.partitions) {
    await client.query(
      `CREATE TABLE IF NOT EXISTS ${quoteName(schema, name)} PARTITION OF ${quoteName(schema, parent)} ${bound}`,
    );
  }
  // The rows that triggers would write are in the backup as well.
  for (const name of names) await client.query(`ALTER TABLE ${name} DISABLE TRIGGER USER`);
  const { digests, summary } = await loadRows(client, tables, entries);
  for (const name of names) await client.query(`ALTER TABLE ${name} ENABLE TRIGGER USER`);
  compare(digests, summary);
  for (const { schema, name, value, isCalled } of summary.sequences) {
    await client.query('SELECT setval($1::regclass, $2::bigint, $3)', [quoteName(schema, name), value, isCalled]);
  }
  // Jobs that a process of the old service was running: no process of the new one would finish them otherwise.
  await client.query(
    `UPDATE graphile_worker._private_jobs SET locked_at = NULL, locked_by = NULL WHERE locked_at IS NOT NULL`,
  );
  await client.query(
    `UPDATE graphile_worker._private_job_queues SET locked_at = NULL, locked_by = NULL WHERE locked_at IS NOT NULL`,
  );
  return digests;
}

async function checkTables(client: pg.Client, tables: readonly BackupTable[]): Promise<void> {
  const there = new Map((await readTables(client)).map((table) => [tableName(table), table]));
  for (const table of tables) {
    const columns = there.get(tableName(table))?.columns;
    const missing = table.columns.filter((column) => !columns?.includes(column));
    if (missing.length > 0) {
      throw new StartError(
        `the database has another schema than the backup (${tableName(table)}: ${missing.join(', ')}): ` +
          'restore into a database without tables',
      );
    }
  }
}

async function checkEmpty(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ used: boolean }>(
    'SELECT EXISTS (SELECT FROM organizations) OR EXISTS (SELECT FROM users) AS used',
  );
  if (rows[0]?.used) {
    throw new StartError('the database is in use: restore into an empty one, so that nothing is overwritten');
  }
}

type OpenCopy = {
  readonly table: string;
  readonly stream: CopyStreamQuery;
  /** Aborted once the stream is over. */
  readonly ended: AbortSignal;
  readonly hash: Hash;
  bytes: number;
};

async function loadRows(
  client: pg.Client,
  tables: readonly BackupTable[],
  entries: AsyncGenerator<ArchiveEntry>,
): Promise<{ digests: TableDigest[]; summary: Summary }> {
  const digests = new Map<string, TableDigest>();
  let copy: OpenCopy | undefined;
  async function close(): Promise<void> {
    if (!copy) return;
    const { table, stream, hash, bytes } = copy;
    copy = undefined;
    stream.end();
    await finished(stream);
    digests.set(table, { table, rows: stream.rowCount ?? 0, bytes, sha256: hash.digest('hex') });
  }
  try {
    for await (const entry of entries) {
      const name = tableOfEntry(entry.name);
      if (name !== undefined) {
        if (copy?.table !== name) {
          await close();
          copy = openCopy(client, tables, name);
        }
        await feed(copy, entry);
        continue;
      }
      await close();
      if (entry.name === summaryEntry) {
        const summary = await readJson<Summary>(entry);
        return { digests: summary.tables.map(({ table }) => digests.get(table) ?? noRows(table)), summary };
      }
      throw new StartError(`the backup has an entry that this release does not know: ${entry.name}`);
    }
  } catch (error) {
    copy?.stream.destroy();
    if (error instanceof StartError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartError(`the backup cannot be loaded, and nothing of it was kept: ${reason}`, { cause: error });
  }
  copy?.stream.destroy();
  throw new StartError('the backup ends before its summary: it was cut off, and nothing of it was kept');
}

function noRows(table: string): TableDigest {
  return { table, rows: 0, bytes: 0, sha256: createHash('sha256').digest('hex') };
}

function openCopy(client: pg.Client, tables: readonly BackupTable[], name: string): OpenCopy {
  const table = tables.find((candidate) => tableName(candidate) === name);
  if (!table) throw new StartError(`the backup has rows of a table that it does not describe: ${name}`);
  const columns = table.columns.map((column) => quoteName(column)).join(', ');
  const stream = client.query(copyFrom(`COPY ${quoteName(table.schema, table.name)} (${columns}) FROM STDIN`));
  // The following write or end reports it.
  stream.on('error', () => {});
  const ending = new AbortController();
  stream.on('close', () => ending.abort(new Error('the connection was closed')));
  return { table: name, stream, ended: ending.signal, hash: createHash('sha256'), bytes: 0 };
}

async function feed(copy: OpenCopy, entry: ArchiveEntry): Promise<void> {
  for await (const chunk of entry.chunks) {
    copy.hash.update(chunk);
    copy.bytes += chunk.length;
    if (copy.stream.errored) throw copy.stream.errored;
    if (!copy.stream.write(chunk)) await once(copy.stream, 'drain', { signal: copy.ended });
  }
}

function compare(digests: readonly TableDigest[], summary: Summary): void {
  for (const [index, stored] of summary.tables.entries()) {
    const loaded = digests[index];
    if (loaded?.rows !== stored.rows || loaded.sha256 !== stored.sha256) {
      throw new StartError(`the rows of ${stored.table} differ from the backup's summary: nothing of it was kept`);
    }
  }
}
