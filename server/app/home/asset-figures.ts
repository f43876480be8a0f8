import { Prisma } from '../../../generated/prisma/client.js';
import type { Database } from '../../kernel/database/client.js';
import { instant } from '../../kernel/database/columns.js';
import { effectiveCount, positionCount, positionsOutsideWindow } from '../../kernel/database/counts.js';
import { shown } from '../../kernel/database/position-order.js';

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
  const count = (condition: Prisma.Sql) => Prisma.sql`
    ((SELECT count(*) FROM asset_positions
       WHERE org_id = ${orgId} AND hidden_by = ${Prisma.raw(String(shown))} AND ${condition})
     - (SELECT count(*) FROM outside WHERE ${condition}))::float8`;
  const [row] = await db.$queryRaw<[AssetFigures]>`
    WITH ${positionsOutsideWindow(orgId, { includeDeleted: false })}
    SELECT ${effectiveCount(orgId, { kind: 'asset', includeDeleted: false, isActive: undefined })} AS total,
           ${positionCount(orgId, { includeDeleted: false })} AS seen,
           ${count(Prisma.sql`located_since >= ${instant(dayStartMs)}`)} AS moved_today,
           ${count(Prisma.sql`asset_last_seen >= ${ago(1)}`)} AS seen_24h,
           ${count(Prisma.sql`asset_last_seen >= ${ago(2)} AND asset_last_seen < ${ago(1)}`)} AS seen_day_before,
           ${count(Prisma.sql`asset_last_seen < ${ago(unseenDays)}`)} AS unseen_for_days`;
  return { ...row, unseen_for_days: row.unseen_for_days + row.total - row.seen };
}
