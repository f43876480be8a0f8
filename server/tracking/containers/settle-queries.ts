import { Prisma } from '../../../generated/prisma/client.js';
import { contentsMax } from '../../kernel/database/containers.js';
import { settleLater } from '../scans/contents-queries.js';
import type { TransactionClient } from '../../kernel/database/client.js';
import { epochMs } from '../../kernel/database/columns.js';

/** A live container, and where it is since when, in epoch milliseconds; nulls if it was never seen. */
export type HeldContainer = { location_id: number | null; since: number | null; locating: string | null };

export async function findHeldContainer(
  tx: TransactionClient,
  orgId: number,
  containerId: number,
): Promise<HeldContainer | undefined> {
  const rows = await tx.$queryRaw<HeldContainer[]>`
    SELECT p.location_id, ${epochMs('p.located_since')} AS since, p.locating
      FROM assets a
      LEFT JOIN asset_positions p ON p.org_id = a.org_id AND p.asset_id = a.id
     WHERE a.org_id = ${orgId} AND a.id = ${containerId} AND a.deleted_at IS NULL`;
  return rows[0];
}

/** A live asset that is directly in a container, and where it is; instants are epoch milliseconds. */
export type HeldContent = {
  asset_id: number;
  location_id: number | null;
  since: number | null;
  locating: string | null;
  /** Whether it is a container itself that was placed where its contents were read. */
  with_contents: boolean;
  /** When they were last at one location, if they are apart; null if they never were there together. */
  apart_at: number | null;
  /** Whether it was the container that left then. */
  was_left: boolean | null;
};

/** The last visits of each asset that are compared. */
const visitsMax = 50;

function lastVisits(orgId: number, assetId: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`
    SELECT v.location_id, v.arrived_at, coalesce(v.left_at, 'infinity') AS left_at
      FROM visits v
     WHERE v.org_id = ${orgId} AND v.asset_id = ${assetId}
     ORDER BY v.arrived_at DESC
     LIMIT ${visitsMax}::int`;
}

/** Returns what is directly in a container, in the order of the ids. Only the visits of what is elsewhere are read. */
export async function findHeldContents(
  tx: TransactionClient,
  orgId: number,
  containerId: number,
): Promise<HeldContent[]> {
  return tx.$queryRaw<HeldContent[]>`
    WITH own AS MATERIALIZED (${lastVisits(orgId, Prisma.sql`${containerId}`)})
    SELECT k.asset_id, p.location_id, ${epochMs('p.located_since')} AS since, p.locating, ${epochMs('t.apart_at')} AS apart_at, t.was_left,
           EXISTS (SELECT FROM asset_placements w
                    WHERE w.org_id = k.org_id AND w.asset_id = k.asset_id AND w.placed_at = p.located_since AND w.with_contents) AS with_contents
      FROM asset_containments k
      JOIN assets a ON a.org_id = k.org_id AND a.id = k.asset_id AND a.deleted_at IS NULL
      LEFT JOIN asset_positions p ON p.org_id = k.org_id AND p.asset_id = k.asset_id
      LEFT JOIN asset_positions c ON c.org_id = k.org_id AND c.asset_id = k.container_id
      LEFT JOIN LATERAL (
        SELECT least(x.left_at, o.left_at) AS apart_at, o.left_at <= x.left_at AS was_left
          FROM (${lastVisits(orgId, Prisma.raw('k.asset_id'))}) x
          JOIN own o ON o.location_id = x.location_id AND o.arrived_at < x.left_at AND x.arrived_at < o.left_at
         WHERE p.location_id IS DISTINCT FROM c.location_id
         ORDER BY 1 DESC
         LIMIT 1) t ON true
     WHERE k.org_id = ${orgId} AND k.container_id = ${containerId} AND k.until IS NULL
     ORDER BY k.asset_id
     LIMIT ${contentsMax}`;
}

/** Adds jobs for restored assets that are containers, or in one that may have moved meanwhile. */
export async function settleRestored(tx: TransactionClient, orgId: number, assetIds: readonly number[]): Promise<void> {
  const rows = await tx.$queryRaw<{ container_id: number }[]>`
    SELECT DISTINCT k.container_id
      FROM asset_containments k
     WHERE k.org_id = ${orgId} AND k.until IS NULL
       AND (k.asset_id = ANY(${[...assetIds]}::int[]) OR k.container_id = ANY(${[...assetIds]}::int[]))`;
  await settleLater(
    tx,
    rows.map(({ container_id: assetId }) => ({ orgId, assetId })),
  );
}
