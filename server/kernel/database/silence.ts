import pg from 'pg';
import { withDeadline } from '../deadline.js';
import type { Log } from '../log.js';

/** How often connections are looked at, and how long a statement runs before the database is asked whether it answers at all. */
const lookEveryMs = 250;
/** A database that does not answer the simplest question for this long, nor anything else, is silent. */
const answerMs = 3000;
/** A database that sent anything within this time is not silent, though a new connection may be late on a busy machine. */
const recentMs = 2000;

export type SilenceOptions = {
  url: string;
  /** How long the database is silent before statements under way are given up. */
  patienceMs: number;
  /** The most time of one statement. It is more than the database's own limit, which a frozen database does not keep. */
  statementMs: number;
  log: Pick<Log, 'warn'> | undefined;
  /** Whether the pool has ended; nothing is asked then. */
  isEnded: () => boolean;
};

/**
 * Ends connections that wait for a database that is frozen or cut off: their statements fail, and their callers continue.
 * The database's own limits do not hold then, and TCP does not report it for many minutes.
 */
export type SilenceWatch = {
  /** Watches a connection until it ends. */
  watch(client: pg.ClientBase): void;
  /** Whether the database did not answer when it was last asked. */
  isSilent(): boolean;
};

/** A connection, and since when it has been waiting for an answer and received nothing. */
type Watched = { bytesRead: number; sinceMs: number | undefined };

type Internals = {
  readonly readyForQuery: boolean;
  readonly connection: { readonly stream: { readonly bytesRead: number; destroy(error: Error): void } };
};

const internalsOf = (client: pg.ClientBase) => client as unknown as Internals;

/** Returns the error of statements whose database does not answer anything. */
export function silenceError(): Error {
  return Object.assign(new Error('the database does not answer'), { code: 'ETIMEDOUT' });
}

/** Creates the watch of one pool. It has a timer while there are connections, and a connection of its own while it asks. */
export function createSilenceWatch({ url, patienceMs, statementMs, log, isEnded }: SilenceOptions): SilenceWatch {
  const watched = new Map<pg.ClientBase, Watched>();
  let timer: NodeJS.Timeout | undefined;
  /** While statements take long and the database answers, it is asked this often. */
  const askEveryMs = Math.max(1000, patienceMs / 6);
  let isAsking = false;
  let nextAskMs = 0;
  let silentSinceMs: number | undefined;
  let receivedAtMs = Number.NEGATIVE_INFINITY;

  function look(): void {
    const nowMs = performance.now();
    let longestMs = 0;
    for (const [client, state] of watched) {
      const { readyForQuery, connection } = internalsOf(client);
      const { bytesRead } = connection.stream;
      if (bytesRead !== state.bytesRead) receivedAtMs = nowMs;
      if (readyForQuery) state.sinceMs = undefined;
      else if (state.sinceMs === undefined || bytesRead !== state.bytesRead) state.sinceMs = nowMs;
      state.bytesRead = bytesRead;
      const waitedMs = nowMs - (state.sinceMs ?? nowMs);
      longestMs = Math.max(longestMs, waitedMs);
      const isSilentForLong = silentSinceMs !== undefined && nowMs - silentSinceMs >= patienceMs;
      if (waitedMs >= statementMs || (waitedMs > 0 && isSilentForLong)) connection.stream.destroy(silenceError());
    }
    if (isEnded() || (watched.size === 0 && silentSinceMs === undefined)) {
      clearInterval(timer);
      timer = undefined;
    } else if (!isAsking && nowMs >= nextAskMs && (longestMs >= lookEveryMs || silentSinceMs !== undefined)) void ask();
  }

  async function ask(): Promise<void> {
    isAsking = true;
    const askedMs = performance.now();
    try {
      await withDeadline({ what: 'the database', ms: answerMs }, (signal) => askDatabase(url, signal));
      if (silentSinceMs !== undefined) log?.warn('the database answers again');
      silentSinceMs = undefined;
      nextAskMs = performance.now() + askEveryMs;
    } catch {
      if (performance.now() - receivedAtMs < recentMs) return;
      if (silentSinceMs === undefined) log?.warn('the database does not answer');
      silentSinceMs ??= askedMs;
      look();
    } finally {
      isAsking = false;
    }
  }

  return {
    watch(client) {
      watched.set(client, { bytesRead: 0, sinceMs: undefined });
      client.once('end', () => watched.delete(client));
      // After the sockets were read: what has arrived while the process was busy counts.
      timer ??= setInterval(() => setImmediate(look), lookEveryMs).unref();
    },
    isSilent: () => silentSinceMs !== undefined,
  };
}

/** Asks over a new connection. Resolves if the database answers at all: that it has no connection left is an answer, too. */
async function askDatabase(url: string, signal: AbortSignal): Promise<void> {
  const client = new pg.Client({ connectionString: url, application_name: 'whereabouts check' });
  client.on('error', () => {});
  // A connection with TLS gets another stream.
  signal.addEventListener('abort', () => internalsOf(client).connection.stream.destroy(silenceError()));
  try {
    await client.connect();
    await client.query('SELECT 1');
  } catch (error) {
    if (signal.aborted) throw error;
  } finally {
    if (!signal.aborted) client.end().catch(() => {});
  }
}
