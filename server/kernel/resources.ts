import { readFileSync } from 'node:fs';
import { totalmem } from 'node:os';
import type { Log } from './log.js';
import { StartError } from './start-error.js';

/**
 * Descriptors for modules (Node.js opens about 300 at once), files, and database connections that serve no requests.
 */
const ownDescriptors = 500;
/** With fewer descriptors, a warning is logged that few clients and readers can connect. */
const descriptorsWanted = 4096;
const memoryWantedMb = 768;
const megabyte = 1024 * 1024;

/** Returns how many files and connections this process may have open; undefined where the system does not report it. */
function descriptorsMax(): number | undefined {
  try {
    // Node.js raises the first number, the soft limit, to the second one at its start.
    const limit = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
    return limit === undefined ? undefined : Number(limit);
  } catch {
    return undefined;
  }
}

/** Returns the memory of the machine or of the container, in bytes. */
export function memoryBytes(): number {
  return Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
}

/**
 * Checks what the operating system gives to this process.
 *
 * @throws StartError if it may open too few files and connections to start
 */
export function checkResources({ databasePoolSize }: { databasePoolSize: number }, log: Log): void {
  const descriptors = descriptorsMax();
  const needed = ownDescriptors + databasePoolSize;
  const howTo = 'raise the limit (ulimit -n; LimitNOFILE of systemd; --ulimit nofile of Docker)';
  if (descriptors !== undefined && descriptors < needed) {
    throw new StartError(`this process may open ${descriptors} files and connections, and needs ${needed}: ${howTo}`);
  }
  if (descriptors !== undefined && descriptors < descriptorsWanted) {
    log.warn({ descriptors }, `clients and readers beyond this many files and connections are rejected: ${howTo}`);
  }
  const memoryMb = Math.floor(memoryBytes() / megabyte);
  if (memoryMb < memoryWantedMb) {
    log.warn(
      { memoryMb },
      `this is little memory: below ${memoryWantedMb} MB the system may end the database or the service`,
    );
  }
}
