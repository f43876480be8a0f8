import { statfsSync } from 'node:fs';
import type { Log } from '../kernel/log.js';

/** Below this share of the disk a warning is logged, and `/readyz` reports it. */
const lowShare = 0.05;
const lookEveryMs = 60_000;
const megabyte = 1024 * 1024;

/** Watches how much of the disk of a folder is free. */
export type DiskWatch = {
  /** Checks now, and returns whether less than 5 % is free. */
  isLow(): boolean;
  stop(): void;
};

export type DiskWatchOptions = {
  readonly folder: string;
  readonly log: Log;
  /** For tests; the state of the file system by default. */
  readonly statfs?: (folder: string) => { bsize: number; blocks: number; bavail: number };
};

/**
 * Creates the watch. It checks once a minute, logs a warning when little space is left, and logs when there is enough
 * again.
 */
export function watchDisk({ folder, log, statfs = statfsSync }: DiskWatchOptions): DiskWatch {
  let wasLow = false;

  function isLow(): boolean {
    const { bsize, blocks, bavail } = statfs(folder);
    // Some file systems do not report their size.
    const low = blocks > 0 && bavail / blocks < lowShare;
    const freeMb = Math.floor((bavail * bsize) / megabyte);
    if (low && !wasLow)
      log.warn({ folder, freeMb }, 'less than 5 % of the disk is free: the database ends when it is full');
    if (!low && wasLow) log.info({ folder, freeMb }, 'the disk has free space again');
    wasLow = low;
    return low;
  }

  function look(): void {
    try {
      isLow();
    } catch (error) {
      log.warn({ err: error, folder }, 'the free space of the disk cannot be read');
    }
  }

  look();
  const timer = setInterval(look, lookEveryMs).unref();
  return { isLow, stop: () => clearInterval(timer) };
}
