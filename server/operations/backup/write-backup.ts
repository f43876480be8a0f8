import { createHash } from 'node:crypto';
import { addAbortSignal, type Writable } from 'node:stream';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { type ArchiveWriter, writeArchive } from './archive.js';
import { quoteName, readMigrationStates, readPartitions, readSequences, readTables, tableName } from './catalog.js';
import {
  archiveFormat,
  type BackupTable,
  headSignatureEntry,
  manifestEntry,
  type Manifest,
  rowsEntry,
  secretsEntry,
  type Secrets,
  signatureEntry,
  summaryEntry,
  type Summary,
  type TableDigest,
} from './contents.js';
import { sign } from './signature.js';

/** Rows of a table are collected up to this size before they become an entry of the archive. */
const partBytes = 4 * 1024 * 1024;

export type BackupOptions = {
  /** The database, with the owner of its tables as user. */
  readonly url: string;
  readonly authSecret: string;
  /** The key that the backup is signed with; undefined to leave it unsigned. */
  readonly backupKey?: string | undefined;
  readonly target: Writable;
  /** Ends the backup, which then rejects. */
  readonly signal?: AbortSignal | undefined;
};

/**
 * Writes all rows of the database, as of one instant, with the secret that signs sessions and keys. The service
 * continues meanwhile: only the definitions of tables are locked. Uses a few megabytes of memory.
 *
 * @returns rows and bytes by table
 */
export async function writeBackup(options: BackupOptions): Promise<readonly TableDigest[]> {
  const { url, authSecret, backupKey, target, signal } = options;
  const client = new pg.Client({ connectionString: url, application_name: 'whereabouts backup' });
  client.on('error', () => {});
  await client.connect();
  // Closes the connection, and so breaks off the statement that the backup waits for.
  const end = () => void client.end();
  signal?.addEventListener('abort', end);
  if (signal) addAbortSignal(signal, target);
  // The archive reports the error, once there is an archive.
  target.on('error', () => {});
  try {
    signal?.throwIfAborted();
    await client.query('SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0');
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const tables = await readTables(client);
    const names = tables.map(({ schema, name }) => quoteName(schema, name));
    await client.query(`LOCK TABLE ${names.join(', ')} IN ACCESS SHARE MODE`);
    const archive = writeArchive(target);
    const manifest = json(await describe(client, tables));
    const secrets = json({ auth_secret: authSecret } satisfies Secrets);
    await archive.add(manifestEntry, manifest);
    await archive.add(secretsEntry, secrets);
    const head = backupKey === undefined ? '' : sign(backupKey, [manifest, secrets]);
    if (backupKey !== undefined) await archive.add(headSignatureEntry, json({ hmac_sha256: head }));
    const digests: TableDigest[] = [];
    for (const table of tables) digests.push(await writeRows(client, table, archive));
    const sequences = await readSequences(client);
    const summary = json({ tables: digests, sequences } satisfies Summary);
    await archive.add(summaryEntry, summary);
    if (backupKey !== undefined) {
      await archive.add(signatureEntry, json({ hmac_sha256: sign(backupKey, [Buffer.from(head), summary]) }));
    }
    await client.query('COMMIT');
    await archive.end();
    return digests;
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  } finally {
    signal?.removeEventListener('abort', end);
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
    tables: [...tables],
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
