import type { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { extract, pack } from 'tar-stream';

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

/** Far more than an entry with descriptions of rows needs. */
const describingBytesMax = 4 * 1024 * 1024;

/**
 * Returns the content of an entry that describes the rows.
 *
 * @throws Error if it is longer than 4 MiB
 */
export async function readWhole({ name, chunks }: ArchiveEntry): Promise<Buffer> {
  const collected: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > describingBytesMax) throw new Error(`${name} is longer than ${describingBytesMax} bytes`);
    collected.push(chunk);
  }
  return Buffer.concat(collected);
}
