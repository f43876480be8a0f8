import { containersOf } from '../../kernel/database/containers.js';
import { timestamp } from '../../kernel/database/columns.js';
import { placementOf } from '../../kernel/database/placements.js';
import type { Queries } from '../../kernel/database/client.js';
import type { LiveContainment, LiveItem, LivePosition } from './items.js';
import type { ChangedAssets } from './notices.js';

type PositionsItem = Extract<LiveItem, { kind: 'positions' }>;

/**
 * Returns the present positions of assets. Leaves out deleted assets and assets that were never seen. Includes assets
 * outside their effective window, since live views show them.
 */
export async function readPositions(db: Queries, orgId: number, assetIds: readonly number[]): Promise<LivePosition[]> {
  return db.$queryRaw<LivePosition[]>`
    SELECT p.asset_id, a.external_key AS asset_external_key, a.name AS asset_name,
           a.kind_id, k.color AS kind_color,
           p.location_id, l.external_key AS location_external_key, l.name AS location_name,
           f.id AS from_location_id, f.name AS from_location_name,
           ${timestamp('p.asset_last_seen')} AS asset_last_seen,
           ${timestamp('p.located_since')} AS located_since,
           ${placementOf(orgId, 'p')} AS placement
      FROM asset_positions p
      JOIN assets a ON a.org_id = p.org_id AND a.id = p.asset_id AND a.deleted_at IS NULL
      LEFT JOIN asset_kinds k ON k.org_id = a.org_id AND k.id = a.kind_id
      LEFT JOIN locations l ON l.org_id = p.org_id AND l.id = p.location_id AND l.deleted_at IS NULL
      LEFT JOIN LATERAL (
        SELECT v.location_id
          FROM asset_visits v
         WHERE v.org_id = p.org_id AND v.asset_id = p.asset_id AND v.arrived_at < p.located_since
         ORDER BY v.arrived_at DESC
         LIMIT 1
      ) before ON true
      LEFT JOIN locations f ON f.org_id = p.org_id AND f.id = before.location_id AND f.deleted_at IS NULL
     WHERE p.org_id = ${orgId} AND p.asset_id = ANY(${assetIds}::int[])
     ORDER BY p.asset_id`;
}

/** Returns what live assets are in. */
async function readContainments(db: Queries, orgId: number, assetIds: readonly number[]): Promise<LiveContainment[]> {
  return db.$queryRaw<LiveContainment[]>`
    SELECT a.id AS asset_id, ${containersOf(orgId, 'a')} AS containers
      FROM assets a
     WHERE a.org_id = ${orgId} AND a.id = ANY(${assetIds}::int[]) AND a.deleted_at IS NULL
     ORDER BY a.id`;
}

/** Reads what changed, as an item of the stream. */
export async function readChanged(
  db: Queries,
  orgId: number,
  { moved, contained }: ChangedAssets,
): Promise<PositionsItem> {
  const positions = moved.length === 0 ? [] : await readPositions(db, orgId, moved);
  if (contained.length === 0) return { kind: 'positions', positions };
  return { kind: 'positions', positions, contained: await readContainments(db, orgId, contained) };
}
