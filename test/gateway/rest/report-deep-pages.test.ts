import { afterAll, beforeAll, expect, it } from 'vitest';
import { markExpired } from '../../../server/kernel/database/expired.js';
import { createRandom } from '../../support/random.js';
import { createWorld, type TestOrganization, type World } from '../../support/world.js';

const path = '/api/v1/reports/asset-locations';
const assets = 6000;

let world: World;
let organization: TestOrganization;

beforeAll(async () => {
  world = await createWorld();
  organization = await world.organization();
  const { orgId } = organization;
  const other = await world.organization('Others');
  for (const id of [orgId, other.orgId]) {
    await world.db.$executeRaw`
      INSERT INTO assets (org_id, external_key, name, valid_from, created_at, updated_at, deleted_at, valid_to)
      SELECT ${id}::int, 'A-' || n, 'An asset', now() - interval '1 day', now(), now(),
             CASE WHEN n % 50 = 0 THEN now() END, CASE WHEN n % 70 = 0 THEN now() - interval '1 hour' END
        FROM generate_series(1, ${assets}::int) AS n`;
    // A third each: within ten seconds, within an hour, over a year.
    await world.db.$executeRaw`
      INSERT INTO asset_positions (org_id, asset_id, asset_last_seen, located_since)
      SELECT a.org_id, a.id, p.at, p.at
        FROM assets a
       CROSS JOIN LATERAL (
         SELECT date_trunc('minute', now()) - interval '1 hour'
                - CASE a.id % 3 WHEN 0 THEN (a.id % 10) * interval '0.7 seconds'
                                WHEN 1 THEN (a.id * 7919 % 3600) * interval '1 second'
                                ELSE (a.id * 7919 % 365) * interval '1 day' + (a.id * 104729 % 86400) * interval '1 second' END AS at
       ) p
       WHERE a.org_id = ${id}::int`;
  }
});
afterAll(() => world[Symbol.asyncDispose]());

type Order = { sort: string; includeDeleted: boolean };

/** All rows of the report in an order, as the database has them. */
async function allOf({ sort, includeDeleted }: Order): Promise<number[]> {
  const descending = !sort.startsWith('a');
  const rows = await world.db.$queryRaw<{ id: number }[]>`
    SELECT a.id
      FROM asset_positions p
      JOIN assets a ON a.org_id = p.org_id AND a.id = p.asset_id
     WHERE p.org_id = ${organization.orgId}::int AND (a.valid_to IS NULL OR a.valid_to > now())
       AND (${includeDeleted} OR a.deleted_at IS NULL)
     ORDER BY CASE WHEN ${descending} THEN p.asset_last_seen END DESC, p.asset_last_seen, a.id`;
  return rows.map(({ id }) => id);
}

async function expectExactPages(offsets: readonly number[]): Promise<void> {
  for (const sort of ['-asset_last_seen', 'asset_last_seen']) {
    for (const includeDeleted of [false, true]) {
      const all = await allOf({ sort, includeDeleted });
      for (const offset of [...offsets, all.length - 1, all.length, all.length + 5000]) {
        const query = `?sort=${sort}&include_deleted=${includeDeleted}&limit=20&offset=${offset}`;
        const { body, text } = await organization.get(`${path}${query}`);
        expect(body.total_count, text).toBe(all.length);
        expect(
          body.data.map(({ asset_id: id }: { asset_id: number }) => id),
          query,
        ).toEqual(all.slice(offset, offset + 20));
      }
    }
  }
}

it('shows the same rows at any offset as one list of all, while assets are seen, deleted and restored', async () => {
  const { orgId } = organization;
  const random = createRandom(5);
  const some = () => Array.from({ length: 6 }, () => 1000 + Math.floor(random() * (assets - 1200)));
  await expectExactPages([299, 300, 301, 1299, 1300, 2000, 2001, 3000, ...some()]);

  for (let round = 0; round < 3; round += 1) {
    // Some assets are seen now, some were seen at other times than was known.
    await world.db.$executeRaw`
      UPDATE asset_positions
         SET asset_last_seen = CASE WHEN asset_id % 2 = 0 THEN now()
                                    ELSE asset_last_seen - (asset_id % 400) * interval '1 day' END
       WHERE org_id = ${orgId}::int AND asset_id % 17 = ${round}::int`;
    await world.db.$executeRaw`
      UPDATE assets SET deleted_at = CASE WHEN deleted_at IS NULL THEN now() END
       WHERE org_id = ${orgId}::int AND id % 29 = ${round}::int`;
    await world.db.$executeRaw`
      DELETE FROM asset_positions WHERE org_id = ${orgId}::int AND asset_id % 101 = ${round}::int`;
    if (round === 1) await markExpired(world.db);
    // Of some, the window changes: they are shown again, or no longer and not flagged yet.
    await world.db.$executeRaw`
      UPDATE assets SET valid_to = CASE WHEN valid_to IS NULL THEN now() END
       WHERE org_id = ${orgId}::int AND id % 31 = ${round}::int`;
    await expectExactPages([1000, 2000, 3000, ...some()]);
  }
  const [row] = await world.db.$queryRaw<{ n: number; counted: number }[]>`
    SELECT (SELECT count(*)::int FROM asset_positions WHERE org_id = ${orgId}::int) AS n,
           (SELECT sum(n)::int FROM row_counts WHERE org_id = ${orgId}::int AND kind = 'position') AS counted`;
  expect(row?.counted).toBe(row?.n);
}, 120_000);
