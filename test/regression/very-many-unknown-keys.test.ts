import { afterAll, beforeAll, expect, test } from 'vitest';
import { addSession } from '../support/factories.js';
import { createWorld, type TestOrganization, type World } from '../support/world.js';

let world: World;
let org: TestOrganization;

beforeAll(async () => {
  world = await createWorld();
  org = await world.organization();
});
afterAll(() => world[Symbol.asyncDispose]());

const keys = 20_000;
const manyKeys = () => Object.fromEntries(Array.from({ length: keys }, (_, no) => [`k${no}`, 1]));

test('the first thousand unknown keys of a body are reported', async () => {
  const answer = await org.post('/api/v1/assets', manyKeys());
  expect(answer.status).toBe(400);
  const { fields, detail } = answer.body.error;
  expect(fields).toHaveLength(1000);
  expect(fields[999]).toMatchObject({ field: 'k999', code: 'unknown_field' });
  expect(detail).toBe('unknown field "k0" in request body (and 19999 more validation errors)');
});

test('so are those of all tags together', async () => {
  const tags = Array.from({ length: 20 }, () => ({ tag_type: 'rfid', value: 'a', ...manyKeys() }));
  const answer = await org.post('/api/v1/assets', { name: 'Pump', tags: tags.slice(0, 3) });
  expect(answer.status).toBe(400);
  expect(answer.body.error.fields).toHaveLength(1000);
});

test('so are those of a procedure', async () => {
  const session = await addSession(world, org.orgId, 'manager');
  const answer = await session.post('/trpc/assets.create', manyKeys());
  expect(answer.status).toBe(400);
  expect(answer.body.error.data.error.fields).toHaveLength(1000);
});

test('a bulk edit sets at most fifty custom details', async () => {
  const session = await addSession(world, org.orgId, 'manager');
  const few = Object.fromEntries(Array.from({ length: 50 }, (_, no) => [`k${no}`, no]));
  for (const procedure of ['bulkEdits.preview', 'bulkEdits.edit']) {
    const answer = await session.post(`/trpc/${procedure}`, { ids: [1], set_details: { ...few, more: 1 } });
    expect([procedure, answer.status]).toEqual([procedure, 400]);
    expect(answer.body.error.data.error.fields).toMatchObject([{ field: 'set_details', code: 'too_long' }]);
  }
});
