import { createServer } from 'node:http';
import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { readProjectFile } from '../docs/markdown.js';
import { authSecret } from '../support/caller.js';
import type { FleetReader } from '../support/fleet.js';
import { createTestFolder, type TestFolder } from '../support/folder.js';
import { createFreezableProxy, type FreezableProxy } from '../support/freezable-proxy.js';
import { bindToFreePorts, startHaproxy, type TestHaproxy } from '../support/haproxy.js';
import { type NameServer, createNameServer } from '../support/name-server.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { freePort } from '../support/program.js';
import { createProcedureCaller, signUpWithKey } from '../support/procedure-caller.js';
import { type ServiceProcess, startService } from '../support/service-process.js';
import { type SteadyLoad, startSteadyLoad } from '../support/steady-load.js';
import { createRetryingReader } from '../support/retrying-reader.js';

// Processes behind the HAProxy of docker-compose.yml, with its configuration. As containers do, each process has an address of its
// own with the same ports, and a name server resolves the addresses of a service.

const open: (AsyncDisposable | Disposable)[] = [];
const processes: ServiceProcess[] = [];
let folder: TestFolder;
let database: TestDatabase;
/** The way of the processes to the database. */
let toDatabase: FreezableProxy;
let names: NameServer;
let balancer: TestHaproxy;
let url: string;
let mqttPort: number;
let key: string;
let reader: FleetReader;
const ports = { http: 0, mqtt: 0, probes: 0 };

function keep<Thing extends AsyncDisposable | Disposable>(thing: Thing): Thing {
  open.push(thing);
  return thing;
}

function databaseUrl(): string {
  return Object.assign(new URL(database.url), { port: String(toDatabase.port) }).href;
}

async function startProcess(role: 'gateway' | 'ingest-broker', address: string): Promise<ServiceProcess> {
  const env = {
    HOST: address,
    PORT: String(ports.http),
    MQTT_PORT: String(ports.mqtt),
    PROBES_PORT: String(ports.probes),
    ROLE: role,
    DATABASE_URL: databaseUrl(),
    AUTH_SECRET: authSecret,
    RATE_LIMIT_REQUESTS: '1000000',
    // Twice as long as the balancer takes to notice.
    TRUSTED_PROXIES: '127.0.0.1',
    STOP_DELAY_SECONDS: role === 'gateway' ? '3' : '0',
  };
  const process = startService({ folder: folder.path, env });
  processes.push(process);
  await process.ready;
  return process;
}

/** Makes an address one of a service, and resolves when the balancer uses it. */
async function publish(role: 'gateway' | 'ingest-broker', address: string): Promise<void> {
  const logged = () =>
    balancer.log().match(new RegExp(`Server ${role === 'gateway' ? 'gateways' : 'ingest-brokers'}/.* UP`, 'g')) ?? [];
  const before = logged().length;
  names.addresses.set(role, [...(names.addresses.get(role) ?? []), address]);
  const isUsed = () => {
    if (logged().length <= before) throw new Error(`HAProxy does not use ${address}`);
  };
  await vi.waitFor(isUsed, { timeout: 30_000 });
}

function withdraw(role: string, address: string): void {
  names.addresses.set(
    role,
    (names.addresses.get(role) ?? []).filter((each) => each !== address),
  );
}

beforeAll(async () => {
  folder = keep(createTestFolder());
  database = keep(await createTestDatabase());
  const { hostname: host, port } = new URL(database.url);
  toDatabase = keep(await createFreezableProxy({ host, port: Number(port) }));
  names = keep(await createNameServer());
  for (const name of ['http', 'mqtt', 'probes'] as const) ports[name] = await freePort();
  const original = readProjectFile('deploy', 'haproxy.cfg')
    .replace('parse-resolv-conf', `nameserver test ${names.address}`)
    .replaceAll(' gateway:3000', ` gateway:${ports.http}`)
    .replace(' ingest-broker:1883', ` ingest-broker:${ports.mqtt}`)
    .replaceAll(' check port 3001 ', ` check port ${ports.probes} `);
  const bound = await bindToFreePorts(original);
  url = `http://127.0.0.1:${bound.ports.get(3000)}`;
  mqttPort = bound.ports.get(1883) ?? 0;
  await startProcess('gateway', '127.0.0.2');
  await Promise.all([startProcess('gateway', '127.0.0.3'), startProcess('ingest-broker', '127.0.0.6')]);
  balancer = keep(await startHaproxy(bound.configuration, bound.ports.get(3000) ?? 0));
  await publish('gateway', '127.0.0.2');
  await publish('gateway', '127.0.0.3');
  await publish('ingest-broker', '127.0.0.6');
  const call = createProcedureCaller(url);
  const { token, key: created } = await signUpWithKey(call);
  key = created;
  const settings = { name: 'Gate', format: 'native', location_rule: 'newest', resolution_seconds: 0 };
  reader = await call<FleetReader>('readers.create', settings, token);
}, 120_000);

afterAll(async () => {
  await Promise.all(processes.map((process) => process.stop('SIGKILL')));
  for (const each of open.toReversed()) {
    if (Symbol.asyncDispose in each) await each[Symbol.asyncDispose]();
    else each[Symbol.dispose]();
  }
});

