import type { Readable } from 'node:stream';
import pg from 'pg';
import { migrate } from '../../kernel/database/migrate.js';
import type { Log } from '../../kernel/log.js';
import { StartError } from '../../kernel/start-error.js';
import { type ArchiveEntry, readArchive } from './archive.js';
import { quoteName, readTables, tableName } from './catalog.js';
import type { BackupTable, Secrets, TableDigest } from './contents.js';
import { loadRows } from './load-rows.js';
import { pauseOutboundSql } from './outbound-pause-sql.js';
import { type Head, readHead, readSummary } from './read-contents.js';

export type RestoreOptions = {
  readonly source: Readable;
  readonly log: Log;
  /** The key that the backup has to be signed with; undefined to accept every backup. */
  readonly backupKey: string | undefined;
  /**
   * Returns the address of the database to restore into, which has to be empty. Called with the secret of the backup
   * before anything is written.
   */
  readonly open: (secrets: Secrets) => Promise<string>;
  /** Pauses everything outbound, since the old service may still run, or the restore may only be a trial. */
  readonly pausesOutbound: boolean;
};

/**
 * Migrates an empty database to the schema of the backup, loads all rows in one transaction, and applies the newer
 * migrations. Compares every table with the digests of the backup, and rolls back if anything differs.
 *
 * Checks everything in the archive before it is used, since anybody may have changed it: names are quoted, and only the
 * instants of partitions are used.
 *
 * @returns rows and bytes by table
 * @throws StartError if the database is not empty, or the backup is damaged, truncated, from a newer release, or not signed with
 *   the key
 */
export async function restoreBackup(options: RestoreOptions): Promise<readonly TableDigest[]> {
  const { source, log, backupKey, open, pausesOutbound } = options;
  const entries = readArchive(source);
  const head = await readHead(entries, { backupKey });
  const url = await open(head.secrets);
  await migrate({ url, log, until: head.manifest.migrations });
  const client = new pg.Client({ connectionString: url, application_name: 'whereabouts restore' });
  await client.connect();
  try {
    await client.query('SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0');
    const digests = await inTransaction(client, async () => {
      const loaded = await loadAll(client, { head, entries, backupKey });
      // In the transaction of the rows, so that no service can start between the two. Backups of earlier releases have
      // no such table.
      if (pausesOutbound && (await hasPause(client))) await client.query(pauseOutboundSql);
      return loaded;
    });
    await migrate({ url, log });
    if (pausesOutbound) await client.query(pauseOutboundSql);
    await client.query('ANALYZE');
    return digests;
  } finally {
    await client.end();
  }
}

async function hasPause(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ found: boolean }>(`SELECT to_regclass('outbound_pause') IS NOT NULL AS found`);
  return rows[0]?.found ?? false;
}

/** The end of the connection rolls back a failed transaction. */
async function inTransaction<Result>(client: pg.Client, work: () => Promise<Result>): Promise<Result> {
  try {
    await client.query('BEGIN');
    const result = await work();
    await client.query('COMMIT');
    return result;
  } catch (error) {
    if (error instanceof StartError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartError(`the backup cannot be loaded, and nothing of it was kept: ${reason}`, { cause: error });
  }
}

type Archive = {
  readonly head: Head;
  /** The entries after the head. */
  readonly entries: AsyncGenerator<ArchiveEntry>;
  readonly backupKey: string | undefined;
};

async function* rest({ head, entries }: Archive): AsyncGenerator<ArchiveEntry> {
  if (head.next) yield head.next;
  yield* entries;
}

async function loadAll(client: pg.Client, archive: Archive): Promise<readonly TableDigest[]> {
  const { head, entries, backupKey } = archive;
  const { tables, partitions } = head.manifest;
  await checkTables(client, tables);
  await checkEmpty(client);
  const names = tables.map(({ schema, name }) => quoteName(schema, name));
  await client.query(`TRUNCATE ${names.join(', ')}`);
  for (const { schema, name, parent, bound } of partitions) {
    await client.query(
      `CREATE TABLE IF NOT EXISTS ${quoteName(schema, name)} PARTITION OF ${quoteName(schema, parent)} ${bound}`,
    );
  }
  // The rows that triggers would write are in the backup as well.
  for (const name of names) await client.query(`ALTER TABLE ${name} DISABLE TRIGGER USER`);
  const { digests, summary } = await loadRows({
    client,
    tables,
    entries: rest(archive),
    readSummary: (entry) => readSummary(entry, entries, { backupKey, headSignature: head.signature }),
  });
  for (const name of names) await client.query(`ALTER TABLE ${name} ENABLE TRIGGER USER`);
  for (const { schema, name, value, isCalled } of summary.sequences) {
    await client.query('SELECT setval($1::regclass, $2::bigint, $3)', [quoteName(schema, name), value, isCalled]);
  }
  // Releases jobs that a process of the old service was running. Otherwise no process of the new service would finish
  // them.
  for (const table of ['graphile_worker._private_jobs', 'graphile_worker._private_job_queues']) {
    await client.query(`UPDATE ${table} SET locked_at = NULL, locked_by = NULL WHERE locked_at IS NOT NULL`);
  }
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
