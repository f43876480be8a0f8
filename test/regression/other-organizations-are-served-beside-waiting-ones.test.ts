import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addSession } from '../support/factories.js';
import { createWorld, type World } from '../support/world.js';

let world: World;
/** Holds the key series of an organization, as a create without a key does. */
let holder: pg.Client;

beforeAll(async () => {
  world = await createWorld();
  holder = new pg.Client({ connectionString: world.databaseUrl });
  await holder.connect();
});

afterAll(async () => {
  await holder.end();
  await world[Symbol.asyncDispose]();
});

test('creates that wait for their key series take no connection from another organization, and then succeed', async () => {
  const busy = await world.organization('Busy');
  const bystander = await world.organization('Bystander');
  await holder.query('BEGIN');
  await holder.query("SELECT lock_key_hint($1, 'asset')", [busy.orgId]);
  const creates = Array.from({ length: 30 }, () => busy.post('/api/v1/assets', { name: 'Pump' }));
  for (let call = 0; call < 5; call += 1) {
    expect((await bystander.get('/api/v1/assets')).status).toBe(200);
    expect((await bystander.post('/api/v1/assets', { name: 'Valve' })).status).toBe(201);
  }
  await holder.query('COMMIT');
  const statuses = (await Promise.all(creates)).map(({ status }) => status);
  expect(new Set(statuses)).toEqual(new Set([201]));
});

test('a create that waits for too long gets 503 with Retry-After, also on /trpc, and has stored nothing', async () => {
  const busy = await world.organization('Busy');
  const session = await addSession(world, busy.orgId, 'manager');
  await holder.query('BEGIN');
  await holder.query("SELECT lock_key_hint($1, 'asset')", [busy.orgId]);
  const answers = await Promise.all([
    busy.post('/api/v1/assets', { name: 'Pump' }),
    session.post('/trpc/assets.create', { name: 'Pump' }),
  ]);
  await holder.query('COMMIT');
  for (const { status, headers } of answers) {
    expect(status).toBe(503);
    expect(Number(headers['retry-after'])).toBeGreaterThanOrEqual(1);
  }
  const [rest, trpc] = answers;
  expect(rest.body.error.type).toBe('service_unavailable');
  expect(trpc.body.error.data).toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
    httpStatus: 503,
    error: { type: 'service_unavailable' },
  });
  expect((await busy.get('/api/v1/assets')).body.total_count).toBe(0);
});

test('a query ends when its client disconnects', async () => {
  const organization = await world.organization();
  const { id } = (await organization.post('/api/v1/assets', { name: 'Pump' })).body.data;
  await holder.query('BEGIN');
  await holder.query('LOCK TABLE tags IN ACCESS EXCLUSIVE MODE');
  const waiting = async () => {
    const { rows } = await holder.query<{ n: number }>(
      `SELECT count(*)::int AS n FROM pg_locks
        WHERE relation = 'tags'::regclass AND NOT granted
          AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    );
    return rows[0]?.n;
  };
  const leaving = new AbortController();
  const answer = fetch(`${world.url}/api/v1/assets/${id}`, {
    headers: { Authorization: `Bearer ${organization.token}` },
    signal: leaving.signal,
  });
  await expect.poll(waiting, { interval: 10 }).toBeGreaterThan(0);
  leaving.abort();
  await expect(answer).rejects.toThrow('aborted');
  await expect.poll(() => world.core.queueStats()).toMatchObject({ running: 0, waiting: 0 });
  await holder.query('COMMIT');
});
