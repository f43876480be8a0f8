import { randomUUID } from 'node:crypto';
import type { RequestTimeouts } from '../../gateway/app.js';
import { createHealth } from '../../gateway/health.js';
import { createGateway, type Gateway } from '../../gateway/index.js';
import { createIdentity } from '../../server/people/auth/identity.js';
import { type Scope, selectableScopes } from '../../server/people/auth/scopes.js';
import { openTestDb, type TestDb } from './models.js';
import { type Core, createCore } from '../../server/index.js';
import { createLog } from '../../server/kernel/log.js';
import { readSettings, type Settings } from '../../server/kernel/settings.js';
import { authSecret } from './caller.js';
import { createOrganization } from './members.js';
import { createClient, type RestClient } from './rest-client.js';
import { createStartedDatabase, type TestDatabase } from './postgres.js';
import { shareInWorker } from './shared.js';

export type { RestClient };

/** A service: a database, the core and the gateway, over a real socket. */
export type World = AsyncDisposable & {
  readonly url: string;
  readonly port: number;
  readonly databaseUrl: string;
  readonly db: TestDb;
  readonly core: Core;
  readonly gateway: Gateway;
  readonly identity: ReturnType<typeof createIdentity>;
  readonly settings: Settings;
  /** Calls without a credential, or with any that a test sends. */
  readonly anonymous: RestClient;
  /** A new organization with a key with all scopes. */
  organization(name?: string): Promise<TestOrganization>;
};

export type TestOrganization = RestClient & {
  orgId: number;
  keyId: string;
  token: string;
  /** Another key of the same organization. */
  withScopes(
    scopes: readonly Scope[],
    options?: { expiresAtMs?: number; revoked?: boolean },
  ): Promise<RestClient & { keyId: string; token: string }>;
};

export type WorldOptions = {
  settings?: Partial<Settings>;
  /** Disposed of with the world; a new one by default. */
  database?: TestDatabase;
  now?: () => number;
  /** A built app; without it the gateway serves only the API. */
  webFolder?: string;
  /** Built documentation. */
  docsFolder?: string;
  timeouts?: RequestTimeouts;
  /** How often timed jobs run; every five seconds by default. */
  jobsRepeatMs?: number;
  /** Name servers that the service asks. */
  nameServers?: readonly string[];
};

/**
 * The service with the usual settings, which the test files of a worker share and which ends with the worker. Each test makes
 * organizations of its own in it. A test that reads what all organizations have, or changes the database, creates a world.
 */
export const sharedWorld = shareInWorker(() => createWorld());

export async function createWorld({
  settings: given = {},
  database: givenDatabase,
  now,
  webFolder,
  docsFolder,
  timeouts,
  jobsRepeatMs,
  nameServers,
}: WorldOptions = {}): Promise<World> {
  const database = givenDatabase ?? (await createStartedDatabase());
  const log = createLog('silent');
  const settings: Settings = {
    ...readSettings({}),
    port: 0,
    mqttPort: 0,
    authSecret,
    rateLimit: { requests: 1_000_000, windowSeconds: 60 },
    ...given,
  };
  const db = openTestDb(database.url);
  const core = createCore({ db, databaseUrl: database.url, settings, log, jobsRepeatMs, nameServers });
  await core.start();
  const gateway = createGateway({
    core,
    settings,
    log,
    health: createHealth({ core, settings, log, probes: { brokerListening: () => true } }),
    ...(now ? { now } : {}),
    ...(webFolder === undefined ? {} : { webFolder }),
    ...(docsFolder === undefined ? {} : { docsFolder }),
    ...(timeouts && { timeouts }),
  });
  const { port } = await gateway.listen();
  const url = `http://127.0.0.1:${port}`;
  const identity = createIdentity({ db, log, settings: { authSecret, environment: settings.environment } });

  async function createApiKey(
    orgId: number,
    scopes: readonly Scope[],
    options: { expiresAtMs?: number; revoked?: boolean } = {},
  ) {
    const id = randomUUID();
    const expiresAt = options.expiresAtMs === undefined ? null : new Date(options.expiresAtMs);
    const revokedAt = options.revoked ? new Date() : null;
    await db.apiKey.create({ data: { id, orgId, name: 'test', scopes: [...scopes], expiresAt, revokedAt } });
    return { keyId: id, token: await identity.signApiKey({ id, expiresAtMs: options.expiresAtMs ?? null }) };
  }

  return {
    url,
    port,
    databaseUrl: database.url,
    db,
    core,
    gateway,
    identity,
    settings,
    anonymous: createClient(url),
    async organization(name) {
      const orgId = await createOrganization(db, name);
      const key = await createApiKey(orgId, selectableScopes);
      return {
        ...createClient(url, key.token),
        ...key,
        orgId,
        async withScopes(scopes, options) {
          const other = await createApiKey(orgId, scopes, options);
          return { ...createClient(url, other.token), ...other };
        },
      };
    },
    async [Symbol.asyncDispose]() {
      await gateway.close();
      await core.stop();
      await identity.stop();
      await db.$disconnect();
      await database[Symbol.asyncDispose]();
    },
  };
}
