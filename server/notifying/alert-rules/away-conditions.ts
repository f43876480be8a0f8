import { Prisma } from '../../../generated/prisma/client.js';
import { assetsOfPairs, awayPairs } from '../../kernel/database/away.js';
import type { Queries, TransactionClient } from '../../kernel/database/client.js';
import { currentInstant, epochMs, instant } from '../../kernel/database/columns.js';
import { type Candidate, type CheckWindow, isReportable, openAlerts, ofLiveActiveAsset } from './condition-queries.js';
import type { RuleRow } from './queries.js';

/** Returns the CTE `below (own_id, id)`: each location that assets belong to, with all below it. */
export function ownLocations(orgId: number): Prisma.Sql {
  return Prisma.sql`below AS (
    SELECT l.id AS own_id, l.id FROM locations l
     WHERE l.org_id = ${orgId}::int AND l.deleted_at IS NULL
       AND EXISTS (SELECT FROM assets a
                    WHERE a.org_id = ${orgId}::int AND a.belongs_to_id = l.id AND a.deleted_at IS NULL)
    UNION ALL
    SELECT b.own_id, c.id
      FROM below b JOIN locations c ON c.org_id = ${orgId}::int AND c.parent_id = b.id AND c.deleted_at IS NULL
  )`;
}

/**
 * Returns the assets that are away and left the location that they belong to within the window, wherever they have been since. For
 * an asset that was never there, the time at its present location counts.
 */
export async function findAway(
  tx: Queries,
  { rule, afterMs, untilMs, candidatesMax }: CheckWindow,
): Promise<Candidate[]> {
  const { org_id: orgId } = rule;
  return tx.$queryRaw<Candidate[]>`
    WITH RECURSIVE ${awayPairs(orgId)}, ${ownLocations(orgId)}
    SELECT c.asset_id, NULL::int AS reader_id, c.location_id, c.belongs_to_id, ${epochMs('c.since')} AS since,
           NULL::float8 AS value, ${isReportable(rule)} AS is_reportable
      FROM (SELECT ${orgId}::int AS org_id, p.asset_id, p.location_id, p.belongs_to_id,
                   coalesce(h.left_at, p.located_since) AS since
              FROM (${assetsOfPairs(orgId, Prisma.raw('away'))}) w
              JOIN asset_positions p ON p.org_id = ${orgId}::int AND p.asset_id = w.id
              LEFT JOIN LATERAL (
                SELECT v.left_at
                  FROM asset_visits v
                 WHERE v.org_id = ${orgId}::int AND v.asset_id = p.asset_id
                   AND v.location_id = ANY(ARRAY(SELECT b.id FROM below b WHERE b.own_id = p.belongs_to_id))
                 ORDER BY v.arrived_at DESC
                 LIMIT 1) h ON true
             WHERE coalesce(h.left_at, p.located_since) <= ${instant(untilMs)}
               AND coalesce(h.left_at, p.located_since) > coalesce(${instant(afterMs)}, '-infinity')
             ORDER BY 5
             FETCH FIRST (${candidatesMax}::int) ROWS WITH TIES) c
     ORDER BY c.since, c.asset_id`;
}

/** Ends the alerts of a rule about assets that are no longer away. */
export async function endAway(tx: TransactionClient, rule: RuleRow): Promise<void> {
  await tx.$executeRaw`
    WITH RECURSIVE ${awayPairs(rule.org_id)}
    UPDATE alerts a
       SET ended_at = ${currentInstant}
     WHERE ${openAlerts(rule)}
       AND (NOT EXISTS (SELECT FROM asset_positions p JOIN away w USING (belongs_to_id, location_id)
                         WHERE p.org_id = a.org_id AND p.asset_id = a.asset_id)
            OR NOT EXISTS (${ofLiveActiveAsset}))`;
}
