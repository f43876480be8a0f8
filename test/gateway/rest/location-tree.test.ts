import { describe, expect, it } from 'vitest';
import '../../support/expect-error.js';
import { createLocation, keysOf, nouns, remove, type Row } from '../../support/factories.js';
import type { RestClient } from '../../support/rest-client.js';
import { sharedWorld } from '../../support/world.js';

const { path } = nouns.locations;

const world = await sharedWorld();

type Tree = { [key: string]: Tree };

/** Creates a tree in the order in which it is written, and gives its ids by key. */
async function createTree(
  client: RestClient,
  tree: Tree,
  parentId: number | null = null,
): Promise<Record<string, number>> {
  const ids: Record<string, number> = {};
  for (const [key, below] of Object.entries(tree)) {
    const { id } = await createLocation(client, { external_key: key, name: `name of ${key}`, parent_id: parentId });
    Object.assign(ids, { [key]: id }, await createTree(client, below, id));
  }
  return ids;
}

describe.each(['ancestors', 'children', 'descendants'])('the %s of a location', (walk) => {
  it('are returned in an envelope, in pages', async () => {
    const organization = await world.organization();
    const ids = await createTree(organization, { A: { B: { C: { D: {} } } } });
    const id = walk === 'ancestors' ? ids['D'] : ids['A'];
    const expected = { ancestors: ['A', 'B', 'C'], children: ['B'], descendants: ['B', 'C', 'D'] }[walk] ?? [];
    const { body } = await organization.get(`${path}/${id}/${walk}`);
    expect(Object.keys(body).sort()).toEqual(['data', 'limit', 'offset', 'total_count']);
    expect(body).toMatchObject({ limit: 50, offset: 0, total_count: expected.length });
    expect(body.data.map((row: Row) => row.external_key)).toEqual(expected);
    for (const row of body.data) {
      expect(Object.keys(row).sort()).toEqual([...nouns.locations.keys].sort());
      expect((await organization.get(`${path}/${row.id}`)).body.data).toEqual(row);
    }
    for (const [index, key] of expected.entries()) {
      const page = await organization.get(`${path}/${id}/${walk}?limit=1&offset=${index}`);
      expect(page.body).toMatchObject({
        limit: 1,
        offset: index,
        total_count: expected.length,
        data: [{ external_key: key }],
      });
    }
    const beyond = await organization.get(`${path}/${id}/${walk}?offset=2147483647&limit=200`);
    expect(beyond.body).toEqual({ data: [], limit: 200, offset: 2147483647, total_count: expected.length });
  });

  it('are an empty list if there are none', async () => {
    const organization = await world.organization();
    const { id } = await createLocation(organization);
    expect((await organization.get(`${path}/${id}/${walk}`)).body).toEqual({
      data: [],
      limit: 50,
      offset: 0,
      total_count: 0,
    });
  });

  it('reject every sort parameter', async () => {
    const organization = await world.organization();
    const { id } = await createLocation(organization);
    const message = 'sort parameter not supported on this endpoint';
    for (const sort of ['name', '-name', 'external_key', 'foo', '']) {
      expect(await organization.get(`${path}/${id}/${walk}?sort=${sort}`), sort).toBeInvalid({
        field: 'sort',
        code: 'invalid_value',
        message,
      });
    }
    expect(await organization.get(`${path}/${id}/${walk}?sort=name&sort=name`)).toBeInvalid({
      field: 'sort',
      code: 'invalid_value',
      message,
    });
  });

  it('reject filters', async () => {
    const organization = await world.organization();
    const { id } = await createLocation(organization);
    for (const field of [
      'external_key',
      'parent_id',
      'parent_external_key',
      'is_active',
      'q',
      'include_deleted',
      'depth',
    ]) {
      const expected = { field, code: 'unknown_field', message: `unknown parameter: ${field}` };
      expect(await organization.get(`${path}/${id}/${walk}?${field}=true`)).toBeInvalid(expected);
    }
  });

  it('reject an invalid limit or offset', async () => {
    const organization = await world.organization();
    const { id } = await createLocation(organization);
    for (const [query, expected] of [
      ['limit=0', { field: 'limit', code: 'too_small' }],
      ['limit=201', { field: 'limit', code: 'too_large', params: { max: 200 } }],
      ['limit=x', { field: 'limit', code: 'invalid_value', message: 'limit must be an integer' }],
      ['offset=-1', { field: 'offset', code: 'too_small' }],
      ['offset=2147483648', { field: 'offset', code: 'too_large', params: { max: 2147483647 } }],
      ['limit=1&limit=1', { field: 'limit', code: 'invalid_value' }],
    ] as const) {
      expect(await organization.get(`${path}/${id}/${walk}?${query}`)).toBeInvalid(expected);
    }
  });

  it('are not available for a deleted location', async () => {
    const organization = await world.organization();
    const { id } = await createLocation(organization);
    await remove(organization, nouns.locations, id);
    expect(await organization.get(`${path}/${id}/${walk}`)).toBeError({
      type: 'not_found',
      detail: 'Location not found',
    });
    const dormant = await createLocation(organization, { valid_to: '2020-01-01T00:00:00Z', is_active: false });
    expect((await organization.get(`${path}/${dormant.id}/${walk}`)).status).toBe(200);
  });

  it('include locations that are inactive or not effective, but not deleted ones', async () => {
    const organization = await world.organization();
    const top = await createLocation(organization, { external_key: 'TOP', valid_to: '2020-01-01T00:00:00Z' });
    const inactive = await createLocation(organization, {
      external_key: 'a-inactive',
      is_active: false,
      parent_id: top.id,
    });
    const future = await createLocation(organization, {
      external_key: 'b-future',
      valid_from: '2999-01-01T00:00:00Z',
      parent_id: inactive.id,
    });
    const leaf = await createLocation(organization, { external_key: 'c-leaf', parent_id: future.id });
    for (const parent of [top, inactive, future]) {
      await remove(organization, nouns.locations, (await createLocation(organization, { parent_id: parent.id })).id);
    }
    const expected = {
      ancestors: [leaf, ['TOP', 'a-inactive', 'b-future']],
      children: [top, ['a-inactive']],
      descendants: [top, ['a-inactive', 'b-future', 'c-leaf']],
    }[walk] as [Row, string[]];
    const { body } = await organization.get(`${path}/${expected[0].id}/${walk}`);
    expect(body.data.map((row: Row) => row.external_key)).toEqual(expected[1]);
    expect(body.total_count).toBe(expected[1].length);
  });
});

