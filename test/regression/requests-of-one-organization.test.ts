import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { usualTimeouts } from '../../gateway/index.js';
import { requestsMax } from '../../server/core.js';
import { addSession } from '../support/factories.js';
import { fileWorld } from '../support/shared.js';
import { createWorld, type TestOrganization } from '../support/world.js';

const headersMs = 300;
const world = fileWorld(() => createWorld({ timeouts: { ...usualTimeouts, headersMs, checkEveryMs: 20 } }));
/** Holds the key series of an organization, so that its creates wait. */
let holder: pg.Client;

beforeAll(async () => {
  holder = new pg.Client({ connectionString: world.databaseUrl });
  await holder.connect();
});

afterAll(() => holder.end());

async function holdCreatesOf({ orgId }: TestOrganization): Promise<void> {
  await holder.query('BEGIN');
  await holder.query("SELECT lock_key_hint($1, 'asset')", [orgId]);
}

async function createWaits(): Promise<void> {
  const waiting = async () => {
    const [row] = await world.db.$queryRaw<[{ n: number }]>`
      SELECT count(*)::int AS n
        FROM pg_stat_activity
       WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    return row.n;
  };
  await expect.poll(waiting, { interval: 10 }).toBeGreaterThan(0);
}

function headOf({ token }: TestOrganization, line: string, more = ''): string {
  return `${line} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n${more}\r\n`;
}

function createRequest(organization: TestOrganization): string {
  const body = '{"name":"Pump"}';
  const more = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`;
  return headOf(organization, 'POST /api/v1/assets', more) + body;
}

/** Resolves with the statuses of a number of answers, and the body of the last one. */
async function answersOn(
  socket: Socket,
  count: number,
): Promise<{ statuses: string[]; last: { total_count?: number } }> {
  let text = '';
  for (;;) {
    const statuses = [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status = '']) => status);
    const body = text.slice(text.lastIndexOf('\r\n\r\n') + 4);
    if (statuses.length === count && body.endsWith('}')) return { statuses, last: JSON.parse(body) };
    const [chunk] = (await once(socket, 'data')) as [string];
    text += chunk;
  }
}

const open = () => connect({ port: world.port, host: '127.0.0.1' }).setEncoding('latin1');

test('requests of one connection are handled one after the other, in order', async () => {
  const organization = await world.organization();
  await holdCreatesOf(organization);
  const socket = open();
  const creates = Array.from({ length: 3 }, () => createRequest(organization));
  socket.write([...creates, headOf(organization, 'GET /api/v1/assets')].join(''));
  await createWaits();
  // So the list that was sent over the same connection would be empty if it was read now.
  expect((await organization.get('/api/v1/assets')).body.total_count).toBe(0);
  await holder.query('COMMIT');
  const { statuses, last } = await answersOn(socket, 4);
  expect(statuses).toEqual(['201', '201', '201', '200']);
  expect(last.total_count).toBe(3);
  socket.destroy();
});

test.each([
  { what: 'chunked', headers: 'Transfer-Encoding: chunked\r\n', body: '2\r\n{}\r\n0\r\n\r\n', status: '200' },
  { what: 'large', headers: 'Content-Length: 20000\r\n', body: `{${' '.repeat(19_998)}}`, status: '200' },
  {
    what: 'compressed',
    headers: 'Content-Length: 20000\r\nContent-Encoding: gzip\r\n',
    body: 'x'.repeat(20_000),
    status: '415',
  },
])('a $what body that has arrived before its turn does not stop its connection', async ({ headers, body, status }) => {
  const organization = await world.organization();
  const { id } = (await organization.post('/api/v1/assets', { name: 'Pump' })).body.data as { id: number };
  await holdCreatesOf(organization);
  const socket = open();
  const head = headOf(
    organization,
    `PATCH /api/v1/assets/${id}`,
    `Content-Type: application/merge-patch+json\r\n${headers}`,
  );
  socket.write(createRequest(organization) + head + body);
  await createWaits();
  await holder.query('COMMIT');
  expect((await answersOn(socket, 2)).statuses).toEqual(['201', status]);
  socket.write(headOf(organization, 'GET /api/v1/assets'));
  expect((await answersOn(socket, 1)).statuses).toEqual(['200']);
  socket.destroy();
});

test('the time to finish a request does not run while earlier ones keep its connection from being read', async () => {
  const organization = await world.organization();
  await holdCreatesOf(organization);
  const socket = open();
  const list = headOf(organization, 'GET /api/v1/assets');
  socket.write(createRequest(organization) + list + list.slice(0, 30));
  await delay(headersMs * 2);
  socket.write(list.slice(30));
  await holder.query('COMMIT');
  expect((await answersOn(socket, 3)).statuses).toEqual(['201', '200', '200']);
  socket.destroy();
});

test('further requests of an organization wait, over REST and /trpc, and those of others do not', async () => {
  const busy = await world.organization();
  const other = await world.organization();
  const session = await addSession(world, busy.orgId, 'viewer');
  await holdCreatesOf(busy);
  const creates = Array.from({ length: requestsMax }, () => busy.post('/api/v1/assets', { name: 'Pump' }));
  let isAnswered = false;
  const note = <Answer>(answer: Answer) => {
    isAnswered = true;
    return answer;
  };
  await createWaits();
  const further = [
    busy.get('/api/v1/assets').then(note),
    session.call('GET', '/trpc/locations.exportPage?input=%7B%7D').then(note),
  ];
  for (let call = 0; call < 10; call += 1) expect((await other.get('/api/v1/assets')).status).toBe(200);
  expect(isAnswered).toBe(false);
  await holder.query('COMMIT');
  expect(new Set((await Promise.all(creates)).map(({ status }) => status))).toEqual(new Set([201]));
  expect((await Promise.all(further)).map(({ status }) => status)).toEqual([200, 200]);
});

test('an organization has a limited number of requests under way', async () => {
  let started = 0;
  const ends: (() => void)[] = [];
  const work = () => {
    started += 1;
    return new Promise<void>((resolve) => ends.push(resolve));
  };
  const all = Array.from({ length: requestsMax + 1 }, () => world.core.process(4711, work));
  await expect.poll(() => started).toBe(requestsMax);
  await world.core.process(4712, async () => {});
  expect(started).toBe(requestsMax);
  ends[0]?.();
  await expect.poll(() => started).toBe(requestsMax + 1);
  for (const end of ends) end();
  await Promise.all(all);
});
