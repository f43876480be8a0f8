import type { Database } from '../../kernel/database/client.js';
import { instant } from '../../kernel/database/columns.js';
import { beganByPlacement } from '../../kernel/database/placements.js';

/** Counting stops here. */
const visitsMax = 200_000;
const alertsMax = 10_000;

/** Figures of the last day and the day before. */
export type Trends = {
  /** Assets created in the last 24 hours that still exist. */
  assets_added: number;
  /** Assets deleted in the last 24 hours that were created earlier. */
  assets_removed: number;
  /** Assets that moved between the beginning of the user's previous day and 24 hours ago. */
  moved_yesterday: number;
  /** Alerts opened in the last 24 hours, and in the 24 hours before. */
  alerts_opened: number;
  alerts_opened_before: number;
};

/** Reads only the part of an index that covers the two days. */
export async function readTrends(db: Pick<Database, '$queryRaw'>, orgId: number, dayStartMs: number): Promise<Trends> {
  const dayStart = instant(dayStartMs);
  const [row] = await db.$queryRaw<[Trends]>`
    WITH yesterday AS (SELECT statement_timestamp() - interval '1 day' AS at)
    SELECT (SELECT count(*)
              FROM assets a
             WHERE a.org_id = ${orgId} AND a.deleted_at IS NULL AND a.created_at >= y.at)::float8 AS assets_added,
           (SELECT count(*)
              FROM assets a
             WHERE a.org_id = ${orgId} AND a.deleted_at >= y.at AND a.created_at < y.at)::float8 AS assets_removed,
           (SELECT count(DISTINCT v.asset_id)
              FROM (SELECT x.asset_id
                      FROM visits x
                     WHERE x.org_id = ${orgId} AND x.arrived_at >= ${dayStart} - interval '1 day' AND x.arrived_at < y.at
                       AND NOT ${beganByPlacement(orgId, 'x', 'arrived_at')}
                     LIMIT ${visitsMax}::int) v)::float8 AS moved_yesterday,
           latest.opened AS alerts_opened, latest.before AS alerts_opened_before
      FROM yesterday y
     CROSS JOIN LATERAL (
       SELECT (count(*) FILTER (WHERE n.opened_at >= y.at))::float8 AS opened,
              (count(*) FILTER (WHERE n.opened_at < y.at AND n.opened_at >= y.at - interval '1 day'))::float8 AS before
         FROM (SELECT a.opened_at
                 FROM alerts a
                WHERE a.org_id = ${orgId} AND a.in_app
                ORDER BY a.id DESC
                LIMIT ${alertsMax}::int) n) latest`;
  return row;
}
