import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { Log, SharedRedis } from '../../server/index.js';
import type { UnreleasedMessages } from '../unreleased-messages.js';
import { type Asker, createMarks } from './marks.js';
import { createRedisPersistence } from './redis-persistence.js';

/** How long a session outlives the last sign of its reader. */
export const keptForSeconds = 30 * 86_400;
const retryMs = 200;
/** Sessions remembered to be cleared when Redis is back. */
const owedMax = 10_000;
const pageOfClients = 500;

/** Where the package keeps who has subscriptions, and those of one session. */
const clientsKey = 'clients';
const subscriptionsKey = (id: string) => `client:${encodeURIComponent(id)}`;

type Session = { readonly id: string };
type Client = Asker & { readonly clean: boolean };
type Message = { readonly messageId: number };
type Subscription = { topic: string; qos: 0 | 1 | 2 };

export type SharedPersistenceOptions = {
  redis: SharedRedis;
  log: Log;
  stopping: AbortSignal;
  /** Those of the sessions that end with their connection: no other process ever needs to know. */
  unreleased: UnreleasedMessages;
};

/**
 * What Aedes remembers, for several processes: `aedes-persistence-redis` for the sessions that are kept, and around it what
 * readers need. What ends with its connection stays in this process. Marks of QoS 2 messages and all else expire. Nothing
 * is retained, and no will: a process that dies takes its wills with it. Without Redis a reader is let in as one without a
 * session.
 */
export function createSharedPersistence({ redis, log, stopping, unreleased }: SharedPersistenceOptions) {
  const kept = createRedisPersistence({ conn: redis.connection, packetTTL: () => keptForSeconds });
  const marks = createMarks({ redis, keptForSeconds, stopping });
  const owed = new Set<string>();
  let settling: Promise<void> | undefined;
  let isSetUp = false;

  const pause = () => delay(retryMs, undefined, { signal: stopping, ref: false }).catch(() => {});

  async function trySetUp(broker: unknown): Promise<void> {
    if (redis.isAway()) return;
    try {
      await kept.setup(broker);
      isSetUp = true;
    } catch (error) {
      log.debug({ err: error }, 'the sessions could not be read yet');
    }
  }

  async function setUpLater(broker: unknown): Promise<void> {
    while (!isSetUp && !stopping.aborted) {
      await pause();
      await trySetUp(broker);
    }
  }

  async function attempt<Answer>(fallback: Answer, question: () => Promise<Answer>): Promise<Answer> {
    if (!isSetUp || redis.isAway()) return fallback;
    try {
      return await question();
    } catch (error) {
      log.debug({ err: error }, 'a session could not be asked for or kept');
      return fallback;
    }
  }

  /** A session that must not come to life again: its marks would be taken for those of other messages. */
  async function clear(session: Session): Promise<void> {
    const isCleared = await attempt(false, async () => {
      await Promise.all([kept.cleanSubscriptions(session), marks.clear(session)]);
      return true;
    });
    if (isCleared) owed.delete(session.id);
    else if (owed.size < owedMax) owed.add(session.id);
    if (owed.size > 0) settling ??= settle();
  }

  async function settle(): Promise<void> {
    while (owed.size > 0 && !stopping.aborted) {
      await pause();
      if (redis.isAway()) continue;
      for (const id of owed) await clear({ id });
    }
    settling = undefined;
  }

  /**
   * The session has its whole time before it again.
   *
   * @throws RedisAwayError
   */
  async function touch(session: Session): Promise<void> {
    await Promise.all([
      redis.ask((connection) => connection.expire(subscriptionsKey(session.id), keptForSeconds)),
      marks.touch(session),
    ]);
  }

  /** Fewer of them, where Redis goes meanwhile: the rest is there the next time. */
  async function* messagesFor(client: Client) {
    try {
      yield* kept.outgoingStream(client);
    } catch (error) {
      log.debug({ err: error }, 'what waits for a session could not be read');
    }
  }

  return {
    async setup(broker: unknown): Promise<void> {
      await trySetUp(broker);
      if (!isSetUp) void setUpLater(broker);
    },

    addSubscriptions: (session: Session, subscriptions: Subscription[]) =>
      attempt(undefined, async () => {
        await kept.addSubscriptions(session, subscriptions);
        await touch(session);
      }),
    removeSubscriptions: (session: Session, topics: string[]) =>
      attempt(undefined, () => kept.removeSubscriptions(session, topics)),
    async subscriptionsByClient(session: Session): Promise<Subscription[]> {
      if (owed.has(session.id)) await clear(session);
      return attempt([], () => kept.subscriptionsByClient(session));
    },
    subscriptionsByTopic: (topic: string) => kept.subscriptionsByTopic(topic),
    cleanSubscriptions: (session: Session) => clear(session),
    getClientList: (topic: string) => kept.getClientList(topic),

    async incomingGetPacket(client: Client, { messageId }: Message): Promise<Message> {
      const isKnown = client.clean ? unreleased.has(client.id, messageId) : await marks.has(client, messageId);
      if (!isKnown) throw new Error('no such packet');
      return { messageId };
    },
    async incomingStorePacket(client: Client, { messageId }: Message): Promise<void> {
      if (client.clean) unreleased.add(client.id, messageId);
      else await marks.add(client, messageId);
    },
    async incomingDelPacket(client: Client, { messageId }: Message): Promise<void> {
      if (client.clean) unreleased.remove(client.id, messageId);
      else await marks.remove(client, messageId);
    },
    /** Of a session that ends with its connection; `cleanSubscriptions` clears one that was kept. */
    async cleanIncoming(client: Session): Promise<void> {
      unreleased.clear(client.id);
    },

    outgoingEnqueue: kept.outgoingEnqueue.bind(kept),
    outgoingEnqueueCombi: kept.outgoingEnqueueCombi.bind(kept),
    outgoingUpdate: kept.outgoingUpdate.bind(kept),
    outgoingClearMessageId: kept.outgoingClearMessageId.bind(kept),
    outgoingStream: (client: Client) => Readable.from(client.clean || redis.isAway() ? [] : messagesFor(client)),

    async storeRetained(): Promise<void> {},
    createRetainedStream: () => Readable.from([]),
    createRetainedStreamCombi: () => Readable.from([]),
    async putWill(): Promise<void> {},
    async getWill(): Promise<void> {},
    async delWill(): Promise<void> {},
    streamWill: () => Readable.from([]),
    async destroy(): Promise<void> {},

    touch,
    /**
     * Takes sessions that have expired off the list of all, which would otherwise only grow.
     *
     * @throws RedisAwayError
     */
    async prune(): Promise<void> {
      let cursor = '0';
      do {
        const [next, ids] = await redis.ask((connection) =>
          connection.sscan(clientsKey, cursor, 'COUNT', pageOfClients),
        );
        await redis.ask(async (connection) => {
          const are = await Promise.all(ids.map((id) => connection.exists(subscriptionsKey(id))));
          const gone = ids.filter((_id, index) => are[index] === 0);
          if (gone.length > 0) await connection.srem(clientsKey, gone);
        });
        cursor = next;
      } while (cursor !== '0');
    },
  };
}

export type SharedPersistence = ReturnType<typeof createSharedPersistence>;
