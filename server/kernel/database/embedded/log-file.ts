import { copyFileSync, existsSync, readFileSync, renameSync, statfsSync, statSync, truncateSync } from 'node:fs';
import path from 'node:path';

const bytesMax = 10 * 1024 * 1024;
const olderMax = 4;
const lookEveryMs = 60_000;

/** Returns the size of a file in bytes, 0 if it does not exist. */
export function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

/**
 * Rotates a log that is longer than 10 MiB: copies it to `<file>.1`, the previous one to `<file>.2`, up to `<file>.4`,
 * and truncates it. The file itself stays, because the server keeps it open. Lines that the server writes between copy
 * and truncation are lost.
 */
export function rotateLog(file: string): void {
  if (sizeOf(file) <= bytesMax) return;
  for (let number = olderMax - 1; number >= 1; number -= 1) {
    if (existsSync(`${file}.${number}`)) renameSync(`${file}.${number}`, `${file}.${number + 1}`);
  }
  copyFileSync(file, `${file}.1`);
  truncateSync(file);
}

/** Lines of the server that state why it ended: disk full, out of memory, killed, or damaged. */
const reasons = /PANIC|FATAL|No space left|out of memory|Cannot allocate|Too many open files|terminated by signal/;
/** The message that every connection gets when the server ends. */
const consequences =
  /terminating connection|the database system is (?:shutting down|in recovery|starting up|not yet accepting)/;
const reasonsShown = 5;
/** Less than a segment of the write-ahead log. */
const fullBytesMax = 16 * 1024 * 1024;

type DiskState = (folder: string) => { bsize: number; blocks: number; bavail: number };

/** On a full disk the server cannot write its log either. */
function isDiskFull(file: string, statfs: DiskState): boolean {
  try {
    const { bavail, bsize, blocks } = statfs(path.dirname(file));
    return blocks > 0 && bavail * bsize < fullBytesMax;
  } catch {
    return false;
  }
}

/**
 * Returns the error of a server that has ended while it should run, with the reasons from its log.
 *
 * @param statfs for tests; the state of the file system by default
 */
export function explainEnd(file: string, cause: unknown, statfs: DiskState = statfsSync): Error {
  let lines: string[] = [];
  try {
    // The log has 10 MiB at most.
    const text = readFileSync(file, 'utf8');
    lines = text.slice(Math.max(0, text.lastIndexOf('starting PostgreSQL'))).split('\n');
  } catch {
    // An unreadable log has nothing to show.
  }
  const found = lines.filter((line) => reasons.test(line) && !consequences.test(line)).slice(-reasonsShown);
  const why = isDiskFull(file, statfs)
    ? 'the disk is full'
    : 'its log does not say why: it was killed, perhaps by the system for want of memory';
  const reason = found.length > 0 ? `:\n${found.join('\n')}` : `: ${why}`;
  return new Error(`the embedded PostgreSQL has ended (${file})${reason}`, { cause });
}

/** Checks every minute whether a log has to be rotated. Returns a function that stops the checks. */
export function keepLogShort(file: string, onError: (error: unknown) => void): () => void {
  const timer = setInterval(() => {
    try {
      rotateLog(file);
    } catch (error) {
      onError(error);
    }
  }, lookEveryMs);
  timer.unref();
  return () => clearInterval(timer);
}
