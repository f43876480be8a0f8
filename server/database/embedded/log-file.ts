import { copyFileSync, existsSync, renameSync, statSync, truncateSync } from 'node:fs';

const bytesMax = 10 * 1024 * 1024;
const olderMax = 4;
const lookEveryMs = 60_000;

/** Returns the size of a file in bytes, 0 where there is none. */
export function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

/**
 * Moves the contents of a log aside once they are longer than 10 MiB: to `<file>.1`, what was there before to `<file>.2`, up
 * to `<file>.4`. The file itself stays in place, as the server goes on writing to it; what it writes between the copy and
 * the cut is lost.
 */
export function rotateLog(file: string): void {
  if (sizeOf(file) <= bytesMax) return;
  for (let number = olderMax - 1; number >= 1; number -= 1) {
    if (existsSync(`${file}.${number}`)) renameSync(`${file}.${number}`, `${file}.${number + 1}`);
  }
  copyFileSync(file, `${file}.1`);
  truncateSync(file);
}

/** Rotates a log every minute where that is due; returns the function that ends this. */
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
