import type pg from 'pg';

/** The numbers of visits, assets and locations. */
export type ReportSizes = { visits: number; assets: number; locations: number; days: number };

/** The organization of the reports, with one of its assets, its site and one of its locations. */
export type ReportWorld = { orgId: number; assetId: number; siteId: number; locationId: number };

/**
 * Adds an organization whose assets moved from location to location, equally often and round-robin, until now, and
 * another one with a tenth of the visits. A tenth of the assets was deleted.
 */
export async function seedReportWorld(client: pg.Client, sizes: ReportSizes): Promise<ReportWorld> {
  await seedOrganization(client, { ...sizes, visits: sizes.visits / 10, assets: sizes.assets / 10 });
  const orgId = await seedOrganization(client, sizes);
  await client.query('VACUUM ANALYZE');
  const { rows } = await client.query<{ asset: number; site: number; location: number }>(
    `SELECT (SELECT max(id) FROM assets WHERE org_id = $1 AND deleted_at IS NULL) AS asset,
            (SELECT min(id) FROM locations WHERE org_id = $1) AS site,
            (SELECT max(id) FROM locations WHERE org_id = $1) AS location`,
    [orgId],
  );
  const { asset = 0, site = 0, location = 0 } = rows[0] ?? {};
  return { orgId, assetId: asset, siteId: site, locationId: location };
}

async function seedOrganization(client: pg.Client, sizes: ReportSizes): Promise<number> {
  const { rows } = await client.query<{ id: number }>(
    "INSERT INTO organizations (name) VALUES ('Reports') RETURNING id",
  );
  const orgId = rows[0]?.id ?? 0;
  const visitsEach = Math.round(sizes.visits / sizes.assets);
  await client.query(
    `INSERT INTO locations (org_id, external_key, name, valid_from, created_at, updated_at)
     SELECT $1::int, 'L-' || n, 'Location ' || n, now(), now(), now() FROM generate_series(1, $2::int) AS n`,
    [orgId, sizes.locations],
  );
  // A site, ten halls in it, and the rest in the halls.
  await client.query(
    `UPDATE locations l
        SET parent_id = p.id
       FROM (SELECT id, row_number() OVER (ORDER BY id) AS n FROM locations WHERE org_id = $1) o
       JOIN (SELECT id, row_number() OVER (ORDER BY id) AS n FROM locations WHERE org_id = $1) p
         ON p.n = CASE WHEN o.n <= 11 THEN 1 ELSE 2 + o.n % 10 END
      WHERE l.id = o.id AND o.n > 1`,
    [orgId],
  );
  await client.query(
    `INSERT INTO assets (org_id, external_key, name, valid_from, created_at, updated_at, deleted_at)
     SELECT $1::int, 'A-' || n, 'Asset ' || n, now(), now(), now(), CASE WHEN n % 10 = 0 THEN now() - interval '1 day' END
       FROM generate_series(1, $2::int) AS n`,
    [orgId, sizes.assets],
  );
  await client.query(
    `INSERT INTO asset_visits (org_id, asset_id, arrived_at, left_at, last_seen_at, location_id)
     SELECT $1::int, v.asset_id, v.at, v.left_at, v.left_at,
            (SELECT min(id) FROM locations WHERE org_id = $1) + (v.asset_id * 7 + v.n * (1 + v.asset_id % 5)) % $4::int
       FROM (
         SELECT a.id AS asset_id, n, t.at, lead(t.at) OVER (PARTITION BY a.id ORDER BY t.at) AS left_at
           FROM assets a
          CROSS JOIN generate_series(1, $2::int) AS n
          CROSS JOIN LATERAL (
            SELECT now() - interval '1 day' * ($3::float8 * (n - 1 + (a.id * 31 + n * 17) % 97 / 100.0) / $2::int) AS at
          ) t
          WHERE a.org_id = $1
          ORDER BY t.at
       ) v`,
    [orgId, visitsEach, sizes.days, sizes.locations],
  );
  await client.query(
    `INSERT INTO asset_positions (org_id, asset_id, location_id, asset_last_seen, located_since)
     SELECT v.org_id, v.asset_id, v.location_id, now() - v.asset_id % 60 * interval '1 day', v.arrived_at
       FROM asset_visits v WHERE v.org_id = $1 AND v.left_at IS NULL`,
    [orgId],
  );
  // A position is the open visit of its asset.
  await client.query('DELETE FROM asset_visits WHERE org_id = $1 AND left_at IS NULL', [orgId]);
  return orgId;
}
