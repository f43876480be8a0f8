import { randomUUID } from 'node:crypto';
import type { EventEmitter } from 'node:events';
import mqemitter, { type Message, type MQEmitter } from 'mqemitter';
import mqemitterRedis from 'mqemitter-redis';
import type { Log, SharedRedis } from '../../server/index.js';

/** Before every topic in Redis, which may have other users. */
const channelPrefix = 'whereabouts/mqtt/';
/** Messages passed on at once within a process, as Aedes has it. */
const concurrency = 100;

/** What the package has, but does not tell its types. */
type RedisEmitter = MQEmitter & { state: EventEmitter };
type Connections = { subConn: SharedRedis['connection']; pubConn: SharedRedis['connection'] };
const { MQEmitterRedisPrefix } = mqemitterRedis as unknown as {
  MQEmitterRedisPrefix: new (prefix: string, connections: Connections) => RedisEmitter;
};

/**
 * What the brokers of several processes say to each other, and to their own clients. Within a process a message never
 * waits for Redis, and while that is away the other processes miss it: it would be wrong by the time they heard it.
 *
 * Each process has one subscription in Redis and finds out for itself whom a message is for, as Redis compares every
 * message with every pattern that anybody subscribes to.
 */
export function createSharedEmitter({ redis, log }: { redis: SharedRedis; log: Log }): MQEmitter {
  const own = mqemitter({ concurrency, matchEmptyLevels: true });
  const subConn = redis.subscriber();
  const all = new MQEmitterRedisPrefix(channelPrefix, { subConn, pubConn: redis.connection });
  const origin = randomUUID();
  // The connections tell of themselves.
  all.state.on('error', () => {});
  bearStrangers(subConn, (error) => log.warn({ err: error }, 'a message of another process could not be read'));
  all.on('#', (message, done) => {
    if (message['origin'] === origin) done();
    else own.emit(message, done);
  });

  return {
    get current() {
      return own.current;
    },
    get concurrent() {
      return own.concurrent;
    },
    on(topic, listener, done) {
      own.on(topic, listener, done);
      return this;
    },
    removeListener: (topic, listener, done) => own.removeListener(topic, listener, done),
    emit(message, done) {
      own.emit(message, done);
      if (isForAll(message)) all.emit({ ...message, origin }, () => {});
    },
    close: (done) => own.close(done),
  };
}

/** The package takes whatever comes on its channels for its own, and throws at what is not, where nobody catches it. */
function bearStrangers(subscriber: SharedRedis['connection'], onError: (error: unknown) => void): void {
  const event = 'pmessageBuffer';
  const listeners = subscriber.listeners(event) as ((...message: unknown[]) => void)[];
  subscriber.removeAllListeners(event);
  subscriber.on(event, (...message: unknown[]) => {
    try {
      for (const listen of listeners) listen(...message);
    } catch (error) {
      onError(error);
    }
  });
}

/** Most of what a broker says of itself no other one listens to; takeovers and subscriptions they do. */
function isForAll({ topic }: Message): boolean {
  if (!topic.startsWith('$SYS/')) return true;
  return topic.endsWith('/new/clients') || topic.startsWith('$SYS/sub/');
}
