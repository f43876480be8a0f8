import { copyFileSync, existsSync, renameSync, statSync, truncateSync } from 'node:fs';

const bytesMax = 10 * 1024 * 1024;
const olderMax = 4;
const lookEveryMs = 60_000;

/** Returns the size of a file in bytes, 0 if it does not exist. */
export function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

/**
 * Rotates a log that is longer than 10 MiB: copies it to `<file>.1`, the previous one to `<file>.2`, up to `<file>.4`,
 * and truncates it. The file itself stays, as the server keeps it open; what the server writes between copy and
 * truncation is lost.
 */
export function rotateLog(file: string): void {
  if (sizeOf(file) <= bytesMax) return;
  for (let number = olderMax - 1; number >= 1; number -= 1) {
    if (existsSync(`${file}.${number}`)) renameSync(`${file}.${number}`, `${file}.${number + 1}`);
  }
  copyFileSync(file, `${file}.1`);
  truncateSync(file);
}

/** Checks every minute whether a log has to be rotated; returns the function that ends this. */
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
