import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { StartError } from '../../start-error.js';
import { isAlive } from './postmaster.js';

/**
 * An arbitrary number that must never change, since two versions of the service must not share a data folder either.
 */
const lockKey = 7_296_107;
const ownerNamePattern = /^whereabouts owner (\d+)$/;
const deadOwnerTimeoutMs = 10_000;
const retryMs = 50;

export type OwnerLockOptions = {
  readonly url: string;
  /** Whether there is a server at all, ready or not. */
  readonly isServerAlive: () => boolean;
  /** Called once if the server has ended, or another process has the lock. */
  readonly onLost: (error: unknown) => void;
};

/** The lock of the one process that may use the cluster and stop it. */
export type OwnerLock = {
  release(): Promise<void>;
};

/** Returns the process that holds the lock, if it is known. */
async function findOwner(client: pg.Client): Promise<number | undefined> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT a.application_name AS name
       FROM pg_locks l
       JOIN pg_stat_activity a USING (pid)
      WHERE l.locktype = 'advisory' AND l.objid = $1 AND l.granted`,
    [lockKey],
  );
  const match = ownerNamePattern.exec(rows[0]?.name ?? '');
  return match ? Number(match[1]) : undefined;
}

/**
 * Takes the lock. A killed process may leave a connection that the server still considers alive. Waits for the lock of
 * such a connection, but not for the lock of a running process.
 */
async function lock(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, application_name: `whereabouts owner ${process.pid}` });
  client.on('error', () => {});
  await client.connect();
  const deadline = Date.now() + deadOwnerTimeoutMs;
  for (;;) {
    const { rows } = await client.query<{ locked: boolean }>('SELECT pg_try_advisory_lock($1) AS locked', [lockKey]);
    if (rows[0]?.locked) return client;
    const owner = await findOwner(client);
    if ((owner !== undefined && isAlive(owner)) || Date.now() > deadline) {
      await client.end();
      throw new StartError(
        `another whereabouts${owner === undefined ? '' : ` (process ${owner})`} is using this data folder: ` +
          'stop it, or set another DATA_DIR',
      );
    }
    await delay(retryMs);
  }
}

/**
 * Takes the lock and keeps it. If one of its workers crashes, PostgreSQL drops every connection and recovers by itself;
 * the lock is then taken again.
 *
 * @throws StartError if another process holds it
 */
export async function takeOwnerLock({ url, isServerAlive, onLost }: OwnerLockOptions): Promise<OwnerLock> {
  let isReleased = false;
  let client = await lock(url);

  async function retake(): Promise<void> {
    while (!isReleased) {
      try {
        client = await lock(url);
        if (isReleased) break;
        watch();
        return;
      } catch (error) {
        if (isReleased) return;
        if (error instanceof StartError || !isServerAlive()) {
          onLost(error);
          return;
        }
        await delay(retryMs);
      }
    }
    await client.end();
  }

  function watch(): void {
    client.once('end', () => {
      if (!isReleased) void retake();
    });
  }

  watch();
  return {
    async release() {
      isReleased = true;
      await client.end();
    },
  };
}