type Asset = { name: string; tags?: { tag_type: 'rfid'; value: string }[] };

function createAsset(asset: Asset): Promise<Response> {
  const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${key}` };
  return fetch(`${url}/api/v1/assets`, { method: 'POST', headers, body: JSON.stringify(asset) });
}

function listAssets(): Promise<Response> {
  return fetch(`${url}/api/v1/assets?limit=5`, { headers: { Authorization: `Bearer ${key}` } });
}

/** Resolves when more requests have been answered, so that a failure would have been seen. */
async function goOn(load: SteadyLoad): Promise<void> {
  const before = load.answered();
  await expect.poll(() => load.answered()).toBeGreaterThan(before + 100);
}

test('gateways are replaced one by one under load, and no request fails', async () => {
  const request = (number: number) => (number % 4 === 0 ? createAsset({ name: `Pallet ${number}` }) : listAssets());
  await using load = startSteadyLoad({ clients: 8, request });
  const addresses = ['127.0.0.4', '127.0.0.5'] as const;
  await Promise.all(addresses.map((address) => startProcess('gateway', address)));
  for (const [old, oldAddress, newAddress] of [
    [processes[0], '127.0.0.2', addresses[0]],
    [processes[1], '127.0.0.3', addresses[1]],
  ] as const) {
    await publish('gateway', newAddress);
    expect(await old?.stop('SIGTERM')).toEqual({ code: 0, signal: null });
    withdraw('gateway', oldAddress);
    await goOn(load);
  }
  expect(await load.stop()).toEqual([]);
}, 120_000);

test('no read request fails when a gateway is killed', async () => {
  await startProcess('gateway', '127.0.0.7');
  await publish('gateway', '127.0.0.7');
  await using load = startSteadyLoad({ clients: 8, request: listAssets });
  await goOn(load);
  await processes.at(-1)?.stop('SIGKILL');
  await goOn(load);
  expect(await load.stop()).toEqual([]);
  withdraw('gateway', '127.0.0.7');
}, 120_000);

test('an ingest process is replaced while a reader publishes, and each read is stored once', async () => {
  const tag = 'E28011900000000000000001';
  expect((await createAsset({ name: 'Pallet', tags: [{ tag_type: 'rfid', value: tag }] })).status).toBe(201);
  const firstReadMs = Date.now() - 3_600_000;
  const payload = (number: number) =>
    JSON.stringify({ reads: [{ value: tag, observed_at: new Date(firstReadMs + number * 100).toISOString() }] });
  using device = createRetryingReader({ port: mqttPort, reader, qos: 1, window: 5, payload });
  await expect.poll(() => device.acknowledged()).toBeGreaterThan(20);
  await startProcess('ingest-broker', '127.0.0.8');
  await publish('ingest-broker', '127.0.0.8');
  expect(await processes[2]?.stop('SIGTERM')).toEqual({ code: 0, signal: null });
  withdraw('ingest-broker', '127.0.0.6');
  const resumedAt = device.acknowledged();
  await expect.poll(() => device.acknowledged()).toBeGreaterThan(resumedAt + 20);
  await device.finish();
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const { rows } = await client.query<{ events: number }>('SELECT count(*)::int AS events FROM scan_events');
  await client.end();
  expect(rows[0]?.events).toBe(device.messages());
}, 120_000);

test('a process of another role at the address of a gateway gets no requests', async () => {
  const asked: (string | undefined)[] = [];
  const impostor = createServer((request, response) => {
    asked.push(request.url);
    response.end('{"status":"ok","role":"ingest-broker","checks":{}}');
  });
  await new Promise<void>((resolve) => impostor.listen(ports.http, '127.0.0.9', resolve));
  names.addresses.set('gateway', [...(names.addresses.get('gateway') ?? []), '127.0.0.9']);
  const checks = ['/readyz', '/servez'];
  // Checked repeatedly in both backends, so that it would get requests by now if it passed.
  const countOf = (path: string) => asked.filter((each) => each === path).length;
  await expect.poll(() => Math.min(...checks.map(countOf))).toBeGreaterThan(2);
  for (let index = 0; index < 10; index += 1) expect((await listAssets()).status).toBe(200);
  expect(new Set(asked)).toEqual(new Set(checks));
  withdraw('gateway', '127.0.0.9');
  impostor.closeAllConnections();
  await new Promise((resolve) => impostor.close(resolve));
}, 120_000);

test('while the database is unavailable, API requests get 503 and browsers get the app', async () => {
  await toDatabase[Symbol.asyncDispose]();
  await expect.poll(() => balancer.log()).toContain('backend gateways has no server available');
  for (let index = 0; index < 5; index += 1) {
    const answer = await listAssets();
    expect([answer.status, answer.headers.get('content-type')]).toEqual([503, 'application/json']);
    expect(answer.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(await answer.json()).toMatchObject({ error: { type: 'service_unavailable' } });
    const page = await fetch(`${url}/assets`, { headers: { Accept: 'text/html' } });
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('<title>')]);
  }
  const { hostname: host, port } = new URL(database.url);
  keep(await createFreezableProxy({ host, port: Number(port), at: toDatabase.port }));
  await expect.poll(async () => (await listAssets()).status).toBe(200);
}, 120_000);
