import { Prisma } from '../../../generated/prisma/client.js';
import type { Database } from '../../kernel/database/client.js';
import { instant } from '../../kernel/database/columns.js';
import { effectiveCount, positionCount, positionsOutsideWindow } from '../../kernel/database/counts.js';
import { listedBeforeSeenSince, shown } from '../../kernel/database/position-order.js';

export type FiguresInput = { dayStartMs: number; unseenDays: number };

/** Counts of live effective assets. */
export type AssetFigures = {
  total: number;
  /** Assets that were seen at least once. */
  seen: number;
  /** Assets that came to their present location since the day began. */
  moved_today: number;
  /** Seen in the last 24 hours. */
  seen_24h: number;
  /** Last seen in the 24 hours before the last 24 hours. */
  seen_day_before: number;
  /** Assets that were not seen for the requested number of days, or never. */
  unseen_for_days: number;
};

/**
 * Counts positions by indexes. The few positions whose asset is outside its window are read one by one and subtracted.
 */
export async function readAssetFigures(
  db: Pick<Database, '$queryRaw'>,
  orgId: number,
  { dayStartMs, unseenDays }: FiguresInput,
): Promise<AssetFigures> {
  const ago = (days: number) => Prisma.sql`(statement_timestamp() - make_interval(days => ${days}::int))`;
  const movedToday = Prisma.sql`located_since >= ${instant(dayStartMs)}`;
  const [hoursAgo24, hoursAgo48, longAgo] = [ago(1), ago(2), ago(unseenDays)];
  const positions = (condition: Prisma.Sql) => Prisma.sql`
    (SELECT count(*) FROM asset_positions p
      WHERE p.org_id = ${orgId} AND p.hidden_by = ${Prisma.raw(String(shown))} AND ${condition})`;
  /** The positions that are listed before an instant, but were seen after it. */
  const later = (at: Prisma.Sql) => positions(listedBeforeSeenSince(at));
  const count = (counted: Prisma.Sql, condition: Prisma.Sql) => Prisma.sql`
    (${counted} - (SELECT count(*) FROM outside WHERE ${condition}))::float8`;
  const [row] = await db.$queryRaw<[AssetFigures]>`
    WITH ${positionsOutsideWindow(orgId, { includeDeleted: false })}
    SELECT ${effectiveCount(orgId, { kind: 'asset', includeDeleted: false, isActive: undefined })} AS total,
           ${positionCount(orgId, { includeDeleted: false })} AS seen,
           ${count(positions(movedToday), movedToday)} AS moved_today,
           ${count(
             Prisma.sql`${positions(Prisma.sql`p.listed_at >= ${hoursAgo24}`)} + ${later(hoursAgo24)}`,
             Prisma.sql`asset_last_seen >= ${hoursAgo24}`,
           )} AS seen_24h,
           ${count(
             Prisma.sql`${positions(Prisma.sql`p.listed_at >= ${hoursAgo48} AND p.listed_at < ${hoursAgo24}`)}
               + ${later(hoursAgo48)} - ${later(hoursAgo24)}`,
             Prisma.sql`asset_last_seen >= ${hoursAgo48} AND asset_last_seen < ${hoursAgo24}`,
           )} AS seen_day_before,
           ${count(
             Prisma.sql`${positions(Prisma.sql`p.listed_at < ${longAgo}`)} - ${later(longAgo)}`,
             Prisma.sql`asset_last_seen < ${longAgo}`,
           )} AS unseen_for_days`;
  return { ...row, unseen_for_days: row.unseen_for_days + row.total - row.seen };
}