it('lists ancestors from the root down, at any depth', async () => {
  const organization = await world.organization();
  const depth = 120;
  await world.db.$executeRaw`
    INSERT INTO locations (org_id, external_key, name, parent_id, valid_from, created_at, updated_at)
    SELECT ${organization.orgId}, 'D' || lpad(level::text, 4, '0'), 'n', NULL, now(), now(), now()
      FROM generate_series(1, ${depth}::int) AS level`;
  await world.db.$executeRaw`
    UPDATE locations l SET parent_id = p.id FROM locations p
     WHERE l.org_id = ${organization.orgId} AND p.org_id = l.org_id
       AND substr(p.external_key, 2)::int = substr(l.external_key, 2)::int - 1`;
  const all = await keysOf(organization, `${path}?limit=200`);
  const [deepest] = (await organization.get(`${path}?external_key=${all.at(-1)}`)).body.data;
  const [root] = (await organization.get(`${path}?external_key=${all[0]}`)).body.data;
  expect(await keysOf(organization, `${path}/${deepest.id}/ancestors?limit=200`)).toEqual(all.slice(0, -1));
  expect(await keysOf(organization, `${path}/${root.id}/descendants?limit=200`)).toEqual(all.slice(1));
  expect((await organization.delete(`${path}/${root.id}`)).status).toBe(409);
  expect((await organization.patch(`${path}/${root.id}`, { parent_id: deepest.id })).status).toBe(409);
});

it('sorts children by name in code point order, then by id', async () => {
  const organization = await world.organization();
  const parent = await createLocation(organization);
  const names = ['b', 'B', 'a', 'b', '10', '9', 'é', '\ufffdx', '😀x', 'a b', 'b', 'Z'];
  const rows: Row[] = [];
  for (const name of names)
    rows.push(await createLocation(organization, { name, parent_id: parent.id, external_key: `k${99 - rows.length}` }));
  const expected = rows.toSorted((a, b) => Buffer.compare(Buffer.from(a.name), Buffer.from(b.name)) || a.id - b.id);
  const listed = (await organization.get(`${path}/${parent.id}/children`)).body.data;
  expect(listed).toEqual(expected);
});

describe('descendants', () => {
  it('are listed depth first, with each level sorted by lowercase key', async () => {
    const organization = await world.organization();
    const ids = await createTree(organization, {
      ROOT: {
        b: { Z: {}, y: { deep: {} } },
        A: { 'a-2': {}, 'A-1': {} },
        c: {},
        B2: { x: {} },
        '10': {},
        '9': {},
      },
      OTHER: { '0': {} },
    });
    const expected = ['10', '9', 'A', 'A-1', 'a-2', 'b', 'y', 'deep', 'Z', 'B2', 'x', 'c'];
    expect(await keysOf(organization, `${path}/${ids['ROOT']}/descendants`)).toEqual(expected);
    const pages = [];
    for (let offset = 0; offset < expected.length; offset += 5) {
      pages.push(...(await keysOf(organization, `${path}/${ids['ROOT']}/descendants?limit=5&offset=${offset}`)));
    }
    expect(pages).toEqual(expected);
    expect(await keysOf(organization, `${path}/${ids['A']}/descendants`)).toEqual(['A-1', 'a-2']);
  });

  it('follow their own parent when one key is a prefix of another', async () => {
    const organization = await world.organization();
    const ids = await createTree(organization, {
      ROOT: { 'a-': { n1: {} }, a0: { n2: {} }, a: { z: { n3: {} }, '-0': {} }, 'a-0': {}, aa: { n4: {} }, A1: {} },
    });
    const expected = ['a', '-0', 'z', 'n3', 'a-', 'n1', 'a-0', 'a0', 'n2', 'A1', 'aa', 'n4'];
    expect(await keysOf(organization, `${path}/${ids['ROOT']}/descendants`)).toEqual(expected);
  });

  it('are sorted by id if their keys differ only in case', async () => {
    const organization = await world.organization();
    const ids = await createTree(organization, { ROOT: { ab: {}, Ab: { below: {} }, AB: {}, aB: {} } });
    const before = await keysOf(organization, `${path}/${ids['ROOT']}/descendants`);
    expect(before).toEqual(['ab', 'Ab', 'below', 'AB', 'aB']);
  });
});
