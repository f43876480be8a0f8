import { Redis } from 'ioredis';
import { createIngestBroker, type IngestBroker } from '../../ingest-broker/index.js';
import { createDatabase } from '../../server/database/client.js';
import { type Core, createCore } from '../../server/index.js';
import { connectRedis, type SharedRedis } from '../../server/redis.js';
import type { Credentials } from './mqtt.js';
import { connectPacket, packetTypes, type RawMqtt, rawMqtt } from './raw-mqtt.js';
import { startRedis, type TestRedis } from './redis.js';
import { createScanWorld, type ScanWorld, type ScanWorldOptions } from './scan-world.js';

/** What one ingest process has: a room, a connection to Redis, and a door of its own. */
export interface TestNode {
  readonly core: Core;
  readonly redis: SharedRedis;
  readonly broker: IngestBroker;
  readonly port: number;
}

/** Two of them on one database and one Redis. */
export interface ClusterWorld extends ScanWorld {
  readonly redis: TestRedis;
  /** A connection of the test's own, to look into Redis. */
  readonly inspector: Redis;
  readonly nodes: readonly [TestNode, TestNode];
}

export async function createClusterWorld(options: ScanWorldOptions = {}): Promise<ClusterWorld> {
  const world = await createScanWorld(options);
  const redis = await startRedis();
  const inspector = new Redis(redis.url);
  inspector.on('error', () => {});
  const stops: (() => Promise<void>)[] = [];

  async function startNode(): Promise<TestNode> {
    const { databaseUrl, settings, log } = world;
    const db = createDatabase({ url: databaseUrl, poolSize: 5 });
    const core = createCore({ db, databaseUrl, settings, log });
    await core.start();
    const shared = connectRedis({ url: redis.url, log });
    await shared.start();
    const broker = createIngestBroker({ core, settings, log, redis: shared });
    const { port } = await broker.listen();
    stops.push(async () => {
      await broker.close();
      await shared.stop();
      await core.stop();
      await db.$disconnect();
    });
    return { core, redis: shared, broker, port };
  }

  return {
    ...world,
    redis,
    inspector,
    nodes: [await startNode(), await startNode()],
    async [Symbol.asyncDispose]() {
      await Promise.all(stops.map((stop) => stop()));
      inspector.disconnect();
      await redis[Symbol.asyncDispose]();
      await world[Symbol.asyncDispose]();
    },
  };
}

export type LoginOptions = { clientId?: string; clean?: boolean; will?: { topic: string; payload: string } };

/** A connection that has been let in, and what its CONNACK said of a session. */
export async function logIn(
  { port }: { port: number },
  { mqtt_username: username, mqtt_password: password }: Credentials,
  { clientId = 'gate', clean = false, ...more }: LoginOptions = {},
): Promise<RawMqtt & { hasSession: boolean }> {
  const client = await rawMqtt(port);
  client.send(connectPacket({ clientId, username, password, clean, ...more }));
  const answer = await client.next();
  if (answer?.type !== packetTypes.connack || answer.body[1] !== 0) {
    throw new Error(`not let in: ${JSON.stringify(answer)}`);
  }
  return Object.assign(client, { hasSession: answer.body[0] === 1 });
}
