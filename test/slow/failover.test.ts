import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { readProjectFile } from '../docs/markdown.js';
import { authSecret } from '../support/caller.js';
import type { FleetReader } from '../support/fleet.js';
import { createTestFolder } from '../support/folder.js';
import { bindToFreePorts, startHaproxy } from '../support/haproxy.js';
import { type ReplicatedPostgres, startReplicatedPostgres } from '../support/replicated-postgres.js';
import { createProcedureCaller, signUpWithKey } from '../support/procedure-caller.js';
import { addressIn, startService } from '../support/service-process.js';
import { createRetryingReader, type RetryingReader } from '../support/retrying-reader.js';

// Two PostgreSQL servers, the second a synchronous standby of the first, behind the HAProxy of deploy/haproxy-postgres.cfg.

const open: (AsyncDisposable | Disposable)[] = [];
let servers: ReplicatedPostgres;
/** The part of Patroni: which server is the primary. */
let leader: 'primary' | 'standby' = 'primary';
let address: string;
let mqttPort: number;
let key: string;
let reader: FleetReader;

function keep<Thing extends AsyncDisposable | Disposable>(thing: Thing): Thing {
  open.push(thing);
  return thing;
}

/** Answers `GET /primary` as Patroni does, and resolves with the port. */
async function startAgent(name: typeof leader): Promise<number> {
  const agent = createServer((request, response) => {
    response.writeHead(request.url === '/primary' && leader === name ? 200 : 503).end();
  });
  await new Promise<void>((resolve) => agent.listen(0, '127.0.0.1', resolve));
  keep({
    async [Symbol.asyncDispose]() {
      agent.closeAllConnections();
      await new Promise((resolve) => agent.close(resolve));
    },
  });
  return (agent.address() as AddressInfo).port;
}

beforeAll(async () => {
  servers = keep(await startReplicatedPostgres());
  let configuration = readProjectFile('deploy', 'haproxy-postgres.cfg');
  for (const [line, server] of [
    ['server postgres-1 postgres-1:5432', 'primary'],
    ['server postgres-2 postgres-2:5432', 'standby'],
  ] as const) {
    const agentPort = await startAgent(server);
    configuration = configuration.replace(line, `server ${server} 127.0.0.1:${servers[server].port} port ${agentPort}`);
  }
  const bound = await bindToFreePorts(configuration);
  const databasePort = bound.ports.get(5432) ?? 0;
  const balancer = keep(await startHaproxy(bound.configuration, databasePort));
  const databaseUrl = servers.primary.url.replace(`:${servers.primary.port}/`, `:${databasePort}/`);
  await vi.waitFor(
    async () => {
      if (!/Health check for server postgres\/(standby failed|primary succeeded)/.test(balancer.log()))
        throw new Error('unchecked');
      await ask(databaseUrl, 'SELECT 1');
    },
    { timeout: 30_000 },
  );
  const folder = keep(createTestFolder());
  const service = keep(
    startService({
      folder: folder.path,
      env: { DATABASE_URL: databaseUrl, AUTH_SECRET: authSecret, RATE_LIMIT_REQUESTS: '1000000' },
    }),
  );
  const output = await service.ready;
  address = addressIn(output, 'http');
  mqttPort = Number(new URL(addressIn(output, 'mqtt')).port);
  const call = createProcedureCaller(address);
  const { token, key: created } = await signUpWithKey(call);
  key = created;
  const settings = { name: 'Gate', format: 'native', location_rule: 'newest', resolution_seconds: 0 };
  reader = await call<FleetReader>('readers.create', settings, token);
}, 120_000);

afterAll(async () => {
  for (const each of open.toReversed()) {
    if (Symbol.asyncDispose in each) await each[Symbol.asyncDispose]();
    else each[Symbol.dispose]();
  }
});

