import { cpSync, readdirSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { expect, test } from 'vitest';
import { migrate } from '../../server/database/migrate.js';
import { createLog } from '../../server/log.js';
import { projectRoot } from '../../server/project-root.js';
import { createTestFolder } from '../support/folder.js';
import { createEmptyDatabase } from '../support/postgres.js';

// What migrations do with rows that are there already.

const migrations = path.join(projectRoot(), 'prisma', 'migrations');

/** A database as it was before a migration. `upgrade` applies that migration and all later ones. */
async function createEarlier(migration: string) {
  const database = await createEmptyDatabase();
  const folder = createTestFolder();
  const log = createLog('silent');
  for (const name of readdirSync(migrations).filter((each) => each < migration)) {
    cpSync(path.join(migrations, name), path.join(folder.path, name), { recursive: true });
  }
  await migrate({ url: database.url, log, folder: folder.path });
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  return {
    /** The rows of a statement. */
    async rows<Row extends object>(sql: string): Promise<Row[]> {
      return (await client.query<Row>(sql)).rows;
    },
    upgrade: () => migrate({ url: database.url, log }),
    async [Symbol.asyncDispose]() {
      await client.end();
      folder[Symbol.dispose]();
      await database[Symbol.asyncDispose]();
    },
  };
}

const organizations = `
  INSERT INTO organizations (id, name) VALUES (1, 'One'), (2, 'Two')`;

test('deliveries from before they were counted are counted with their endpoints', async () => {
  await using earlier = await createEarlier('20261209000000');
  await earlier.rows(organizations);
  await earlier.rows(`
    INSERT INTO webhook_endpoints (id, org_id, name, url, event_types, secret, created_at, updated_at)
    SELECT n, 1, 'Endpoint ' || n, 'https://example.com/', '{}', 'secret', now(), now() FROM generate_series(1, 2) AS n`);
  await earlier.rows(`
    INSERT INTO webhook_deliveries (org_id, endpoint_id, event_key, event_type, body, status, next_attempt_at, created_at)
    SELECT 1, 1, gen_random_uuid(), 'asset.created', 'é' || n, s.status, now(), now()
      FROM generate_series(1, 3) AS n CROSS JOIN (VALUES ('pending'), ('delivered'), ('failed')) AS s (status)`);
  await earlier.upgrade();
  const counts = await earlier.rows(
    'SELECT id, pending_count, pending_bytes::int, log_bytes::int FROM webhook_endpoints ORDER BY id',
  );
  expect(counts).toEqual([
    { id: 1, pending_count: 3, pending_bytes: 9, log_bytes: 27 },
    { id: 2, pending_count: 0, pending_bytes: 0, log_bytes: 0 },
  ]);
});

test('alerts from before their locations were kept are found by the locations above them too', async () => {
  await using earlier = await createEarlier('20261209010000');
  await earlier.rows(organizations);
  await earlier.rows(`
    INSERT INTO locations (id, org_id, external_key, name, parent_id, valid_from, created_at, updated_at)
    SELECT id, org_id, 'LOC-' || id, 'Location', parent_id, now(), now(), now()
      FROM (VALUES (1, 1, NULL), (2, 1, 1), (3, 1, 2), (4, 1, 1), (5, 2, NULL), (6, 2, 5)) AS l (id, org_id, parent_id)`);
  const alert = (id: number, orgId: number, { ids, age }: { ids: string; age: string }) => `
    INSERT INTO alerts (id, org_id, rule_name, event_key, event_type, subject, data, in_app, is_condition, opened_at, location_ids)
    VALUES (${id}, ${orgId}, 'Rule', gen_random_uuid(), 'asset.location_changed', 'asset:1', '{}', true, false,
            now() - interval '${age}', '${ids}')`;
  await earlier.rows(alert(1, 1, { ids: '{3,4}', age: '1 day' }));
  await earlier.rows(alert(2, 1, { ids: '{}', age: '1 day' }));
  await earlier.rows(alert(3, 1, { ids: '{1}', age: '1 day' }));
  await earlier.rows(alert(4, 2, { ids: '{6,3}', age: '1 day' }));
  // Opened since: it has the locations of the tree as it was.
  await earlier.rows(alert(5, 1, { ids: '{3}', age: '-1 hour' }));
  await earlier.upgrade();
  expect(
    await earlier.rows(
      'SELECT a.id::int, ARRAY(SELECT unnest(a.location_ids) ORDER BY 1) AS ids FROM alerts a ORDER BY a.id',
    ),
  ).toEqual([
    { id: 1, ids: [1, 2, 3, 4] },
    { id: 2, ids: [] },
    { id: 3, ids: [1] },
    { id: 4, ids: [3, 5, 6] },
    { id: 5, ids: [3] },
  ]);
});

test('listings of deleted and expired assets are marked, and the others counted by ranges of slots', async () => {
  await using earlier = await createEarlier('20261212200000');
  await earlier.rows(organizations);
  await earlier.rows(`
    INSERT INTO assets (org_id, external_key, name, valid_from, created_at, updated_at, deleted_at, valid_to, is_expired)
    SELECT 1 + n % 2, 'A-' || n, 'An asset', now(), now(), now(), CASE WHEN n % 5 = 0 THEN now() END,
           CASE WHEN n % 7 = 0 THEN now() END, n % 7 = 0
      FROM generate_series(1, 200) AS n`);
  await earlier.rows(`
    INSERT INTO asset_positions (org_id, asset_id, asset_last_seen, located_since)
    SELECT org_id, id, now() - id * interval '1 minute', now() FROM assets`);
  await earlier.upgrade();
  const marked = `
    SELECT l.org_id, l.seen_slot, l.hidden_by
      FROM position_listings l
      JOIN assets a ON a.id = l.asset_id
     WHERE l.hidden_by = (a.deleted_at IS NOT NULL)::int + 2 * a.is_expired::int AND l.slot_ms = 10000`;
  expect(await earlier.rows(marked)).toHaveLength(200);
  expect(await earlier.rows('SELECT FROM asset_positions WHERE is_listed_exactly')).toEqual([]);
  const counted = `
    SELECT m.org_id, s.step::int2, m.seen_slot >> s.step AS range_no,
           count(*) FILTER (WHERE m.hidden_by = 0) AS n, count(*) FILTER (WHERE m.hidden_by = 1) AS n_deleted
      FROM (${marked}) m CROSS JOIN (VALUES (3), (12)) AS s (step)
     WHERE m.hidden_by <= 1
     GROUP BY 1, 2, 3`;
  const kept = 'SELECT org_id, step, range_no, n, n_deleted FROM slot_counts';
  expect(await earlier.rows(`(${counted}) EXCEPT (${kept}) UNION ALL ((${kept}) EXCEPT (${counted}))`)).toEqual([]);
});
