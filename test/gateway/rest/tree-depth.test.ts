import { expect, test } from 'vitest';
import { createLocation } from '../../support/factories.js';
import { sharedWorld, type TestOrganization } from '../../support/world.js';

const world = await sharedWorld();

const tooDeep = { status: 409, type: 'conflict', detail: 'locations can be nested 64 levels deep' };

/** The ids of a chain of locations, the top first. */
async function chain({ orgId }: TestOrganization, length: number): Promise<number[]> {
  const rows = await world.db.$queryRaw<{ id: number }[]>`
    WITH given AS MATERIALIZED (
      SELECT n, nextval('locations_id_seq')::int AS id FROM generate_series(1, ${length}::int) AS n
    )
    INSERT INTO locations (id, org_id, external_key, name, parent_id, valid_from, created_at, updated_at)
    SELECT g.id, ${orgId}, 'CHAIN-' || g.n, 'Level ' || g.n, p.id, now() - interval '1 day', now(), now()
      FROM given g
      LEFT JOIN given p ON p.n = g.n - 1
    RETURNING id`;
  return rows.map(({ id }) => id).sort((one, other) => one - other);
}

test('a location can be created on level 64, but not below it', async () => {
  const organization = await world.organization();
  const ids = await chain(organization, 63);
  const { id } = await createLocation(organization, { parent_id: ids.at(-1) });
  const refused = await organization.post('/api/v1/locations', { name: 'Level 65', parent_id: id });
  expect(refused.body.error).toMatchObject(tooDeep);
});

test('a location can be moved only if its descendants stay within the maximum depth', async () => {
  const organization = await world.organization();
  const ids = await chain(organization, 62);
  const top = await createLocation(organization);
  const middle = await createLocation(organization, { parent_id: top.id });
  await createLocation(organization, { parent_id: middle.id });
  const move = (parentId: number | undefined) =>
    organization.patch(`/api/v1/locations/${top.id}`, { parent_id: parentId });
  expect((await move(ids[61])).body.error).toMatchObject(tooDeep);
  expect((await move(ids[60])).status).toBe(200);
});

test('a tree of the maximum depth is listed from the top down and from the bottom up', async () => {
  const organization = await world.organization();
  const ids = await chain(organization, 64);
  const descendants = await organization.get(`/api/v1/locations/${ids[0]}/descendants?limit=3&offset=60`);
  expect(descendants.body.total_count).toBe(63);
  expect(descendants.body.data.map((row: { id: number }) => row.id)).toEqual(ids.slice(61, 64));
  const ancestors = await organization.get(`/api/v1/locations/${ids[63]}/ancestors?limit=1`);
  expect(ancestors.body).toMatchObject({ total_count: 63, data: [{ id: ids[0] }] });
});
