import pg from 'pg';
import { beforeAll, expect, test } from 'vitest';
import { createLocation } from '../../support/factories.js';
import { sharedWorld, type TestOrganization, type World } from '../../support/world.js';

let world: World;

beforeAll(async () => {
  world = await sharedWorld();
});

const tooDeep = { status: 409, type: 'conflict', detail: 'locations can be nested 64 levels deep' };

/**
 * The ids of a chain of locations, the top first. It is written without the API, as one from before the limit may be longer,
 * and over a connection of its own, which has no plans from when the table was empty.
 */
async function chain({ orgId }: TestOrganization, length: number): Promise<number[]> {
  const client = new pg.Client({ connectionString: world.databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ id: number }>(
      `WITH given AS MATERIALIZED (
         SELECT n, nextval('locations_id_seq')::int AS id FROM generate_series(1, $2::int) AS n
       )
       INSERT INTO locations (id, org_id, external_key, name, parent_id, valid_from, created_at, updated_at)
       SELECT g.id, $1, 'CHAIN-' || g.n, 'Level ' || g.n, p.id, now() - interval '1 day', now(), now()
         FROM given g
         LEFT JOIN given p ON p.n = g.n - 1
       RETURNING id`,
      [orgId, length],
    );
    // As autovacuum does: the service shares its connections with other tests, which planned for a small table.
    await client.query('ANALYZE locations');
    return rows.map(({ id }) => id).sort((one, other) => one - other);
  } finally {
    await client.end();
  }
}

test('a location can be created on level 64 and not below it', async () => {
  const organization = await world.organization();
  const ids = await chain(organization, 63);
  const { id } = await createLocation(organization, { parent_id: ids.at(-1) });
  const refused = await organization.post('/api/v1/locations', { name: 'Level 65', parent_id: id });
  expect(refused.body.error).toMatchObject(tooDeep);
});

test('a location is moved with all below it only within the maximum depth', async () => {
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

test('a chain of 10,000 from before the limit is served, and its paths do not fill the disk', async () => {
  const organization = await world.organization();
  const ids = await chain(organization, 10_000);
  const [top = 0] = ids;
  const before = await temporaryBytes();
  const descendants = await organization.get(`/api/v1/locations/${top}/descendants?limit=3&offset=9000`);
  expect(descendants.body.total_count).toBe(9999);
  expect(descendants.body.data.map((row: { id: number }) => row.id)).toEqual(ids.slice(9001, 9004));
  const ancestors = await organization.get(`/api/v1/locations/${ids.at(-1)}/ancestors?limit=1`);
  expect(ancestors.body).toMatchObject({ total_count: 9999, data: [{ id: top }] });
  const renamed = await organization.post(`/api/v1/locations/${top}/rename`, { external_key: 'RENAMED' });
  expect(renamed.status).toBe(200);
  expect((await temporaryBytes()) - before).toBeLessThan(200_000_000);
});

/** What the database has written to temporary files; a connection reports it when it is idle. */
async function temporaryBytes(): Promise<number> {
  const [row] = await world.db.$queryRaw<{ bytes: number }[]>`
    SELECT temp_bytes::float8 AS bytes FROM pg_stat_database WHERE datname = current_database()`;
  return row?.bytes ?? 0;
}
