import { spawn } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { connect } from 'node:tls';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { selectableScopes } from '../../server/people/auth/scopes.js';
import { projectRoot } from '../../server/kernel/project-root.js';
import { readProjectFile } from '../docs/markdown.js';
import { authSecret } from '../support/caller.js';
import { type CookieBrowser, createCookieBrowser } from '../support/cookie-browser.js';
import type { FleetReader } from '../support/fleet.js';
import { createTestFolder, type TestFolder } from '../support/folder.js';
import { createHostFetch, type HostFetch } from '../support/host-fetch.js';
import { type BoundPorts, bindToFreePorts, startHaproxy } from '../support/haproxy.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { freePort } from '../support/program.js';
import { createSelfSigned } from '../support/self-signed.js';
import { startService } from '../support/service-process.js';
import { startSteadyLoad } from '../support/steady-load.js';
import { createRetryingReader } from '../support/retrying-reader.js';

// Two cells, each a service with a database of its own, behind the HAProxy of deploy/cells.

const open: (AsyncDisposable | Disposable)[] = [];
const tag = 'E28011900000000000000001';
/** Fingerprints of the cells' certificates for MQTT. */
const certificates = ['', ''];
let folder: TestFolder;
let databases: readonly [TestDatabase, TestDatabase];
let ports: BoundPorts;
let url: string;
let acme: Organization;
let north: Organization;
let south: Organization;

type Organization = { send: HostFetch; key: string; token: string; orgId: number; browser: CookieBrowser };

function keep<Thing extends AsyncDisposable | Disposable>(thing: Thing): Thing {
  open.push(thing);
  return thing;
}

/** Starts a cell and returns its ports. */
async function startCell(number: 0 | 1): Promise<{ http: number; mqtt: number; tls: number }> {
  const cell = { http: await freePort(), mqtt: await freePort(), tls: await freePort() };
  const { certFile, keyFile } = keep(createSelfSigned());
  certificates[number] = new X509Certificate(readFileSync(certFile)).fingerprint256;
  const service = keep(
    startService({
      folder: folder.path,
      env: {
        ...{ PORT: String(cell.http), MQTT_PORT: String(cell.mqtt), CELL_NUMBER: String(number), SIGN_UP: 'open' },
        ...{ DATABASE_URL: databases[number].url, AUTH_SECRET: authSecret, RATE_LIMIT_REQUESTS: '1000000' },
        ...{ MQTT_TLS_PORT: String(cell.tls), MQTT_TLS_CERT_FILE: certFile, MQTT_TLS_KEY_FILE: keyFile },
        TRUSTED_PROXIES: '127.0.0.1',
      },
    }),
  );
  await service.ready;
  return cell;
}

async function signUp(host: string): Promise<Organization> {
  const send = createHostFetch(host);
  const browser = createCookieBrowser(url, send);
  const account = { name: 'Ada', email: `ada@${host}`, password: 'a long password' };
  const { data } = await browser.call('session.signUp', { organization_name: host, ...account });
  const { token } = data as { token: string };
  const key = await browser.call('apiKeys.create', { name: 'test', scopes: selectableScopes, expires_at: null }, token);
  const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { org: number };
  return { send, key: (key.data as { token: string }).token, token, orgId: claims.org, browser };
}

