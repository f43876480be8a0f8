import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import path from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findPostmaster, isAlive } from '../../server/kernel/database/embedded/postmaster.js';
import { projectRoot } from '../../server/kernel/project-root.js';
import { createDataSeed, type DataSeed } from '../support/data-folder.js';
import { createTestFolder } from '../support/folder.js';
import { createEmptyDatabase } from '../support/postgres.js';
import { addressIn, startService } from '../support/service-process.js';

const authSecret = 'a secret that is long enough for the test';

let seed: DataSeed;

beforeAll(async () => {
  seed = await createDataSeed();
});

afterAll(() => seed[Symbol.dispose]());

async function healthOf(output: readonly string[]): Promise<number> {
  return (await fetch(`${addressIn(output, 'http')}/healthz`)).status;
}

function postmasterPid(folder: string): number {
  const postmaster = findPostmaster(path.join(folder, 'data', 'postgres'));
  if (typeof postmaster !== 'object') throw new Error(`no server runs in ${folder}`);
  return postmaster.pid;
}

async function occupyPort(): Promise<{ server: Server; port: number }> {
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return { server, port: (server.address() as AddressInfo).port };
}

test('the first start prints the addresses, the data folder and the first step, and SIGTERM stops everything', async () => {
  using folder = createTestFolder('a new place');
  await using service = startService({ folder: folder.path });
  const output = await service.ready;
  expect(output).toContainEqual(expect.stringMatching(/^Whereabouts is at http:\/\/localhost:\d+/));
  expect(output).toContainEqual(expect.stringMatching(/^Readers publish to mqtt:\/\/localhost:\d+$/));
  expect(output).toContain(`Its data is in ${folder.path}/data`);
  expect(await healthOf(output)).toBe(200);
  const pid = postmasterPid(folder.path);

  expect(await service.stop('SIGTERM')).toEqual({ code: 0, signal: null });
  expect(service.output.join('\n')).toMatch(/Open http:\/\/localhost:\d+ to make the first one/);
  expect(isAlive(pid)).toBe(false);
  await expect(healthOf(output)).rejects.toThrow('fetch failed');
  expect(service.logged).toContainEqual(expect.objectContaining({ level: 'info', msg: 'stopping', signal: 'SIGTERM' }));
});

test('Ctrl-C stops the service once, although the terminal and npm both send the signal', async () => {
  using folder = seed.createFolder();
  await using service = startService({ folder: folder.path });
  await service.ready;
  const pid = postmasterPid(folder.path);
  service.child.kill('SIGINT');
  expect(await service.stop('SIGINT')).toEqual({ code: 0, signal: null });
  expect(isAlive(pid)).toBe(false);
});

test('a request that never ends does not prevent the service or the database from stopping', async () => {
  using folder = seed.createFolder();
  await using service = startService({ folder: folder.path });
  const { port, hostname } = new URL(addressIn(await service.ready, 'http'));
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  const head = [
    'POST /trpc/session.signIn HTTP/1.1',
    'Host: x',
    'Content-Type: application/json',
    'Content-Length: 99',
  ];
  await new Promise<void>((resolve) => {
    socket.write(`${head.join('\r\n')}\r\n\r\n{`, () => resolve());
  });
  expect(await service.stop('SIGTERM')).toEqual({ code: 0, signal: null });
  expect(findPostmaster(path.join(folder.path, 'data', 'postgres'))).toBeUndefined();
  socket.destroy();
});

test('after kill -9 the next start finds everything and rebuilds nothing', async () => {
  using folder = seed.createFolder();
  await using killed = startService({ folder: folder.path });
  await killed.ready;
  const pid = postmasterPid(folder.path);
  await killed.stop('SIGKILL');
  expect(isAlive(pid)).toBe(true);

  await using next = startService({ folder: folder.path });
  expect(await healthOf(await next.ready)).toBe(200);
  expect(next.output).not.toContain('Building …');
  expect(postmasterPid(folder.path)).toBe(pid);
  expect(await next.stop('SIGTERM')).toEqual({ code: 0, signal: null });
  expect(findPostmaster(path.join(folder.path, 'data', 'postgres'))).toBeUndefined();
});

test('when npm is killed, the service and the database stop', async () => {
  using folder = seed.createFolder();
  const npm = startService({ folder: folder.path, command: ['npm', '--prefix', projectRoot(), 'start'] });
  await npm.ready;
  const pid = postmasterPid(folder.path);
  expect(await npm.stop('SIGKILL')).toEqual({ code: null, signal: 'SIGKILL' });
  expect(isAlive(pid)).toBe(false);
});

test.each(['PORT', 'MQTT_PORT'])(
  'if %s is in use, the start fails with one line and leaves nothing running',
  async (setting) => {
    using folder = seed.createFolder();
    const { server, port } = await occupyPort();
    try {
      await using service = startService({ folder: folder.path, env: { [setting]: String(port) } });
      expect(await service.ended).toEqual({ code: 1, signal: null });
      expect(service.output.at(-1)).toBe(
        `Whereabouts cannot start: 127.0.0.1:${port} is taken by another program: stop it, or set ${setting} to a free port`,
      );
      expect(findPostmaster(path.join(folder.path, 'data', 'postgres'))).toBeUndefined();
    } finally {
      server.close();
    }
  },
);

