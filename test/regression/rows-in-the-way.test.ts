import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { fileWorld } from '../support/shared.js';
import { createWorld, type TestOrganization } from '../support/world.js';

const world = fileWorld(createWorld);

/** The path in the `Link` header of a 409. */
function inTheWay(answer: { status: number; headers: Record<string, string> }): string | undefined {
  expect(answer.status).toBe(409);
  return /^<(\/api\/v1\/[a-z]+\/\d+)>; rel="related"$/.exec(answer.headers['link'] ?? '')?.[1];
}

async function expired(org: TestOrganization, path: string, body: object): Promise<number> {
  const { data } = (
    await org.post(path, { ...body, valid_from: '2020-01-01T00:00:00Z', valid_to: '2021-01-01T00:00:00Z' })
  ).body;
  return data.id;
}

test('the requests of a case: expired rows that no list shows are named by the 409', async () => {
  const lines = readFileSync(new URL('inputs/expired-asset.http', import.meta.url), 'utf8')
    .trim()
    .split('\n');
  const bodies = lines
    .filter((line) => line.startsWith('POST'))
    .map((line) => JSON.parse(/\{.*\}/.exec(line.replace(/\s+->.*/, ''))?.[0] ?? ''));
  const org = await world.organization();
  const room = (await org.post('/api/v1/locations', bodies[0])).body.data.id as number;
  const old = (await org.post('/api/v1/assets', bodies[1])).body.data.id as number;
  await world.db.$executeRaw`
    INSERT INTO asset_positions (org_id, asset_id, location_id, asset_last_seen, located_since)
    VALUES (${org.orgId}, ${old}, ${room}, now(), now())`;
  await org.patch(`/api/v1/assets/${old}`, { valid_to: new Date(Date.now() - 1000).toISOString() });
  expect((await org.get('/api/v1/assets?external_key=OLD-1&include_deleted=true')).body.data).toEqual([]);

  const refused = await org.post('/api/v1/assets', bodies[2]);
  expect(refused.body.error.detail).toBe('asset with external_key OLD-1 already exists');
  const path = inTheWay(refused);
  expect(path).toBe(`/api/v1/assets/${old}`);
  expect((await org.get(path ?? '')).body.data).toMatchObject({ external_key: 'OLD-1', name: 'Old' });

  const blocked = await org.delete(`/api/v1/locations/${room}`);
  expect(blocked.body.error.detail).toBe(
    'location has assets placed at it; move or remove them before deleting (cascade is not supported)',
  );
  expect(inTheWay(blocked)).toBe(`/api/v1/assets/${old}`);
});

test('keys and tags of expired rows, and expired sublocations, are named too', async () => {
  const org = await world.organization();
  const asset = await expired(org, '/api/v1/assets', {
    external_key: 'A',
    name: 'A',
    tags: [{ tag_type: 'ble', value: 'T' }],
  });
  const location = await expired(org, '/api/v1/locations', {
    external_key: 'L',
    name: 'L',
    tags: [{ tag_type: 'rfid', value: 'T' }],
  });
  const other = (await org.post('/api/v1/assets', { name: 'Other' })).body.data.id as number;
  const parent = (await org.post('/api/v1/locations', { name: 'Parent' })).body.data.id as number;
  await org.patch(`/api/v1/locations/${location}`, { parent_id: parent });

  expect(inTheWay(await org.post(`/api/v1/assets/${other}/rename`, { external_key: 'A' }))).toBe(
    `/api/v1/assets/${asset}`,
  );
  expect(inTheWay(await org.post(`/api/v1/assets/${other}/tags`, { tag_type: 'ble', value: 'T' }))).toBe(
    `/api/v1/assets/${asset}`,
  );
  expect(inTheWay(await org.post('/api/v1/assets', { name: 'B', tags: [{ tag_type: 'rfid', value: 'T' }] }))).toBe(
    `/api/v1/locations/${location}`,
  );
  expect(inTheWay(await org.post('/api/v1/locations', { external_key: 'L', name: 'L' }))).toBe(
    `/api/v1/locations/${location}`,
  );
  expect(inTheWay(await org.post(`/api/v1/locations/${parent}/rename`, { external_key: 'L' }))).toBe(
    `/api/v1/locations/${location}`,
  );
  expect(inTheWay(await org.delete(`/api/v1/locations/${parent}`))).toBe(`/api/v1/locations/${location}`);
});

test('a 409 without a row in the way has no such header', async () => {
  const org = await world.organization();
  const tag = { tag_type: 'rfid', value: 'TWICE' };
  const twice = await org.post('/api/v1/assets', { name: 'A', tags: [tag, tag] });
  expect([twice.status, twice.headers['link']]).toEqual([409, undefined]);
});
