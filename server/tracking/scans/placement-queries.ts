import type { Queries } from '../../kernel/database/client.js';
import { instant } from '../../kernel/database/columns.js';
import { sightingOf } from '../../kernel/database/placements.js';

type Recorded = {
  assetIds: readonly number[];
  atMs: number;
  userId: number | null;
  placement: { fileName: string | null };
};

/** Records who places assets without a scan, before their positions change. */
export async function recordPlacements(
  tx: Queries,
  orgId: number,
  { assetIds, atMs, userId, placement }: Recorded,
): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO asset_placements (org_id, asset_id, placed_at, seen_before, placed_by, file_name)
    SELECT ${orgId}::int, g.asset_id, ${instant(atMs)}, ${sightingOf(orgId, 'p')}, ${userId}::int, ${placement.fileName}::text
      FROM unnest(${[...assetIds]}::int[]) AS g (asset_id)
      LEFT JOIN asset_positions p ON p.org_id = ${orgId} AND p.asset_id = g.asset_id
    ON CONFLICT DO NOTHING`;
}

const deletedAtOnceMax = 2000;

/** Deletes placements from before the retention of events that are neither the last word nor the beginning of a known visit. */
export async function removeOldPlacements(db: Queries, retentionDays: number): Promise<void> {
  for (let removed = deletedAtOnceMax; removed === deletedAtOnceMax; ) {
    removed = await db.$executeRaw`
      DELETE FROM asset_placements d
       USING (
         SELECT w.org_id, w.asset_id, w.placed_at
           FROM asset_placements w
          WHERE w.placed_at < now() - make_interval(days => ${retentionDays}::int)
            AND NOT EXISTS (SELECT FROM asset_positions p
                             WHERE p.org_id = w.org_id AND p.asset_id = w.asset_id AND p.asset_last_seen = w.placed_at)
            AND NOT EXISTS (SELECT FROM visits v
                             WHERE v.org_id = w.org_id AND v.asset_id = w.asset_id AND v.arrived_at = w.placed_at)
          LIMIT ${deletedAtOnceMax}::int
            FOR UPDATE SKIP LOCKED
       ) old
       WHERE d.org_id = old.org_id AND d.asset_id = old.asset_id AND d.placed_at = old.placed_at`;
  }
}
