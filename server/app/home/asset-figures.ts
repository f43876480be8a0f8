import { Prisma } from '../../../generated/prisma/client.js';
import type { Database } from '../../kernel/database/client.js';
import { instant } from '../../kernel/database/columns.js';
import { effectiveCount, isInsideWindow, positionCount, positionsOutsideWindow } from '../../kernel/database/counts.js';
import { lastWords } from '../../kernel/database/placements.js';
import { listedBeforeSeenSince, shown } from '../../kernel/database/position-order.js';

export type FiguresInput = { dayStartMs: number; unseenDays: number };

/** Counts of live effective assets. */
export type AssetFigures = {
  total: number;
  /** Assets that were seen at least once, not only placed. */
  seen: number;
  /** Assets that were seen to come to their present location since the day began. */
  moved_today: number;
  /** Seen in the last 24 hours. */
  seen_24h: number;
  /** Last seen in the 24 hours before the last 24 hours. */
  seen_day_before: number;
  /** Assets that were not seen for the requested number of days, or never. */
  unseen_for_days: number;
};

/**
 * Counts positions by indexes. Those whose asset is outside its window, and those whose asset was placed, not seen, are read one
 * by one and subtracted.
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
  /** The same, by when assets were really seen. */
  const seen = (counted: Prisma.Sql, condition: (at: string) => Prisma.Sql) => {
    const [before, word] = [condition('seen_before'), condition('asset_last_seen')];
    return Prisma.sql`
    (${count(counted, word)} + (SELECT count(*) FILTER (WHERE ${before}) - count(*) FILTER (WHERE ${word}) FROM placed))`;
  };
  const since = (at: Prisma.Sql) => (column: string) => Prisma.sql`${Prisma.raw(column)} >= ${at}`;
  const shownPosition = Prisma.sql`p.hidden_by = ${Prisma.raw(String(shown))} AND ${isInsideWindow}`;
  const [row] = await db.$queryRaw<[AssetFigures]>`
    WITH ${positionsOutsideWindow(orgId, { includeDeleted: false })}, placed AS MATERIALIZED (
      SELECT p.asset_last_seen, w.seen_before FROM ${lastWords(orgId)} AND ${shownPosition}
    )
    SELECT ${effectiveCount(orgId, { kind: 'asset', includeDeleted: false, isActive: undefined })} AS total,
           ${positionCount(orgId, { includeDeleted: false })}
             - (SELECT count(*) FROM placed WHERE seen_before IS NULL) AS seen,
           ${count(positions(movedToday), movedToday)} - (
             SELECT count(*)
               FROM asset_placements w
               JOIN asset_positions p ON p.org_id = w.org_id AND p.asset_id = w.asset_id AND p.located_since = w.placed_at
              WHERE w.org_id = ${orgId} AND w.placed_at >= ${instant(dayStartMs)} AND ${shownPosition}) AS moved_today,
           ${seen(
             Prisma.sql`${positions(Prisma.sql`p.listed_at >= ${hoursAgo24}`)} + ${later(hoursAgo24)}`,
             since(hoursAgo24),
           )} AS seen_24h,
           ${seen(
             Prisma.sql`${positions(Prisma.sql`p.listed_at >= ${hoursAgo48} AND p.listed_at < ${hoursAgo24}`)}
               + ${later(hoursAgo48)} - ${later(hoursAgo24)}`,
             (at) => Prisma.sql`${since(hoursAgo48)(at)} AND NOT ${since(hoursAgo24)(at)}`,
           )} AS seen_day_before,
           ${seen(
             Prisma.sql`${positions(Prisma.sql`p.listed_at < ${longAgo}`)} - ${later(longAgo)}`,
             (at) => Prisma.sql`${Prisma.raw(at)} < ${longAgo}`,
           )} AS unseen_for_days`;
  return { ...row, unseen_for_days: row.unseen_for_days + row.total - row.seen };
}
