import type { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { extract, pack } from 'tar-stream';
import type { BackupPartition, BackupTable, MigrationState, SequenceState } from './catalog.js';

/** Incremented when the archive changes so that older code cannot read it. */
export const archiveFormat = 1;

/** The first entry: what a restore has to know before the rows. */
export type Manifest = {
  readonly format: number;
  /** RFC 3339. */
  readonly created_at: string;
  readonly postgresql: string;
  readonly migrations: readonly MigrationState[];
  /** In the order of their rows: each table comes after those that its foreign keys refer to. */
  readonly tables: readonly BackupTable[];
  readonly partitions: readonly BackupPartition[];
};

/** The second entry. It makes the archive as secret as the service itself. */
export type Secrets = {
  readonly auth_secret: string;
};

/** Rows and bytes of one table, and the SHA-256 of the bytes. */
export type TableDigest = {
  readonly table: string;
  readonly rows: number;
  readonly bytes: number;
  readonly sha256: string;
};

/** The last entry: an archive without it was cut off. */
export type Summary = {
  readonly tables: readonly TableDigest[];
  readonly sequences: readonly SequenceState[];
};

export const manifestEntry = 'manifest.json';
export const secretsEntry = 'secrets.json';
export const summaryEntry = 'summary.json';

const rowsEntryPattern = /^tables\/(.+)\/\d+\.copy$/;

export const rowsEntry = (table: string, part: number) => `tables/${table}/${String(part).padStart(6, '0')}.copy`;

/** Returns the table whose rows an entry holds; undefined for entries of another kind. */
export function tableOfEntry(entry: string): string | undefined {
  return rowsEntryPattern.exec(entry)?.[1];
}

export type ArchiveWriter = {
  /** Adds a file; resolves once the archive has taken it. */
  readonly add: (name: string, content: Buffer) => Promise<void>;
  /** Ends the archive; resolves once all of it is written. */
  readonly end: () => Promise<void>;
};

/** Writes a gzipped tar archive to `target`, with backpressure. */
export function writeArchive(target: Writable): ArchiveWriter {
  const archive = pack();
  const written = pipeline(archive, createGzip(), target);
  const failed = written.then(() => new Promise<never>(() => {}));
  failed.catch(() => {});
  async function add(name: string, content: Buffer): Promise<void> {
    const added = new Promise<void>((resolve, reject) => {
      const entry = archive.entry({ name, size: content.length, mode: 0o600 }, (error) =>
        error ? reject(error) : resolve(),
      );
      entry.end(content);
    });
    await Promise.race([added, failed]);
  }
  return {
    add,
    end: async () => {
      archive.finalize();
      await written;
    },
  };
}

export type ArchiveEntry = {
  readonly name: string;
  readonly chunks: AsyncIterable<Buffer>;
};

/** Reads an archive entry by entry; each has to be read to its end before the next. */
export async function* readArchive(source: Readable): AsyncGenerator<ArchiveEntry> {
  const archive = extract();
  const read = pipeline(source, createGunzip(), archive);
  read.catch(() => {});
  for await (const entry of archive) {
    yield { name: entry.header.name, chunks: entry as AsyncIterable<Buffer> };
  }
  await read;
}

/** Returns the content of a small entry. */
export async function readJson<Content>(entry: ArchiveEntry): Promise<Content> {
  const chunks: Buffer[] = [];
  for await (const chunk of entry.chunks) chunks.push(chunk);
  return JSON.parse(Buffer.concat(chunks).toString('utf8')) as Content;
}
