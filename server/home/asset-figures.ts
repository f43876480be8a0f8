import { Prisma } from '../../generated/prisma/client.js';
import type { Database } from '../database/client.js';
import { instant } from '../database/columns.js';
import { effectiveCount } from '../database/counts.js';

export type FiguresInput = { dayStartMs: number; unseenDays: number };

/** Counts of live assets in effect. */
export type AssetFigures = {
  total: number;
  /** Seen at least once, whenever that was. */
  seen: number;
  /** Came to the location where they are since the day began. */
  moved_today: number;
  /** Seen once, but not for so many days. */
  unseen_for_days: number;
};

/** The slot that an instant lies in, as `asset_positions.seen_slot` counts them. */
function slotOf(at: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`floor(date_part('epoch', ${at}) / 10)::int`;
}

/**
 * Positions are counted on indexes, whatever their assets are; those whose asset is deleted or outside its window, which are
 * few, are looked at one by one and taken off.
 */
export async function readAssetFigures(
  db: Pick<Database, '$queryRaw'>,
  orgId: number,
  { dayStartMs, unseenDays }: FiguresInput,
): Promise<AssetFigures> {
  const dayStart = instant(dayStartMs);
  const long = Prisma.sql`(statement_timestamp() - make_interval(days => ${unseenDays}::int))`;
  const [row] = await db.$queryRaw<[AssetFigures]>`
    WITH not_shown AS MATERIALIZED (
      SELECT a.is_deleted, p.located_since >= ${dayStart} AS has_moved, p.asset_last_seen < ${long} AS is_stale
        FROM (SELECT d.id, true AS is_deleted FROM assets d WHERE d.org_id = ${orgId} AND d.deleted_at IS NOT NULL
              UNION ALL
              SELECT w.id, false FROM assets w
               WHERE w.org_id = ${orgId} AND w.deleted_at IS NULL AND w.valid_from > statement_timestamp()
              UNION ALL
              SELECT w.id, false FROM assets w
               WHERE w.org_id = ${orgId} AND w.deleted_at IS NULL
                 AND w.valid_to <= statement_timestamp() AND w.valid_from <= statement_timestamp()) a
       CROSS JOIN LATERAL (
         SELECT r.located_since, r.asset_last_seen
           FROM asset_positions r
          WHERE r.org_id = ${orgId} AND r.asset_id = a.id
         OFFSET 0) p
    )
    SELECT ${effectiveCount({ kind: 'asset', orgId, includeDeleted: false, isActive: undefined })} AS total,
           ((SELECT coalesce(sum(n), 0) FROM row_counts WHERE org_id = ${orgId} AND kind = 'position' AND NOT is_deleted)
             - (SELECT count(*) FROM not_shown WHERE NOT is_deleted))::float8 AS seen,
           ((SELECT count(*) FROM asset_positions p WHERE p.org_id = ${orgId} AND p.located_since >= ${dayStart})
             - (SELECT count(*) FROM not_shown WHERE has_moved))::float8 AS moved_today,
           ((SELECT count(*) FROM asset_positions p WHERE p.org_id = ${orgId} AND p.seen_slot < ${slotOf(long)})
             + (SELECT count(*) FROM asset_positions p
                 WHERE p.org_id = ${orgId} AND p.seen_slot = ${slotOf(long)} AND p.asset_last_seen < ${long})
             - (SELECT count(*) FROM not_shown WHERE is_stale))::float8 AS unseen_for_days`;
  return row;
}
