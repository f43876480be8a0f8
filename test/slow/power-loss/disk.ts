import {
  chownSync,
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import type { Random } from '../../support/random.js';

/** As `unsynced-writes.c` numbers them. */
const operations = {
  create: 1,
  write: 2,
  truncate: 3,
  rename: 4,
  unlink: 5,
  mkdir: 6,
  link: 7,
  syncBegin: 8,
  syncEnd: 9,
  dataSyncBegin: 10,
  dataSyncEnd: 11,
} as const;

type LogRecord = { op: number; name: string; other: string; data: Buffer; offset: number; sync: bigint };

/** A change of a file's content: bytes, or without them a new size. */
type Change = { number: number; offset: number; data: Buffer | undefined };

/** A file, independent of its names: the content on the disk, and changes that may be on the disk. */
type File = { content: Buffer; changes: Change[] };

/** Files by their path; folders have none. */
type Names = Map<string, File | undefined>;

/** A change of names that may not be on the disk yet. */
type NameChange = { number: number; name: string; apply: (names: Names) => void };

const headerBytes = 32;
/** A disk may have a part of these of a write that was not synced. */
const blockBytes = 4096;

/** The content of a disk when the power fails. */
export type Disk = Disposable & {
  /** Takes the log up to a position in it, in bytes. */
  advance(position: number): void;
  /**
   * Writes what is on the disk into a folder. With random numbers, a part of what was written and not synced is there as well, as
   * disks write at any time and in any order.
   */
  writeTo(folder: string, random?: Random): void;
};

/**
 * Creates a disk with the present content of a folder, which then changes according to the log of `unsynced-writes.c`.
 * It follows the rules of the usual file systems with a journal:
 *
 * - Content is on the disk when an fsync or fdatasync of its file has ended that began after the write.
 * - Names change in one order. An fsync puts all changes of names on the disk that were made before it; an fdatasync does so if one of
 *   them is of its own file.
 */
export function createDisk(folder: string, logFile: string): Disk {
  const log = openSync(logFile, 'r');
  /** As the programs see them, and as they are on the disk. */
  const names: Names = new Map();
  let nameChanges: NameChange[] = [];
  const begun = new Map<bigint, number>();
  let position = 0;
  let number = 0;

  const owner = statSync(path.join(folder, 'postgres'));
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const full = path.join(entry.parentPath, entry.name);
    const file = entry.isFile() ? { content: readFileSync(full), changes: [] } : undefined;
    names.set(path.relative(folder, full), file);
  }
  const namesOnDisk: Names = new Map(names);

  function read(at: number, bytes: number): Buffer {
    const buffer = Buffer.alloc(bytes);
    for (let filled = 0; filled < bytes; ) {
      const count = readSync(log, buffer, filled, bytes - filled, at + filled);
      if (count === 0) throw new Error('the log ends within a record');
      filled += count;
    }
    return buffer;
  }

  function readRecord(end: number): LogRecord | undefined {
    if (position + headerBytes > end) return undefined;
    const header = read(position, headerBytes);
    const nameBytes = header.readUInt32LE(4);
    const otherBytes = header.readUInt32LE(8);
    const bytes = nameBytes + otherBytes + header.readUInt32LE(12);
    if (position + headerBytes + bytes > end) return undefined;
    const body = read(position + headerBytes, bytes);
    position += headerBytes + bytes;
    return {
      op: header.readUInt32LE(0),
      name: body.toString('utf8', 0, nameBytes),
      other: body.toString('utf8', nameBytes, nameBytes + otherBytes),
      data: body.subarray(nameBytes + otherBytes),
      offset: Number(header.readBigUInt64LE(16)),
      sync: header.readBigUInt64LE(24),
    };
  }

  function changeNames(name: string, apply: NameChange['apply']): void {
    apply(names);
    nameChanges.push({ number, name, apply });
  }

  function fileAt(name: string): File {
    const known = names.get(name);
    if (known) return known;
    const made: File = { content: Buffer.alloc(0), changes: [] };
    changeNames(name, (all) => all.set(name, made));
    return made;
  }

  function sync(name: string, { upTo, isData }: { upTo: number; isData: boolean }): void {
    const isPast = (change: { number: number }) => change.number < upTo;
    if (!isData || nameChanges.some((change) => isPast(change) && change.name === name)) {
      for (const { apply } of nameChanges.filter(isPast)) apply(namesOnDisk);
      nameChanges = nameChanges.filter((change) => !isPast(change));
    }
    const file = names.get(name);
    if (!file) return;
    for (const change of file.changes.filter(isPast)) file.content = changed(file.content, change);
    file.changes = file.changes.filter((change) => !isPast(change));
  }

  function take({ op, name, other, data, offset, sync: id }: LogRecord): void {
    number += 1;
    if (op === operations.create) fileAt(name);
    else if (op === operations.write) fileAt(name).changes.push({ number, offset, data });
    else if (op === operations.truncate) fileAt(name).changes.push({ number, offset, data: undefined });
    else if (op === operations.mkdir) changeNames(name, (all) => all.set(name, undefined));
    else if (op === operations.unlink) changeNames(name, (all) => all.delete(name));
    else if (op === operations.rename || op === operations.link) {
      const file = fileAt(name);
      changeNames(other, (all) => {
        all.set(other, file);
        if (op === operations.rename) all.delete(name);
      });
    } else if (op === operations.syncBegin || op === operations.dataSyncBegin) begun.set(id, number);
    else {
      sync(name, { upTo: begun.get(id) ?? 0, isData: op === operations.dataSyncEnd });
      begun.delete(id);
    }
  }

  return {
    advance(end) {
      for (let record = readRecord(end); record; record = readRecord(end)) take(record);
    },
    writeTo(target, random) {
      const found: Names = new Map(namesOnDisk);
      if (random) for (const { apply } of nameChanges.slice(0, random.below(nameChanges.length + 1))) apply(found);
      mkdirSync(target, { mode: 0o711 });
      for (const [name, file] of [...found].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
        const full = path.join(target, name);
        if (file) writeFileSync(full, random ? withSome(file, random) : file.content, { mode: 0o600 });
        else mkdirSync(full, { mode: 0o700 });
        if (name.split(path.sep)[0] === 'postgres') chownSync(full, owner.uid, owner.gid);
      }
    },
    [Symbol.dispose]: () => closeSync(log),
  };
}

function changed(content: Buffer, { offset, data }: Change): Buffer {
  const end = data ? Math.max(content.length, offset + data.length) : offset;
  const result =
    end === content.length
      ? content
      : Buffer.concat([content.subarray(0, end), Buffer.alloc(Math.max(0, end - content.length))]);
  if (data) data.copy(result, offset);
  return result;
}

/** Returns the content after some blocks of the changes that were not synced. */
function withSome({ content, changes }: File, random: Random): Buffer {
  let result: Buffer = Buffer.from(content);
  for (const { number, offset, data } of changes) {
    if (!data) {
      if (random() < 0.5) result = changed(result, { number, offset, data });
      continue;
    }
    for (let at = 0; at < data.length; at += blockBytes) {
      const block = { number, offset: offset + at, data: data.subarray(at, at + blockBytes) };
      if (random() < 0.5) result = changed(result, block);
    }
  }
  return result;
}
