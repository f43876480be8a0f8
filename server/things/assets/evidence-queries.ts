import type { Database } from '../../kernel/database/client.js';
import { type Placement, placementOf } from '../../kernel/database/placements.js';
import { instant } from '../../kernel/database/columns.js';
import { type AntennaKey, portOf, readerOf } from '../../locating/index.js';

/** The stored state of an asset's decision. */
export type DecisionRow = { location_id: number | null; locating: string | null };

/**
 * Returns the stored decision about a live asset, with nulls if it was never seen; undefined if there is no such asset.
 */
export async function findDecision(db: Database, orgId: number, assetId: number): Promise<DecisionRow | undefined> {
  const rows = await db.$queryRaw<DecisionRow[]>`
    SELECT p.location_id, p.locating
      FROM assets a
      LEFT JOIN asset_positions p ON p.org_id = a.org_id AND p.asset_id = a.id
     WHERE a.org_id = ${orgId} AND a.id = ${assetId} AND a.deleted_at IS NULL`;
  return rows[0];
}

/** Returns the placement of an asset at an instant; null if there is none. */
export async function findPlacement(
  db: Database,
  orgId: number,
  { assetId, atMs }: { assetId: number; atMs: number },
): Promise<Placement | null> {
  const rows = await db.$queryRaw<{ placement: Placement | null }[]>`
    SELECT ${placementOf(orgId, 'g', 'at')} AS placement FROM (SELECT ${assetId}::int AS asset_id, ${instant(atMs)} AS at) g`;
  return rows[0]?.placement ?? null;
}

/** An antenna of a live reader, with its settings. */
export type EvidenceAntennaRow = {
  reader_id: number;
  port: number;
  reader_name: string;
  kind: 'zone' | 'portal';
  /** Null if neither the antenna nor the reader has a live location. */
  location_id: number | null;
  location_name: string | null;
};

/** Returns the antennas whose reader is live. */
export async function findAntennas(
  db: Database,
  orgId: number,
  keys: readonly AntennaKey[],
): Promise<EvidenceAntennaRow[]> {
  if (keys.length === 0) return [];
  return db.$queryRaw<EvidenceAntennaRow[]>`
    SELECT g.reader_id, g.port, r.name AS reader_name, coalesce(a.kind, 'zone') AS kind,
           coalesce(al.id, rl.id) AS location_id, coalesce(al.name, rl.name) AS location_name
      FROM unnest(
             ${keys.map(readerOf)}::int[],
             ${keys.map(portOf)}::int[]
           ) AS g (reader_id, port)
      JOIN readers r ON r.org_id = ${orgId} AND r.id = g.reader_id AND r.deleted_at IS NULL
      LEFT JOIN reader_antennas a ON a.reader_id = r.id AND a.port = g.port
      LEFT JOIN locations al ON al.org_id = ${orgId} AND al.id = a.location_id AND al.deleted_at IS NULL
      LEFT JOIN locations rl ON rl.org_id = ${orgId} AND rl.id = r.location_id AND rl.deleted_at IS NULL`;
}

export type EvidenceTagRow = { id: number; tag_type: string; value: string };

/** Returns the tags that are still attached to something. */
export async function findTags(db: Database, orgId: number, ids: readonly number[]): Promise<EvidenceTagRow[]> {
  if (ids.length === 0) return [];
  return db.$queryRaw<EvidenceTagRow[]>`
    SELECT id, tag_type, value FROM tags WHERE org_id = ${orgId} AND id = ANY (${ids}::int[])`;
}

/** Returns the names of locations, including deleted locations. */
export async function findLocationNames(
  db: Database,
  orgId: number,
  ids: readonly (number | null)[],
): Promise<Map<number, string>> {
  const wanted = [...new Set(ids)].filter((id) => id !== null);
  if (wanted.length === 0) return new Map();
  const rows = await db.$queryRaw<{ id: number; name: string }[]>`
    SELECT id, name FROM locations WHERE org_id = ${orgId} AND id = ANY (${wanted}::int[])`;
  return new Map(rows.map(({ id, name }) => [id, name]));
}
