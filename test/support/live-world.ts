import { createHealth } from '../../gateway/health.js';
import { createGateway } from '../../gateway/index.js';
import { createIdentity } from '../../server/people/auth/identity.js';
import type { Role } from '../../server/people/auth/scopes.js';
import { openTestDb } from './models.js';
import { createCore } from '../../server/index.js';
import { authSecret } from './caller.js';
import { type EventStream, openEventStream, type StreamRequest } from './event-stream.js';
import { createMemberSession, type MemberSession } from './members.js';
import { type BrokerWorld, createBrokerWorld } from './mqtt.js';

/** A service with gateway and broker. Several can run on one database. */
export type LiveWorld = BrokerWorld & {
  readonly url: string;
  /** A second process with server, gateway and broker on the same database. Disposing of the world ends it. */
  another(): Promise<LiveServer>;
  /** A user signed in to an organization. */
  session(orgId: number, role?: Role): Promise<LiveSession>;
};

export type LiveServer = { url: string; close(): Promise<void> };

export type LiveSession = MemberSession & {
  /** Subscribes to the positions, through the first gateway by default. */
  live(options?: StreamRequest & { url?: string }): Promise<EventStream>;
};

export async function createLiveWorld(): Promise<LiveWorld> {
  const world = await createBrokerWorld();
  const { db, log, settings, databaseUrl } = world;
  const identity = createIdentity({ db, log, settings: { authSecret, environment: settings.environment } });
  const closing: (() => Promise<void>)[] = [];

  async function open(core: BrokerWorld['core']): Promise<LiveServer> {
    const health = createHealth({ core, settings, log, probes: { brokerListening: () => true } });
    const gateway = createGateway({ core, settings, log, health });
    const { port } = await gateway.listen();
    closing.push(gateway.close);
    return { url: `http://127.0.0.1:${port}`, close: gateway.close };
  }

  const { url } = await open(world.core);
  return {
    ...world,
    url,
    async another() {
      const otherDb = openTestDb(databaseUrl, 5);
      const core = createCore({ db: otherDb, databaseUrl, settings, log });
      await core.start();
      closing.push(async () => {
        await core.stop();
        await otherDb.$disconnect();
      });
      return open(core);
    },
    async session(orgId, role = 'viewer') {
      const session = await createMemberSession({ db, identity }, orgId, role);
      return {
        ...session,
        live: ({ url: origin = url, ...request } = {}) =>
          openEventStream(`${origin}/trpc/scans.live`, { token: session.token, ...request }),
      };
    },
    async [Symbol.asyncDispose]() {
      for (const close of closing.reverse()) await close();
      await identity.stop();
      await world[Symbol.asyncDispose]();
    },
  };
}
