import { Redis } from 'ioredis';
import type { Message, MQEmitter } from 'mqemitter';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSharedEmitter } from '../../ingest-broker/shared/emitter.js';
import { createSharedPersistence } from '../../ingest-broker/shared/persistence.js';
import { createUnreleasedMessages } from '../../ingest-broker/unreleased-messages.js';
import { createLog } from '../../server/log.js';
import { connectRedis, type SharedRedis } from '../../server/redis.js';
import { freePort } from '../support/program.js';
import { startRedis, type TestRedis } from '../support/redis.js';

const unreleased = createUnreleasedMessages();

const log = createLog('silent');

let server: TestRedis;
let inspector: Redis;

beforeAll(async () => {
  server = await startRedis();
  inspector = new Redis(server.url);
});

afterAll(async () => {
  inspector.disconnect();
  await server[Symbol.asyncDispose]();
});

interface Connected extends AsyncDisposable {
  readonly redis: SharedRedis;
}

async function connected(url = server.url): Promise<Connected> {
  const redis = connectRedis({ url, log });
  await redis.start();
  return { redis, [Symbol.asyncDispose]: () => redis.stop() };
}

describe('what the brokers of several processes say to each other', () => {
  function hear(emitter: MQEmitter): Message[] {
    const heard: Message[] = [];
    emitter.on('#', (message, done) => {
      heard.push(message);
      done();
    });
    return heard;
  }

  async function untilSubscribed(count: number): Promise<void> {
    const subscribers = async () => {
      const clients = (await inspector.call('CLIENT', 'LIST', 'TYPE', 'pubsub')) as string;
      return Array.from(clients.matchAll(/ psub=1 /g)).length;
    };
    await expect.poll(subscribers).toBe(count);
  }

  test('is heard by all of them once, with its bytes', async () => {
    await using one = await connected();
    await using other = await connected();
    const [here, there] = [
      createSharedEmitter({ redis: one.redis, log }),
      createSharedEmitter({ redis: other.redis, log }),
    ];
    const [heardHere, heardThere] = [hear(here), hear(there)];
    await untilSubscribed(2);
    here.emit({ topic: 'readers/r/commands/x', payload: Buffer.from([0, 255]), qos: 1 });
    await expect.poll(() => heardThere).toMatchObject([{ topic: 'readers/r/commands/x', qos: 1 }]);
    expect(Buffer.from(heardThere[0]?.['payload'] as Uint8Array)).toEqual(Buffer.from([0, 255]));
    there.emit({ topic: '$SYS/there/new/clients', payload: Buffer.from('gate') });
    await expect.poll(() => heardHere).toHaveLength(2);
    expect(heardThere).toHaveLength(2);
  });

  test('is for others only where they do something about it', async () => {
    await using one = await connected();
    await using other = await connected();
    const [here, there] = [
      createSharedEmitter({ redis: one.redis, log }),
      createSharedEmitter({ redis: other.redis, log }),
    ];
    const [heardHere, heardThere] = [hear(here), hear(there)];
    await untilSubscribed(2);
    for (const topic of ['$SYS/here/heartbeat', '$SYS/here/disconnect/clients', '$SYS/here/new/clients']) {
      here.emit({ topic });
    }
    await expect.poll(() => heardThere).toMatchObject([{ topic: '$SYS/here/new/clients' }]);
    expect(heardHere).toHaveLength(3);
  });

  test('is not mistaken for what somebody else publishes in Redis', async () => {
    await using one = await connected();
    await using other = await connected();
    const [here, there] = [
      createSharedEmitter({ redis: one.redis, log }),
      createSharedEmitter({ redis: other.redis, log }),
    ];
    const heard = hear(there);
    await untilSubscribed(2);
    for (const strange of ['hello', '', '\u{81}', '{"id":1}']) await inspector.publish('whereabouts/mqtt/x', strange);
    here.emit({ topic: 'after' });
    await expect.poll(() => heard).toMatchObject([{ topic: 'after' }]);
  });

  test('is heard in its own process without Redis', async () => {
    await using nowhere = await connected(`redis://127.0.0.1:${await freePort()}`);
    const emitter = createSharedEmitter({ redis: nowhere.redis, log });
    const heard = hear(emitter);
    await new Promise<void>((resolve) => emitter.emit({ topic: 'readers/r/commands/x' }, () => resolve()));
    expect(heard).toHaveLength(1);
  });
});

describe('what the brokers of several processes remember', () => {
  /** As much of a broker as the package needs: what it publishes it hears itself. */
  function createBroker() {
    const listeners: ((packet: object, done: () => void) => void)[] = [];
    return {
      id: 'broker',
      subscribe(_topic: string, listener: (typeof listeners)[number], done: () => void) {
        listeners.push(listener);
        done();
      },
      publish(packet: object, done: () => void) {
        for (const listener of listeners) listener(packet, () => {});
        done();
      },
    };
  }

  test('leaves the list of sessions when it has expired', async () => {
    await using world = await connected();
    const { signal } = new AbortController();
    const persistence = createSharedPersistence({ redis: world.redis, log, stopping: signal, unreleased });
    await persistence.setup(createBroker());
    for (const id of ['r/stays', 'r/goes']) await persistence.addSubscriptions({ id }, [{ topic: 'a', qos: 1 }]);
    await inspector.del('whereabouts:client:r%2Fgoes');
    await persistence.prune();
    expect(await inspector.smembers('whereabouts:clients')).toEqual(['r/stays']);
    expect(await persistence.subscriptionsByClient({ id: 'r/stays' })).toMatchObject([{ topic: 'a' }]);
    await persistence.cleanSubscriptions({ id: 'r/stays' });
    expect(await inspector.keys('whereabouts:client*')).toEqual([]);
  });

  test('can be set up later, when Redis is there', async () => {
    await using late = await startRedis();
    await late.kill();
    await using world = await connected(late.url);
    const stopping = new AbortController();
    const persistence = createSharedPersistence({
      redis: world.redis,
      log,
      stopping: stopping.signal,
      unreleased,
    });
    await persistence.setup(createBroker());
    const session = { id: 'r/gate' };
    await persistence.addSubscriptions(session, [{ topic: 'a', qos: 1 }]);
    expect(await persistence.subscriptionsByClient(session)).toEqual([]);
    await late.restart();
    await expect
      .poll(
        async () => {
          await persistence.addSubscriptions(session, [{ topic: 'a', qos: 1 }]);
          return persistence.subscriptionsByClient(session);
        },
        { timeout: 10_000 },
      )
      .toMatchObject([{ topic: 'a' }]);
    stopping.abort();
  });
});