async function createAsset(externalKey: string, tag?: string): Promise<number> {
  const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${key}` };
  const tags = tag === undefined ? {} : { tags: [{ tag_type: 'rfid', value: tag }] };
  const body = JSON.stringify({ name: 'Pallet', external_key: externalKey, ...tags });
  const response = await fetch(`${address}/api/v1/assets`, { method: 'POST', headers, body });
  await response.arrayBuffer();
  return response.status;
}

const firstReadMs = Date.now() - 3_600_000;

function startDevice(tag: string): RetryingReader {
  const payload = (number: number) =>
    JSON.stringify({ reads: [{ value: tag, observed_at: new Date(firstReadMs + number * 100).toISOString() }] });
  return createRetryingReader({ port: mqttPort, reader, qos: 1, window: 10, payload });
}

async function ask<Row extends pg.QueryResultRow>(url: string, sql: string, values: unknown[] = []): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(sql, values)).rows;
  } finally {
    await client.end();
  }
}

/** The numbers of the messages whose reads of a tag are stored. */
async function numbersStored(url: string, tag: string): Promise<number[]> {
  const rows = await ask<{ at: Date }>(
    url,
    `SELECT e.event_observed_at AS at
       FROM scan_events e
       JOIN tags t ON t.asset_id = e.asset_id
      WHERE t.value = $1
      ORDER BY 1`,
    [tag],
  );
  return rows.map(({ at }) => (at.getTime() - firstReadMs) / 100);
}

function numbersUpTo(count: number): number[] {
  return Array.from({ length: count }, (_, number) => number);
}

test('a read is not acknowledged while the standby lacks it, even if the wait for the standby is canceled', async () => {
  const tags = { before: 'E28011900000000000000001', meanwhile: 'E28011900000000000000003' };
  expect(await createAsset('PALLET-1', tags.before)).toBe(201);
  expect(await createAsset('PALLET-3', tags.meanwhile)).toBe(201);
  using earlier = startDevice(tags.before);
  await expect.poll(() => earlier.acknowledged()).toBeGreaterThan(20);
  // Nothing that the standby has is acknowledged later than this.
  await earlier.finish();
  servers.standby.freeze();
  try {
    using device = startDevice(tags.meanwhile);
    const waiting = "FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND application_name = 'whereabouts ingestion'";
    const countWaiting = async (sinceWhen: string) =>
      (await ask(servers.primary.url, `SELECT pid ${waiting} AND xact_start > $1`, [sinceWhen])).length;
    await expect.poll(() => countWaiting('-infinity')).toBeGreaterThan(0);
    const sql = `SELECT pg_cancel_backend(pid), clock_timestamp()::text AS at ${waiting}`;
    const [canceled] = await ask<{ at: string }>(servers.primary.url, sql);
    // What was canceled is tried again, and waits again.
    await expect.poll(() => countWaiting(canceled?.at ?? 'infinity')).toBeGreaterThan(0);
    expect(device.acknowledged()).toBe(0);
    servers.standby.thaw();
    await expect.poll(() => device.acknowledged()).toBeGreaterThan(20);
    await device.finish();
    expect(await numbersStored(servers.primary.url, tags.meanwhile)).toEqual(numbersUpTo(device.messages()));
  } finally {
    servers.standby.thaw();
  }
  expect(await numbersStored(servers.primary.url, tags.before)).toEqual(numbersUpTo(earlier.messages()));
}, 120_000);

test('when the primary fails, the standby continues with all acknowledged data, and the service uses it', async () => {
  const tag = 'E28011900000000000000002';
  expect(await createAsset('PALLET-2', tag)).toBe(201);
  using device = startDevice(tag);
  const created: string[] = [];
  const failures = new Set<number>();
  let isOver = false;
  const creating = (async () => {
    for (let number = 0; !isOver; number += 1) {
      const status = await createAsset(`BOX-${number}`);
      if (status === 201) created.push(`BOX-${number}`);
      else failures.add(status);
      await delay(10);
    }
  })();
  await expect.poll(() => device.acknowledged()).toBeGreaterThan(100);
  await expect.poll(() => created.length).toBeGreaterThan(20);

  servers.primary.freeze();
  await servers.promote();
  leader = 'standby';
  const [reads, creations] = [device.acknowledged(), created.length];
  await expect.poll(() => device.acknowledged()).toBeGreaterThan(reads + 100);
  await expect.poll(() => created.length).toBeGreaterThan(creations + 20);
  await expect.poll(async () => (await fetch(`${address}/readyz`)).status).toBe(200);
  expect([...failures].filter((status) => status !== 503)).toEqual([]);
  await device.finish();
  isOver = true;
  await creating;

  expect(await numbersStored(servers.standby.url, tag)).toEqual(numbersUpTo(device.messages()));
  const kept = await ask<{ key: string }>(
    servers.standby.url,
    'SELECT external_key AS key FROM assets WHERE external_key = ANY($1)',
    [created],
  );
  expect(kept.map((row) => row.key).toSorted()).toEqual(created.toSorted());
}, 120_000);
