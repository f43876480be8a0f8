import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import type { Sizes } from './options.js';

/** One in this many assets has this many times the events of an ordinary one; the history of these is requested. */
const busyShare = 100;
const busyEventsShare = 0.5;
const pastDays = 180;

/** Assets per statement, as triggers collect all rows that a statement inserts. */
const assetsPerStatement = 50_000;
const eventsPerStatement = 500_000;

/** The assets of the benchmark's second organization. */
export const smallOrgAssets = 100;

export type SeededOrg = {
  readonly orgId: number;
  readonly keyId: string;
};

/**
 * Adds an organization with an API key with all scopes, and live assets. Each asset has a tag, and every second asset
 * has two. One in a hundred generated keys is free, one asset in a hundred has expired, and one more was deleted.
 *
 * All rows go through the triggers, so kept counts and freed keys are as in use.
 */
export async function seedOrg(client: pg.Client, name: string, assets: number): Promise<SeededOrg> {
  const { rows } = await client.query<{ id: number }>('INSERT INTO organizations (name) VALUES ($1) RETURNING id', [
    name,
  ]);
  const orgId = rows[0]?.id ?? 0;
  const keyId = randomUUID();
  await client.query(
    `INSERT INTO api_keys (id, org_id, name, scopes)
     VALUES ($1, $2, 'bench', '{assets:read,assets:write,locations:read,locations:write,tracking:read}')`,
    [keyId, orgId],
  );
  for (let first = 1; first <= assets * 1.01; first += assetsPerStatement)
    await seedAssets(client, { orgId, assets, first });
  return { orgId, keyId };
}

type AssetRange = { orgId: number; assets: number; first: number };

async function seedAssets(client: pg.Client, { orgId, assets, first }: AssetRange): Promise<void> {
  await client.query(
    `WITH made AS (
       INSERT INTO assets (org_id, external_key, name, description, metadata, valid_from, valid_to, created_at, updated_at, deleted_at)
       SELECT $1,
              'ASSET-' || lpad(slot::text, greatest(4, length(slot::text)), '0'),
              (ARRAY['Pump', 'Valve', 'Drill', 'Ladder', 'Pallet', 'Forklift', 'Monitor', 'Cart'])[1 + n % 8] || ' ' || n,
              CASE WHEN n % 3 = 0 THEN 'Serial ' || md5(n::text) END,
              json_build_object('vendor', 'Vendor ' || n % 50, 'price', n % 1000, 'serviced', n % 2 = 0),
              made_at,
              CASE WHEN n % 100 = 3 THEN made_at + interval '1 day' END,
              made_at,
              made_at,
              CASE WHEN n > $2 THEN now() - interval '1 hour' END
         FROM generate_series($3::int, least($3 + $4 - 1, $2::int + $2::int / 100)) AS n
        CROSS JOIN LATERAL (SELECT n + n / 100 AS slot,
                                   date_trunc('milliseconds', now() - interval '200 days') + n * interval '97 milliseconds' AS made_at) given
       RETURNING org_id, id, deleted_at
     )
     INSERT INTO tags (org_id, asset_id, tag_type, value, deleted_at)
     SELECT org_id, id, 'rfid', 'E280' || upper(left(md5('epc' || org_id || id), 20)), deleted_at
       FROM made
     UNION ALL
     SELECT org_id, id, 'ble', upper(left(md5('mac' || org_id || id), 12)), deleted_at
       FROM made
      WHERE id % 2 = 0`,
    [orgId, assets, first, assetsPerStatement],
  );
}

/** Adds a tree in which each location has ten children. */
export async function seedLocations(client: pg.Client, orgId: number, locations: number): Promise<void> {
  await client.query(
    `INSERT INTO locations (id, org_id, external_key, name, parent_id, valid_from, created_at, updated_at)
     SELECT n, $1, 'LOC-' || lpad(n::text, greatest(4, length(n::text)), '0'), 'Place ' || n,
            CASE WHEN n > 1 THEN (n - 2) / 10 + 1 END, made_at, made_at, made_at
       FROM generate_series(1, $2::int) AS n
      CROSS JOIN (SELECT date_trunc('milliseconds', now() - interval '200 days') AS made_at) given`,
    [orgId, locations],
  );
  await client.query(`SELECT setval('locations_id_seq', $1::int)`, [locations]);
}

/** Positions seen just now are spread over this many milliseconds: one or two slots of a listing. */
const seenNowMs = 10_000;

/**
 * Adds events over the past months, half of them of one asset in a hundred, and the resulting positions. Each event of
 * an asset is at another location than the previous one. With `seenNow` all assets were seen once more just now.
 */
