import { contentsMax } from '../../kernel/database/containers.js';
import { settleLater } from '../scans/contents-queries.js';
import type { TransactionClient } from '../../kernel/database/client.js';
import { epochMs } from '../../kernel/database/columns.js';

/** A live container, and where it is; nulls if it was never seen. */
export type HeldContainer = { location_id: number | null; locating: string | null };

export async function findHeldContainer(
  tx: TransactionClient,
  orgId: number,
  containerId: number,
): Promise<HeldContainer | undefined> {
  const rows = await tx.$queryRaw<HeldContainer[]>`
    SELECT p.location_id, p.locating
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
  /** When the container last left the location at which the asset is; null if it was never there. */
  left_at: number | null;
};

/** Returns what is directly in a container, in the order of the ids. */
export async function findHeldContents(
  tx: TransactionClient,
  orgId: number,
  containerId: number,
): Promise<HeldContent[]> {
  return tx.$queryRaw<HeldContent[]>`
    WITH left_by AS MATERIALIZED (
      SELECT v.location_id, max(v.left_at) AS left_at
        FROM asset_visits v
       WHERE v.org_id = ${orgId} AND v.asset_id = ${containerId} AND v.left_at IS NOT NULL
       GROUP BY v.location_id
    )
    SELECT k.asset_id, p.location_id, ${epochMs('p.located_since')} AS since, p.locating, ${epochMs('l.left_at')} AS left_at,
           EXISTS (SELECT FROM asset_placements w
                    WHERE w.org_id = k.org_id AND w.asset_id = k.asset_id AND w.placed_at = p.located_since AND w.with_contents) AS with_contents
      FROM asset_containments k
      JOIN assets a ON a.org_id = k.org_id AND a.id = k.asset_id AND a.deleted_at IS NULL
      LEFT JOIN asset_positions p ON p.org_id = k.org_id AND p.asset_id = k.asset_id
      LEFT JOIN left_by l ON l.location_id = p.location_id
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
