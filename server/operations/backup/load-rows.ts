import { createHash, type Hash } from 'node:crypto';
import { once } from 'node:events';
import { finished } from 'node:stream/promises';
import type pg from 'pg';
import { type CopyStreamQuery, from as copyFrom } from 'pg-copy-streams';
import { StartError } from '../../kernel/start-error.js';
import type { ArchiveEntry } from './archive.js';
import { quoteName, tableName } from './catalog.js';
import { type BackupTable, type Summary, summaryEntry, type TableDigest, tableOfEntry } from './contents.js';

type OpenCopy = {
  readonly table: string;
  readonly stream: CopyStreamQuery;
  /** Aborted once the stream has ended. */
  readonly ended: AbortSignal;
  readonly hash: Hash;
  bytes: number;
};

export type LoadOptions = {
  readonly client: pg.Client;
  readonly tables: readonly BackupTable[];
  /** The entries from the first one with rows on. */
  readonly entries: AsyncIterable<ArchiveEntry>;
  readonly readSummary: (entry: ArchiveEntry) => Promise<Summary>;
};

/**
 * Loads the rows of all tables, and compares them with the summary that follows them.
 *
 * @returns the digests in the order of the summary
 * @throws StartError if they differ, or the archive ends before its summary
 */
export async function loadRows(options: LoadOptions): Promise<{ digests: TableDigest[]; summary: Summary }> {
  const { client, tables, entries, readSummary } = options;
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
          // The digest of the second part would replace the digest of the first part.
          if (digests.has(name)) throw new StartError(`the backup has the rows of ${name} in two parts`);
          copy = openCopy(client, tables, name);
        }
        await feed(copy, entry);
        continue;
      }
      await close();
      if (entry.name !== summaryEntry) {
        throw new StartError(`the backup has an entry that this release does not know: ${entry.name}`);
      }
      const summary = await readSummary(entry);
      compare(digests, summary);
      return { digests: summary.tables.map(({ table }) => digests.get(table) ?? noRows(table)), summary };
    }
  } catch (error) {
    copy?.stream.destroy();
    throw error;
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
  // The next write, or the end, reports the error.
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

function compare(digests: ReadonlyMap<string, TableDigest>, { tables }: Summary): void {
  const differing =
    [...digests.keys()].find((table) => !tables.some((stored) => stored.table === table)) ??
    tables.find(({ table, rows, sha256 }) => {
      const loaded = digests.get(table) ?? noRows(table);
      return loaded.rows !== rows || loaded.sha256 !== sha256;
    })?.table;
  if (differing !== undefined) {
    throw new StartError(`the rows of ${differing} differ from the backup's summary: nothing of it was kept`);
  }
}
