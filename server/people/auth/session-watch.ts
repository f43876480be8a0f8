import type { Actor } from '../actor.js';
import type { Queries } from '../../kernel/database/client.js';
import { type ContractError, refusal } from '../../kernel/errors.js';
import type { Log } from '../../kernel/log.js';
import { findHoldingSessions } from './queries.js';

/** Detects the end of a session within this time plus the time of a query. */
const lookEveryMs = 2000;

export type WatchedSession = Pick<
  Extract<Actor, { kind: 'session' }>,
  'sessionId' | 'userId' | 'orgId' | 'expiresAtMs'
>;

/** Notifies long-lived responses when their session is no longer valid. */
export type SessionWatch = {
  /**
   * Calls back once, with the error that a request would get: when the session has ended, the user has left the
   * organization, or the access token has expired. Returns a function that stops watching.
   */
  watch(session: WatchedSession, onEnd: (error: ContractError) => void): () => void;
  /** Resolves once no work is in progress. */
  stop(): Promise<void>;
};

type Watched = { session: WatchedSession; onEnd: (error: ContractError) => void };

export type SessionWatchOptions = {
  db: Queries;
  log: Pick<Log, 'warn'>;
  everyMs?: number;
};

/** Checks all sessions in one statement. While the database is unavailable, they stay valid. */
export function createSessionWatch({ db, log, everyMs = lookEveryMs }: SessionWatchOptions): SessionWatch {
  const watched = new Set<Watched>();
  let looking: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;

  async function look(): Promise<void> {
    const nowMs = Date.now();
    for (const entry of watched) if (entry.session.expiresAtMs <= nowMs) end(entry);
    try {
      const known = [...watched];
      const sessions = known.map(({ session }) => session);
      const holding = await findHoldingSessions(db, sessions);
      for (const entry of known) if (!holding.has(entry.session)) end(entry);
    } catch (error) {
      log.warn({ err: error }, 'the sessions of open streams could not be checked');
    }
    looking = undefined;
  }

  function end(entry: Watched): void {
    if (unwatch(entry)) entry.onEnd(refusal('token_invalid'));
  }

  function unwatch(entry: Watched): boolean {
    const was = watched.delete(entry);
    if (watched.size === 0) {
      clearInterval(timer);
      timer = undefined;
    }
    return was;
  }

  return {
    watch(session, onEnd) {
      const entry = { session, onEnd };
      watched.add(entry);
      timer ??= setInterval(() => void (looking ??= look()), everyMs).unref();
      return () => void unwatch(entry);
    },
    async stop() {
      watched.clear();
      clearInterval(timer);
      await looking;
    },
  };
}
