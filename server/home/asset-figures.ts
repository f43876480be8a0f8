import { Prisma } from '../../generated/prisma/client.js';
import type { Database } from '../database/client.js';
import { instant } from '../database/columns.js';
import { assetsNotShown, effectiveCount } from '../database/counts.js';
import { positionSeenBefore, slotOf } from '../database/position-order.js';

export type FiguresInput = { dayStartMs: number; unseenDays: number };

/** Counts of live effective assets. */
export type AssetFigures = {
  total: number;
  /** Assets that were seen at least once. */
  seen: number;
  /** Assets that came to their present location since the day began. */
  moved_today: number;
  /** Seen in the last 24 hours, to ten seconds. */
  seen_24h: number;
  /** Last seen in the 24 hours before those. */
  seen_day_before: number;
  /** Assets that were not seen for this number of days, or never. */
  unseen_for_days: number;
};

/**
 * Counts listings by indexes, without reading their assets; the few whose asset is deleted or outside its window are read
 * one by one and subtracted.
 */
export async function readAssetFigures(
  db: Pick<Database, '$queryRaw'>,
  orgId: number,
  { dayStartMs, unseenDays }: FiguresInput,
): Promise<AssetFigures> {
  const dayStart = instant(dayStartMs);
  // The slot of this instant is compared as a range. If the statistics are from a time when all assets were in one
  // slot, the planner expects any equality to match the whole table, and would read all of it.
  const long = Prisma.sql`(statement_timestamp() - make_interval(days => ${unseenDays}::int))`;
  const daySlot = slotOf(Prisma.sql`(statement_timestamp() - interval '1 day')`);
  const dayBeforeSlot = slotOf(Prisma.sql`(statement_timestamp() - interval '2 days')`);
  const [row] = await db.$queryRaw<[AssetFigures]>`
    WITH not_shown AS MATERIALIZED (
      SELECT a.is_deleted, p.located_since >= ${dayStart} AS has_moved, p.asset_last_seen < ${long} AS is_stale,
             ${slotOf(Prisma.sql`p.asset_last_seen`)} AS slot
        FROM (${assetsNotShown(orgId, 'all')}) a
       CROSS JOIN LATERAL (
         SELECT r.located_since, r.asset_last_seen
           FROM asset_positions r
          WHERE r.org_id = ${orgId} AND r.asset_id = a.id
         OFFSET 0) p
    )
    SELECT ${effectiveCount({ kind: 'asset', orgId, includeDeleted: false, isActive: undefined })} AS total,
           ((SELECT coalesce(sum(n), 0) FROM row_counts WHERE org_id = ${orgId} AND kind = 'position' AND NOT is_deleted)
             - (SELECT count(*) FROM not_shown WHERE NOT is_deleted))::float8 AS seen,
           ((SELECT count(*) FROM position_listings s WHERE s.org_id = ${orgId} AND s.located_since >= ${dayStart})
             - (SELECT count(*) FROM not_shown WHERE has_moved))::float8 AS moved_today,
           ((SELECT count(*) FROM position_listings s WHERE s.org_id = ${orgId} AND s.seen_slot >= ${daySlot})
             - (SELECT count(*) FROM not_shown WHERE slot >= ${daySlot}))::float8 AS seen_24h,
           ((SELECT count(*)
               FROM position_listings s
              WHERE s.org_id = ${orgId} AND s.seen_slot >= ${dayBeforeSlot} AND s.seen_slot < ${daySlot})
             - (SELECT count(*) FROM not_shown WHERE slot >= ${dayBeforeSlot} AND slot < ${daySlot}))::float8 AS seen_day_before,
           ((SELECT count(*) FROM position_listings s WHERE s.org_id = ${orgId} AND s.seen_slot < ${slotOf(long)})
             + (SELECT count(*) FROM position_listings s
                 WHERE s.org_id = ${orgId} AND s.seen_slot BETWEEN ${slotOf(long)} AND ${slotOf(long)}
                   AND ${positionSeenBefore('s', long)})
             - (SELECT count(*) FROM not_shown WHERE is_stale))::float8 AS unseen_for_days`;
  return { ...row, unseen_for_days: row.unseen_for_days + row.total - row.seen };
}
