import { createHash } from 'node:crypto';
import type { Writable } from 'node:stream';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import {
  archiveFormat,
  type ArchiveWriter,
  manifestEntry,
  type Manifest,
  rowsEntry,
  secretsEntry,
  type Secrets,
  summaryEntry,
  type Summary,
  type TableDigest,
  writeArchive,
} from './archive.js';
import {
  type BackupTable,
  quoteName,
  readMigrationStates,
  readPartitions,
  readSequences,
  readTables,
  tableName,
} from './catalog.js';

/** Rows of a table are collected up to this size before they become an entry of the archive. */
const partBytes = 4 * 1024 * 1024;

export type BackupOptions = {
  /** Of the database, as the owner of its tables. */
  readonly url: string;
  readonly authSecret: string;
  readonly target: Writable;
};

/**
 * Writes all rows of the database, as of one instant, with the secret that signs sessions and keys. The service
 * continues meanwhile: only the definitions of tables are locked. Uses a few megabytes of memory.
 *
 * @returns rows and bytes by table
 */
export async function writeBackup({ url, authSecret, target }: BackupOptions): Promise<readonly TableDigest[]> {
  const client = new pg.Client({ connectionString: url, application_name: 'whereabouts backup' });
  await client.connect();
  try {
    await client.query('SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0');
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const tables = await readTables(client);
    const names = tables.map(({ schema, name }) => quoteName(schema, name));
    await client.query(`LOCK TABLE ${names.join(', ')} IN ACCESS SHARE MODE`);
    const archive = writeArchive(target);
    await archive.add(manifestEntry, json(await describe(client, tables)));
    await archive.add(secretsEntry, json({ auth_secret: authSecret } satisfies Secrets));
    const digests: TableDigest[] = [];
    for (const table of tables) digests.push(await writeRows(client, table, archive));
    const sequences = await readSequences(client);
    await archive.add(summaryEntry, json({ tables: digests, sequences } satisfies Summary));
    await client.query('COMMIT');
    await archive.end();
    return digests;
  } finally {
    await client.end();
  }
}

function json(content: unknown): Buffer {
  return Buffer.from(`${JSON.stringify(content, undefined, 2)}\n`);
}

async function describe(client: pg.Client, tables: readonly BackupTable[]): Promise<Manifest> {
  const { rows } = await client.query<{ version: string; now: Date }>(
    "SELECT current_setting('server_version') AS version, now() AS now",
  );
  return {
    format: archiveFormat,
    created_at: (rows[0]?.now ?? new Date()).toISOString(),
    postgresql: rows[0]?.version ?? '',
    migrations: await readMigrationStates(client),
    tables,
    partitions: await readPartitions(client),
  };
}

async function writeRows(client: pg.Client, table: BackupTable, archive: ArchiveWriter): Promise<TableDigest> {
  const name = tableName(table);
  const columns = table.columns.map((column) => quoteName(column)).join(', ');
  const rows = client.query(copyTo(`COPY (SELECT ${columns} FROM ${quoteName(table.schema, table.name)}) TO STDOUT`));
  const hash = createHash('sha256');
  let bytes = 0;
  let part = 0;
  let collected: Buffer[] = [];
  let collectedBytes = 0;
  async function flush(): Promise<void> {
    if (collectedBytes === 0) return;
    part += 1;
    await archive.add(rowsEntry(name, part), Buffer.concat(collected));
    [collected, collectedBytes] = [[], 0];
  }
  for await (const chunk of rows as AsyncIterable<Buffer>) {
    hash.update(chunk);
    bytes += chunk.length;
    collected.push(chunk);
    collectedBytes += chunk.length;
    if (collectedBytes >= partBytes) await flush();
  }
  await flush();
  return { table: name, rows: rows.rowCount, bytes, sha256: hash.digest('hex') };
}