function request({ send, key }: Organization, body?: Record<string, unknown>): Promise<Response> {
  return send(`${url}/api/v1/assets`, {
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${key}` },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  });
}

async function query<Row extends object>(cell: 0 | 1, sql: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: databases[cell].url });
  await client.connect();
  const { rows } = await client.query<Row>(sql);
  await client.end();
  return rows;
}

/** `move-organization` as an operator runs it; `onLine` gets each line that it prints. */
function startMove(args: readonly string[], onLine: (line: string, kill: () => void) => void = () => {}) {
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(process.execPath, [path.join(projectRoot(), 'dist', 'admin.js'), 'move-organization', ...args], {
    cwd: folder.path,
    env: {
      ...{ PATH, HOME, DATABASE_URL: databases[0].url, TARGET_DATABASE_URL: databases[1].url, AUTH_SECRET: authSecret },
      ...{ CELL_MAPS: folder.path, HAPROXY_SOCKET: path.join(folder.path, 'admin.sock') },
    },
    stdio: ['ignore', 'inherit', 'pipe'],
  });
  let output = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    onLine(text, () => child.kill('SIGKILL'));
  });
  return new Promise<{ code: number | null; output: string }>((resolve) =>
    child.once('close', (code) => resolve({ code, output })),
  );
}

/** Runs while a transaction holds an account in the first cell, so that no move of its organization is completed. */
async function holdingAccount<Result>(email: string, work: () => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: databases[0].url });
  await client.connect();
  try {
    await client.query('BEGIN');
    const { rowCount } = await client.query('SELECT FROM users WHERE email = $1 FOR NO KEY UPDATE', [email]);
    expect(rowCount).toBe(1);
    return await work();
  } finally {
    await client.end();
  }
}

/** Returns the fingerprint of the certificate that a reader gets under a host name. */
async function certificateFor(servername: string): Promise<string> {
  const socket = connect({ host: '127.0.0.1', port: ports.get(8883) ?? 0, servername, rejectUnauthorized: false });
  await once(socket, 'secureConnect');
  const { fingerprint256 } = socket.getPeerCertificate();
  socket.destroy();
  return fingerprint256;
}

beforeAll(async () => {
  folder = keep(createTestFolder());
  databases = [keep(await createTestDatabase()), keep(await createTestDatabase())];
  const first = await startCell(0);
  const second = await startCell(1);
  const bound = await bindToFreePorts(
    readProjectFile('deploy', 'cells', 'haproxy.cfg')
      .replaceAll('/etc/haproxy/cells/', `${folder.path}/`)
      .replace('/run/haproxy/admin.sock', path.join(folder.path, 'admin.sock'))
      .replaceAll('cell-1.internal:3000', `127.0.0.1:${first.http}`)
      .replaceAll('cell-1.internal:1883', `127.0.0.1:${first.mqtt}`)
      .replaceAll('cell-2.internal:3000', `127.0.0.1:${second.http}`)
      .replaceAll('cell-2.internal:1883', `127.0.0.1:${second.mqtt}`)
      .replaceAll('cell-1.internal:8883', `127.0.0.1:${first.tls}`)
      .replaceAll('cell-2.internal:8883', `127.0.0.1:${second.tls}`),
  );
  ports = bound.ports;
  url = `http://127.0.0.1:${ports.get(3000)}`;
  writeFileSync(path.join(folder.path, 'hosts.map'), 'acme.test cell-1\nsouth.test cell-2\n');
  writeFileSync(path.join(folder.path, 'ports.map'), '');
  keep(await startHaproxy(bound.configuration, ports.get(3000) ?? 0));
  acme = await signUp('acme.test');
  north = await signUp('north.test');
  south = await signUp('south.test');
}, 120_000);

afterAll(async () => {
  for (const each of open.toReversed()) {
    if (Symbol.asyncDispose in each) await each[Symbol.asyncDispose]();
    else each[Symbol.dispose]();
  }
});

test('organizations are in the cells of their host names', async () => {
  const names = (cell: 0 | 1) => query<{ name: string }>(cell, 'SELECT name FROM organizations ORDER BY id');
  expect(await names(0)).toEqual([{ name: 'acme.test' }, { name: 'north.test' }]);
  expect(await names(1)).toEqual([{ name: 'south.test' }]);
});

test('readers with TLS are directed by the host name in their handshake', async () => {
  expect(await certificateFor('acme.test')).toBe(certificates[0]);
  expect(await certificateFor('south.test')).toBe(certificates[1]);
  expect(await certificateFor('somewhere.test')).toBe(certificates[0]);
});

test('an organization moves while its reader publishes, and each acknowledged read is there once', async () => {
  const created = await request(acme, { name: 'Pallet', tags: [{ tag_type: 'rfid', value: tag }] });
  const { data: pallet } = (await created.json()) as { data: { id: number } };
  const settings = { name: 'Gate', format: 'native', location_rule: 'newest', resolution_seconds: 0 };
  const reader = (await acme.browser.call('readers.create', settings, acme.token)).data as FleetReader;
  const firstReadMs = Date.now() - 3_600_000;
  const payload = (number: number) =>
    JSON.stringify({ reads: [{ value: tag, observed_at: new Date(firstReadMs + number * 50).toISOString() }] });
  const port = ports.get(18831) ?? 0;
  using device = createRetryingReader({ port, reader, qos: 1, window: 5, payload });
  const goesOn = async () => {
    const before = device.acknowledged();
    await expect.poll(() => device.acknowledged()).toBeGreaterThan(before + 20);
  };
  await goesOn();
  await using others = startSteadyLoad({
    clients: 4,
    request: (number) => request(number % 2 === 0 ? north : south, number % 8 < 2 ? { name: 'Crate' } : undefined),
  });

  // Killed while the organization is unavailable, the move leaves it working where it is.
  const args = [String(acme.orgId)];
  const killed = await holdingAccount('ada@acme.test', () =>
    startMove(args, (line, kill) => line.includes('unavailable') && kill()),
  );
  expect(killed).toEqual({ code: null, output: expect.stringContaining('The organization is unavailable') });
  await goesOn();
  await expect.poll(async () => (await request(acme)).status).toBe(200);
  expect((await request(acme, { name: 'Box' })).status).toBe(201);

  const direct = path.join(projectRoot(), 'deploy', 'cells', 'direct.mjs');
  const after = ['acme.test', String(port)]
    .map((key) => `"${process.execPath}" "${direct}" ${key} cell-2`)
    .join(' && ');
  const moved = await startMove([...args, '--after', after]);
  expect(moved).toEqual({ code: 0, output: expect.stringMatching(/Moved \d+ rows and 1 accounts/) });
  await goesOn();
  await device.finish();
  expect(await others.stop()).toEqual([]);

  const [stored] = await query<{ events: number }>(1, 'SELECT count(*)::int AS events FROM scan_events');
  expect(stored?.events).toBe(device.messages());
  const [stayed] = await query<{ events: number }>(0, 'SELECT count(*)::int AS events FROM scan_events');
  expect(stayed?.events).toBeLessThan(device.messages());
  expect(await certificateFor('acme.test')).toBe(certificates[1]);
  const { data: assets } = (await (await request(acme)).json()) as { data: { id: number; name: string }[] };
  expect(assets.map(({ name }) => name).toSorted()).toEqual(['Box', 'Pallet']);
  expect(assets.map(({ id }) => id)).toContain(pallet.id);
  const { data: another } = (await (await request(acme, { name: 'Drum' })).json()) as { data: { id: number } };
  expect(another.id).toBeGreaterThan(2 ** 26);
  const renewed = await acme.browser.call('session.refresh');
  expect(renewed.status).toBe(200);
  const { token } = renewed.data as { token: string };
  for (const valid of [acme.token, token]) {
    const headers = { Authorization: `Bearer ${valid}` };
    expect((await acme.send(`${url}/trpc/session.me`, { headers })).status).toBe(200);
  }
}, 120_000);
