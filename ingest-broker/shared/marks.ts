import { setTimeout as delay } from 'node:timers/promises';
import { RedisAwayError, type SharedRedis } from '../../server/index.js';

const retryMs = 200;
/** How long a connection waits for Redis before it is ended, unacknowledged: its reader comes again. */
const patienceMs = 10_000;

/** The connection on whose behalf Redis is asked. */
export type Asker = { readonly id: string; readonly closed: boolean; readonly conn: { destroy(): unknown } };

export type MarksOptions = {
  redis: SharedRedis;
  /** How long marks are kept after the last one of their session. */
  keptForSeconds: number;
  /** Ends all waiting. */
  stopping: AbortSignal;
  /** The clock: Unix time in milliseconds. */
  now?: () => number;
};

/**
 * Which QoS 2 messages of the sessions that are kept have been stored and not been released yet ([MQTT-4.3.3-2]), for all
 * processes. Without Redis there is no telling, and a wrong answer would lose a message or store it twice: so all of
 * these wait until there is one.
 */
export function createMarks({ redis, keptForSeconds, stopping, now = Date.now }: MarksOptions) {
  let pause: Promise<void> | undefined;

  /** However many wait, they wait together. */
  function nextTry(): Promise<void> {
    pause ??= delay(retryMs, undefined, { signal: stopping, ref: false })
      .catch(() => {})
      .finally(() => {
        pause = undefined;
      });
    return pause;
  }

  /** @throws RedisAwayError once the answer is of no use to anybody any more */
  async function patiently<Answer>(isOfUse: () => boolean, question: () => Promise<Answer>): Promise<Answer> {
    for (;;) {
      if (!redis.isAway()) {
        try {
          return await question();
        } catch {
          // Redis has gone, which is waited out.
        }
      }
      if (!isOfUse() || stopping.aborted) throw new RedisAwayError();
      await nextTry();
    }
  }

  /** For as long as the connection lasts, which is not for ever either. */
  function whileConnected(asker: Asker): () => boolean {
    const giveUpAt = now() + patienceMs;
    return () => {
      // Aedes takes an error for an answer, which must then not reach the reader.
      if (stopping.aborted || now() >= giveUpAt) asker.conn.destroy();
      return !asker.closed;
    };
  }

  return {
    has: (asker: Asker, messageId: number) =>
      patiently(whileConnected(asker), () =>
        redis.ask(async (connection) => (await connection.hexists(keyOf(asker), String(messageId))) === 1),
      ),
    /** Of a message that is stored: it will be sent again, so its mark is made even when the connection has ended. */
    add: (asker: Asker, messageId: number) =>
      patiently(
        () => true,
        () =>
          redis.ask(async (connection) => {
            await connection.hset(keyOf(asker), String(messageId), '');
            await connection.expire(keyOf(asker), keptForSeconds);
          }),
      ),
    /** An identifier that is released can be used again, so its reader hears of the release only when the mark is gone. */
    remove: (asker: Asker, messageId: number) =>
      patiently(whileConnected(asker), () =>
        redis.ask(async (connection) => {
          await connection.hdel(keyOf(asker), String(messageId));
        }),
      ),
    /** @throws RedisAwayError */
    clear: (session: { id: string }) => redis.ask((connection) => connection.del(keyOf(session))),
    /** @throws RedisAwayError */
    touch: (session: { id: string }) => redis.ask((connection) => connection.expire(keyOf(session), keptForSeconds)),
  };
}

function keyOf({ id }: { id: string }): string {
  return `incoming:${id}`;
}
