import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sharedWorld, type TestOrganization } from '../support/world.js';
import { requests } from './random-requests.js';

const world = await sharedWorld();

/** A few rows, so that ids hit something now and then. */
async function fill(org: TestOrganization): Promise<number[]> {
  const { data: parent } = (await org.post('/api/v1/locations', { name: 'Parent' })).body;
  const { data: child } = (await org.post('/api/v1/locations', { name: 'Child', parent_id: parent.id })).body;
  const ids = [parent.id, child.id];
  for (const name of ['A', 'B', 'C']) {
    const { data: asset } =
      (await org.post('/api/v1/assets', { name, tags: [{ tag_type: 'rfid', value: name }] })).body ?? {};
    if (asset) ids.push(asset.id, asset.tags[0].id);
  }
  return ids as number[];
}

test('every request gets an answer of the contract', async () => {
  const org = await world.organization();
  const other = await world.organization();
  await fill(other);
  const untouched = await Promise.all([other.get('/api/v1/assets'), other.get('/api/v1/locations')]);
  // A sample and no property: what a request meets depends on those before it.
  const sample = fc.sample(requests, { seed: 20_260_301, numRuns: 1500 });
  const statuses = new Map<number, number>();
  let ids: readonly number[] = [];
  for (const [round, { method, template, query, raw, ids: given }] of sample.entries()) {
    if (round % 100 === 0) ids = [...ids, ...(await fill(org))].slice(-12);
    const unused = given.map((id) => (typeof id === 'number' ? String(ids[id % ids.length]) : id));
    const path = template.replaceAll(/\{\w+\}/g, () => unused.shift() ?? '') + query;
    const answer = await org.call(method, path, raw === undefined ? {} : { raw });
    const what = `${method} ${path} ${raw ?? ''} -> ${answer.text}`;
    expect(answer.status, what).toBeLessThan(500);
    if (answer.status >= 400) expect(answer.body?.error, what).toMatchObject({ status: answer.status });
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
  }
  // The random requests must get past the first checks for this to mean anything.
  for (const status of [200, 201, 204, 400, 404]) expect(statuses.get(status) ?? 0, String(status)).toBeGreaterThan(5);
  const now = await Promise.all([other.get('/api/v1/assets'), other.get('/api/v1/locations')]);
  expect(now.map(({ body }) => body)).toStrictEqual(untouched.map(({ body }) => body));
});