test('invalid settings are reported in one line each before anything is created', async () => {
  using folder = createTestFolder();
  await using service = startService({ folder: folder.path, env: { PORT: 'http', LOG_LEVEL: 'loud' } });
  expect(await service.ended).toEqual({ code: 1, signal: null });
  expect(service.output.slice(-2)).toEqual([
    'PORT must be a whole number from 0 to 65535, not "http"',
    'LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent, not "loud"',
  ]);
  expect(existsSync(path.join(folder.path, 'data'))).toBe(false);
});

test('a .env file is read, and environment variables override it', async () => {
  using folder = createTestFolder();
  writeFileSync(path.join(folder.path, '.env'), 'PORT=nonsense\nSIGN_UP=nonsense\n');
  await using service = startService({ folder: folder.path });
  expect(await service.ended).toEqual({ code: 1, signal: null });
  expect(service.output.at(-1)).toBe('SIGN_UP must be one of first, open, not "nonsense"');
});

test('a second service on the same data is rejected, and the first one keeps running', async () => {
  using folder = seed.createFolder();
  await using first = startService({ folder: folder.path });
  const output = await first.ready;
  await using second = startService({ folder: folder.path });
  expect(await second.ended).toEqual({ code: 1, signal: null });
  expect(second.output.at(-1)).toBe(
    `Whereabouts cannot start: another whereabouts (process ${first.child.pid}) is using this data folder: ` +
      'stop it, or set another DATA_DIR',
  );
  expect(await healthOf(output)).toBe(200);
});

test('the service ends when it loses the embedded database', async () => {
  using folder = seed.createFolder();
  await using service = startService({ folder: folder.path });
  await service.ready;
  process.kill(postmasterPid(folder.path), 'SIGKILL');
  expect(await service.ended).toEqual({ code: 1, signal: null });
  expect(service.logged).toContainEqual(expect.objectContaining({ level: 'fatal' }));
});

test('two services that start at once on an empty database server migrate it once and create no data folder', async () => {
  await using database = await createEmptyDatabase();
  using folder = createTestFolder();
  const env = { DATABASE_URL: database.url, AUTH_SECRET: authSecret };
  await using one = startService({ folder: folder.path, env });
  await using other = startService({ folder: folder.path, env });
  for (const service of [one, other]) expect(await healthOf(await service.ready)).toBe(200);
  expect(one.output).toContain(
    `Its data is in the database ${new URL(database.url).host}${new URL(database.url).pathname}`,
  );
  expect(one.output.join('\n')).not.toContain(new URL(database.url).password);

  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const { rows } = await client.query<{ n: number; names: number }>(
    'SELECT count(*)::int AS n, count(DISTINCT migration_name)::int AS names FROM _prisma_migrations',
  );
  await client.end();
  expect(rows[0]?.n).toBeGreaterThan(0);
  expect(rows[0]?.n).toBe(rows[0]?.names);
  for (const service of [one, other]) expect(await service.stop('SIGTERM')).toEqual({ code: 0, signal: null });
  expect(existsSync(path.join(folder.path, 'data'))).toBe(false);
});

test('each entry point can run alone', async () => {
  await using database = await createEmptyDatabase();
  using folder = createTestFolder();
  const env = { DATABASE_URL: database.url, AUTH_SECRET: authSecret };
  await using gateway = startService({ folder: folder.path, env: { ...env, ROLE: 'gateway' } });
  expect(await healthOf(await gateway.ready)).toBe(200);
  expect(gateway.output.join('\n')).not.toContain('mqtt://');
  await using broker = startService({ folder: folder.path, env: { ...env, ROLE: 'ingest-broker' } });
  expect(addressIn(await broker.ready, 'mqtt')).toMatch(/^mqtt:/);
  expect(broker.output.join('\n')).not.toContain('http://');
});

test('metrics have their own port, and after SIGTERM the service keeps running until the delay ends', async () => {
  using folder = seed.createFolder();
  const env = { METRICS_PORT: '0', METRICS_TOKEN: 'the-token-of-prometheus', STOP_DELAY_SECONDS: '300' };
  await using service = startService({ folder: folder.path, env });
  const output = await service.ready;
  const address = addressIn(output, 'http');
  const metrics =
    output
      .find((line) => line.startsWith('Metrics are at '))
      ?.split(' ')
      .at(-1) ?? '';
  expect((await fetch(metrics)).status).toBe(401);
  const headers = { Authorization: `Bearer ${env.METRICS_TOKEN}` };
  expect(await (await fetch(metrics, { headers })).text()).toContain('http_request_duration_seconds');
  expect((await fetch(`${address}/metrics`, { headers })).status).toBe(404);
  expect((await fetch(`${address}/readyz`)).status).toBe(200);

  service.child.kill('SIGTERM');
  await expect.poll(async () => (await fetch(`${address}/readyz`)).status).toBe(503);
  const answer = await fetch(`${address}/api/v1/assets`);
  expect([answer.status, answer.headers.get('connection')]).toEqual([401, 'close']);
  expect((await fetch(`${address}/healthz`)).status).toBe(200);
  // A second signal ends the delay.
  expect(await service.stop('SIGTERM')).toEqual({ code: 0, signal: null });
});

test('every npm script runs a file that exists', () => {
  const { scripts } = JSON.parse(readFileSync(path.join(projectRoot(), 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  const files = Object.values(scripts).flatMap((script) => script.match(/scripts\/\S+/) ?? []);
  expect(files.length).toBeGreaterThan(3);
  expect(files.filter((file) => !existsSync(path.join(projectRoot(), file)))).toEqual([]);
});
