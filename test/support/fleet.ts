import { type AddressInfo, connect, createServer } from 'node:net';
import pg from 'pg';
import { selectableScopes } from '../../server/people/auth/scopes.js';
import type { Credentials } from './mqtt.js';
import { authSecret } from './caller.js';
import { createTestFolder } from './folder.js';
import { createTestDatabase } from './postgres.js';
import { startRedis, type TestRedis } from './redis.js';
import { createClient, type RestClient } from './rest-client.js';
import { addressIn, type ServiceProcess, startService } from './service-process.js';

/** A process of the service with one entry point. */
export type FleetProcess = {
  readonly process: ServiceProcess;
  /** The port of its entry point. */
  readonly port: number;
  /** The port for HTTP: all of it, or only probes. */
  readonly url: string;
};

export type FleetReader = Credentials & { id: number; publish_topic: string };

/** Two gateways and two ingest processes, on one PostgreSQL and one Redis, with one organization. */
export type Fleet = AsyncDisposable & {
  readonly redis: TestRedis;
  readonly database: pg.Client;
  readonly gateways: readonly [FleetProcess, FleetProcess];
  readonly ingests: readonly [FleetProcess, FleetProcess];
  /** Kills the first ingest process, and starts another in its place. */
  replaceIngest(): Promise<void>;
  /** Calls a procedure as the administrator, through the given gateway. */
  call<Result>(gateway: FleetProcess, procedure: string, input?: unknown): Promise<Result>;
  /** A new key for everything, as a client of each gateway. */
  withKey(): Promise<{ id: string; clients: readonly [RestClient, RestClient] }>;
  reader(settings?: Record<string, unknown>): Promise<FleetReader>;
};

export async function startFleet(): Promise<Fleet> {
  const open: (AsyncDisposable | Disposable)[] = [];
  try {
    return await buildFleet(open);
  } catch (error) {
    await disposeOf(open);
    throw error;
  }
}

async function disposeOf(open: (AsyncDisposable | Disposable)[]): Promise<void> {
  for (const each of open.splice(0).toReversed()) {
    if (Symbol.asyncDispose in each) await each[Symbol.asyncDispose]();
    else each[Symbol.dispose]();
  }
}

async function buildFleet(open: (AsyncDisposable | Disposable)[]): Promise<Fleet> {
  function keep<Thing extends AsyncDisposable | Disposable>(thing: Thing): Thing {
    open.push(thing);
    return thing;
  }

  const { url: databaseUrl } = keep(await createTestDatabase());
  const redis = keep(await startRedis());
  const folder = keep(createTestFolder());
  const database = new pg.Client({ connectionString: databaseUrl });
  await database.connect();
  keep({ [Symbol.asyncDispose]: () => database.end() });

  async function start(role: 'gateway' | 'ingest-broker'): Promise<FleetProcess> {
    const shared = { DATABASE_URL: databaseUrl, REDIS_URL: redis.url, AUTH_SECRET: authSecret };
    const process = keep(startService({ folder: folder.path, env: { ...shared, ROLE: role, PROBES_PORT: '0' } }));
    const output = await process.ready;
    const address = addressIn(output, role === 'gateway' ? 'http' : 'mqtt');
    return { process, url: addressIn(output, 'http'), port: Number(new URL(address).port) };
  }

  const gateways = [await start('gateway'), await start('gateway')] as const;
  const ingests: [FleetProcess, FleetProcess] = [await start('ingest-broker'), await start('ingest-broker')];
  const account = { organization_name: 'Acme', name: 'Ada', email: 'ada@example.com', password: 'a long password' };
  const session = await post<{ token: string }>(`${gateways[0].url}/trpc/session.signUp`, account);

  async function call<Result>(gateway: FleetProcess, procedure: string, input: unknown = {}): Promise<Result> {
    return post(`${gateway.url}/trpc/${procedure}`, input, session.token);
  }

  return {
    redis,
    database,
    gateways,
    ingests,
    call,
    async withKey() {
      const input = { name: 'test', scopes: selectableScopes, expires_at: null };
      const { id, token } = await call<{ id: string; token: string }>(gateways[0], 'apiKeys.create', input);
      return { id, clients: [createClient(gateways[0].url, token), createClient(gateways[1].url, token)] };
    },
    async replaceIngest() {
      await ingests[0].process.stop('SIGKILL');
      ingests[0] = await start('ingest-broker');
    },
    reader: (settings = {}) =>
      call(gateways[0], 'readers.create', {
        name: 'Gate',
        format: 'native',
        location_rule: 'newest',
        ...settings,
      }),
    [Symbol.asyncDispose]: () => disposeOf(open),
  };
}

async function post<Result>(url: string, input: unknown, token?: string): Promise<Result> {
  const authorization = token === undefined ? {} : { Authorization: `Bearer ${token}` };
  const headers = { 'Content-Type': 'application/json', ...authorization };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(input) });
  const answer = (await response.json()) as { result?: { data: Result } };
  if (!answer.result) throw new Error(`${url} refused: ${JSON.stringify(answer)}`);
  return answer.result.data;
}

/** A port that forwards to several others round-robin, skipping those without a listener. */
export async function startBalancer(ports: readonly number[]): Promise<AsyncDisposable & { port: number }> {
  let next = 0;
  const server = createServer((client) => {
    client.on('error', () => {});
    tryPorts(ports.length);

    function tryPorts(left: number): void {
      if (left === 0) {
        client.destroy();
        return;
      }
      const upstream = connect(ports[next++ % ports.length] ?? 0, '127.0.0.1');
      let isConnected = false;
      upstream.once('connect', () => {
        isConnected = true;
        client.pipe(upstream).pipe(client);
      });
      upstream.on('error', () => (isConnected ? client.destroy() : tryPorts(left - 1)));
      upstream.once('close', () => isConnected && client.destroy());
      client.once('close', () => upstream.destroy());
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
