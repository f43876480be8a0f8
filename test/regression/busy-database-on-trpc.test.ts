import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addSession } from '../support/factories.js';
import { createWorld, type World } from '../support/world.js';

let world: World;
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

const assetKeys = 1;

test('a call that waits for a lock for too long gets 503 with Retry-After, as on the public API', async () => {
  const org = await world.organization();
  const session = await addSession(world, org.orgId, 'manager');
  await holder.query('BEGIN');
  await holder.query('SELECT pg_advisory_xact_lock($1, $2)', [assetKeys, org.orgId]);
  const answer = await session.post('/trpc/assets.create', { name: 'Pump' });
  await holder.query('COMMIT');
  expect(answer.status).toBe(503);
  expect(Number(answer.headers['retry-after'])).toBeGreaterThanOrEqual(1);
  expect(answer.body.error.data).toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
    httpStatus: 503,
    error: { type: 'service_unavailable' },
  });
});
