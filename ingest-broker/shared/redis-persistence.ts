import type { Readable } from 'node:stream';
// @ts-expect-error The package has no types.
import createPersistence from 'aedes-persistence-redis';
import type { SharedRedis } from '../../server/index.js';

type Session = { readonly id: string };
type Subscription = { topic: string; qos: 0 | 1 | 2 };
type Packet = Record<string, unknown>;

/** What the broker uses of `aedes-persistence-redis`, whose methods promise where they are given no callback. */
export type RedisPersistence = {
  /** Reads the subscriptions of all sessions, and follows them from then on. */
  setup(broker: unknown): Promise<void>;
  addSubscriptions(session: Session, subscriptions: Subscription[]): Promise<void>;
  removeSubscriptions(session: Session, topics: string[]): Promise<void>;
  subscriptionsByClient(session: Session): Promise<Subscription[]>;
  subscriptionsByTopic(topic: string): Promise<Subscription[]>;
  cleanSubscriptions(session: Session): Promise<void>;
  outgoingEnqueue(to: { clientId: string }, packet: Packet): Promise<void>;
  outgoingEnqueueCombi(to: { clientId: string }[], packet: Packet): Promise<void>;
  outgoingUpdate(session: Session, packet: Packet): Promise<void>;
  outgoingClearMessageId(session: Session, packet: Packet): Promise<Packet | undefined>;
  outgoingStream(session: Session): Readable;
  getClientList(topic: string): Readable;
};

export type RedisPersistenceOptions = {
  conn: SharedRedis['connection'];
  /** Seconds that a message waits for a session that is away. */
  packetTTL: (packet: Packet) => number;
};

export const createRedisPersistence = createPersistence as (options: RedisPersistenceOptions) => RedisPersistence;
