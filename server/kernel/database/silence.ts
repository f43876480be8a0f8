import pg from 'pg';
import { withDeadline } from '../deadline.js';
import type { Log } from '../log.js';

/**
 * The interval of checks of the connections. A statement that runs longer makes the service ask the database whether it
 * answers at all.
 */
const lookEveryMs = 250;
/** A database that sends nothing for this long, not even the answer to the simplest question, is silent. */
const answerMs = 3000;
/**
 * A database that sent anything within this time is not silent, even if a new connection takes long on a busy machine.
 */
const recentMs = 2000;

export type SilenceOptions = {
  url: string;
  /** How long the database may be silent before running statements are given up. */
  patienceMs: number;
  /**
   * The time limit of one statement. It is longer than the database's own limit, which does not work while the database
   * is frozen.
   */
  statementMs: number;
  log: Pick<Log, 'warn'> | undefined;
  /** Whether the pool has ended; nothing is asked then. */
  isEnded: () => boolean;
};

/**
 * Ends connections that wait for a frozen or unreachable database: their statements fail, and their callers continue.
 * The database's own limits do not work then, and TCP reports nothing for many minutes.
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

/** Returns the error of statements when the database does not answer at all. */
export function silenceError(): Error {
  return Object.assign(new Error('the database does not answer'), { code: 'ETIMEDOUT' });
}

/**
 * Creates the watch of one pool. It has a timer while there are connections, and uses a connection of its own to ask
 * the database.
 */
export function createSilenceWatch({ url, patienceMs, statementMs, log, isEnded }: SilenceOptions): SilenceWatch {
  const watched = new Map<pg.ClientBase, Watched>();
  let timer: NodeJS.Timeout | undefined;
  /** The interval of questions while statements take long and the database answers. */
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
      // Runs after the sockets were read, so that bytes that arrived while the process was busy count.
      timer ??= setInterval(() => setImmediate(look), lookEveryMs).unref();
    },
    isSilent: () => silentSinceMs !== undefined,
  };
}

/**
 * Asks over a new connection. Resolves if the database answers at all, even if it only answers that it has no
 * connection left.
 */
async function askDatabase(url: string, signal: AbortSignal): Promise<void> {
  const client = new pg.Client({ connectionString: url, application_name: 'whereabouts check' });
  client.on('error', () => {});
  // The stream is looked up late, because TLS replaces it.
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