export async function seedScans(client: pg.Client, orgId: number, sizes: Sizes): Promise<void> {
  const busyAssets = sizes.assets / busyShare;
  const perBusyAsset = (sizes.events * busyEventsShare) / busyAssets;
  const perAsset = (sizes.events * (1 - busyEventsShare)) / (sizes.assets - busyAssets);
  const { rows } = await client.query<{ first: number }>(
    'SELECT min(id) AS first FROM assets WHERE org_id = $1 AND deleted_at IS NULL',
    [orgId],
  );
  const firstId = rows[0]?.first ?? 1;
  const perStatement = Math.max(1, Math.round((sizes.assets / sizes.events) * eventsPerStatement));
  for (let from = 0; from < sizes.assets; from += perStatement) {
    const range = [firstId + from, firstId + Math.min(from + perStatement, sizes.assets) - 1];
    await client.query(
      `INSERT INTO scan_events (org_id, asset_id, event_observed_at, location_id, antenna, rssi_dbm, received_at)
       SELECT a.org_id, a.id, seen.at, 1 + (a.no * 31 + seen.n * 7919) % $2::int, 1 + seen.n % 4, -40 - seen.n % 40, seen.at
         FROM (SELECT org_id, id, id::bigint - $9 + 1 AS no FROM assets WHERE org_id = $1 AND id BETWEEN $7 AND $8) a
        CROSS JOIN LATERAL (SELECT CASE WHEN a.no % $3::int = 0 THEN $4::float8 ELSE $5::float8 END AS events) share
        CROSS JOIN LATERAL generate_series(
                     1, floor(share.events)::int + (a.no % 1000 < (share.events - floor(share.events)) * 1000)::int) AS n
        CROSS JOIN LATERAL (SELECT n,
                                   date_trunc('milliseconds', now())
                                   - n * interval '1 day' * ($6::float8 / (share.events + 2))
                                   - a.no * interval '11 milliseconds' AS at) seen`,
      [orgId, sizes.locations, busyShare, perBusyAsset, perAsset, pastDays, ...range, firstId],
    );
    await client.query(
      `INSERT INTO asset_positions (org_id, asset_id, location_id, antenna, asset_last_seen, located_since)
       SELECT DISTINCT ON (e.asset_id) e.org_id, e.asset_id, e.location_id, e.antenna,
              CASE WHEN $2 THEN date_trunc('milliseconds', now()) - (e.asset_id::bigint * 7919 % $3) * interval '1 millisecond'
                   ELSE e.event_observed_at END,
              e.event_observed_at
         FROM scan_events e
        WHERE e.org_id = $1 AND e.asset_id BETWEEN $4 AND $5
        ORDER BY e.asset_id, e.event_observed_at DESC`,
      [orgId, sizes.seenNow ?? false, seenNowMs, ...range],
    );
  }
}

/** Values that the requests of the benchmark use. */
export type Samples = {
  readonly assetIds: readonly number[];
  readonly busyAssetIds: readonly number[];
  /** Each occurs in one tag or one description, and hardly ever in others, whatever their number. */
  readonly fragments: readonly string[];
};

export async function takeSamples(client: pg.Client, orgId: number): Promise<Samples> {
  const numbers = async (sql: string) => (await client.query<{ id: number }>(sql, [orgId])).rows.map(({ id }) => id);
  const { rows } = await client.query<{ fragment: string }>(
    // Excludes assets that an earlier run created or changed, whose values are short and similar.
    `(SELECT substr(value, 8, 8) AS fragment
        FROM tags
       WHERE org_id = $1 AND tag_type = 'rfid' AND length(value) = 24 AND deleted_at IS NULL
       ORDER BY random()
       LIMIT 1000)
     UNION ALL
     (SELECT substr(description, 12, 8)
        FROM assets
       WHERE org_id = $1 AND description LIKE 'Serial %' AND deleted_at IS NULL
       ORDER BY random()
       LIMIT 1000)`,
    [orgId],
  );
  return {
    assetIds: await numbers(
      'SELECT id FROM assets WHERE org_id = $1 AND deleted_at IS NULL ORDER BY random() LIMIT 20000',
    ),
    busyAssetIds: await numbers(
      `SELECT asset_id AS id
         FROM scan_events
        WHERE org_id = $1
        GROUP BY asset_id
       HAVING count(*) > 50
        ORDER BY random()
        LIMIT 1000`,
    ),
    fragments: rows.map(({ fragment }) => fragment),
  };
}
