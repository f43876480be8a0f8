import type { Log, SharedRedis } from '../../server/index.js';
import { keptMark, type Sessions } from '../sessions.js';
import { keptForSeconds, type SharedPersistence } from './persistence.js';

/** Client ids of one reader whose sessions are kept. They are counted while they are in use too, so there may be more. */
const keptPerReaderMax = 64;

export type SharedSessionsOptions = { redis: SharedRedis; persistence: SharedPersistence; log: Log };

/**
 * Keeps the sessions in Redis from growing without end, whichever process a reader comes to: of each user name the ones
 * that came or went last, each for 30 days.
 */
export function createSharedSessions({ redis, persistence, log }: SharedSessionsOptions): Sessions {
  async function note(username: string, clientId: string): Promise<void> {
    const key = `sessions:${username}`;
    const surplus = await redis.ask(async (connection) => {
      await connection.zadd(key, Date.now(), clientId);
      await connection.expire(key, keptForSeconds);
      const count = await connection.zcard(key);
      return count > keptPerReaderMax ? connection.zpopmin(key, count - keptPerReaderMax) : [];
    });
    // Each is followed by its score.
    for (const [index, id] of surplus.entries()) if (index % 2 === 0) await persistence.cleanSubscriptions({ id });
  }

  /** While Redis is away, which is told once and not by each reader, sessions are let go. */
  async function tryTo(work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      log.debug({ err: error }, 'a session could not be noted');
    }
  }

  return {
    async keep(username, clientId) {
      await persistence.addSubscriptions({ id: clientId }, [keptMark]);
      await tryTo(() => note(username, clientId));
    },
    come: (username, clientId) => (isKept) => {
      if (isKept) void tryTo(() => Promise.all([note(username, clientId), persistence.touch({ id: clientId })]));
    },
  };
}
