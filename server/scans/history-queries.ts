import { Prisma } from '../../generated/prisma/client.js';
import { numbers } from '../database/array-literals.js';
import { epochMs } from '../database/columns.js';
import type { Queryable } from './batch-queries.js';
import type { KnownEvent, LoggedEvent } from './event-log.js';

/** A stretch of an asset's history that is asked for, in epoch milliseconds. */
export type HistorySpan = { orgId: number; assetId: number; fromMs: number; untilMs: number };

const at = (column: string) => Prisma.raw(`to_timestamp(${column} / 1000)`);

/**
 * The events of assets in some spans, each with the one next before it and the one next after it, by asset and in the order of
 * time.
 */
export async function readHistory(tx: Queryable, spans: readonly HistorySpan[]): Promise<Map<number, KnownEvent[]>> {
  const rows = await tx.$queryRaw<
    { asset_id: number; at: number; location_id: number | null; is_after_known: boolean }[]
  >`
    SELECT g.asset_id, ${epochMs('e.at')} AS at, e.location_id, bool_or(e.is_after_known) AS is_after_known
      FROM unnest(
        ${numbers(spans.map(({ orgId }) => orgId))}::int[], ${numbers(spans.map(({ assetId }) => assetId))}::int[],
        ${numbers(spans.map(({ fromMs }) => fromMs))}::float8[], ${numbers(spans.map(({ untilMs }) => untilMs))}::float8[]
      ) AS g (org_id, asset_id, since, until)
     CROSS JOIN LATERAL (
       (SELECT v.event_observed_at AS at, v.location_id, false AS is_after_known
          FROM scan_events v
         WHERE v.org_id = g.org_id AND v.asset_id = g.asset_id AND v.event_observed_at < ${at('g.since')}
         ORDER BY v.event_observed_at DESC
         LIMIT 1)
       UNION ALL
       (SELECT v.event_observed_at, v.location_id, true
          FROM scan_events v
         WHERE v.org_id = g.org_id AND v.asset_id = g.asset_id
           AND v.event_observed_at >= ${at('g.since')} AND v.event_observed_at <= ${at('g.until')})
       UNION ALL
       (SELECT v.event_observed_at, v.location_id, true
          FROM scan_events v
         WHERE v.org_id = g.org_id AND v.asset_id = g.asset_id AND v.event_observed_at > ${at('g.until')}
         ORDER BY v.event_observed_at
         LIMIT 1)
     ) e
     GROUP BY g.asset_id, e.at, e.location_id
     ORDER BY g.asset_id, e.at`;
  const histories = new Map<number, KnownEvent[]>();
  for (const row of rows) {
    const event = { atMs: row.at, location: row.location_id ?? 0, isAfterKnown: row.is_after_known };
    const history = histories.get(row.asset_id);
    if (history) history.push(event);
    else histories.set(row.asset_id, [event]);
  }
  return histories;
}

/** Visits of an asset that begin, and begin no longer, since an event was put into its history. */
export type VisitCorrection = {
  orgId: number;
  assetId: number;
  added: readonly LoggedEvent[];
  removed: readonly number[];
};

/** Puts visits right after events have been put amid those of assets: which there are, and when each ended. */
export async function correctVisits(tx: Queryable, corrections: readonly VisitCorrection[]): Promise<void> {
  const added = corrections.flatMap(({ orgId, assetId, added: arrivals }) =>
    arrivals.map(({ atMs, location }) => ({ orgId, assetId, atMs, location })),
  );
  const removed = corrections.flatMap(({ orgId, assetId, removed: arrivals }) =>
    arrivals.map((atMs) => ({ orgId, assetId, atMs })),
  );
  const keys = (rows: readonly { orgId: number; assetId: number; atMs: number }[]) => Prisma.sql`
    unnest(
      ${numbers(rows.map(({ orgId }) => orgId))}::int[], ${numbers(rows.map(({ assetId }) => assetId))}::int[],
      ${numbers(rows.map(({ atMs }) => atMs))}::float8[])`;
  await tx.$queryRaw`
    WITH removed AS (
      DELETE FROM asset_visits v
       USING ${keys(removed)} AS c (org_id, asset_id, at)
       WHERE v.org_id = c.org_id AND v.asset_id = c.asset_id AND v.arrived_at = ${at('c.at')}
    )
    INSERT INTO asset_visits AS v (org_id, asset_id, arrived_at, location_id)
    SELECT c.org_id, c.asset_id, ${at('c.at')}, nullif(l.location_id, 0)
      FROM ${keys(added)} WITH ORDINALITY AS c (org_id, asset_id, at, no)
      JOIN unnest(${numbers(added.map(({ location }) => location))}::int[]) WITH ORDINALITY AS l (location_id, no) USING (no)
    ON CONFLICT (org_id, asset_id, arrived_at) DO UPDATE SET location_id = EXCLUDED.location_id`;
  // Each visit that began, and each one next before what changed, ends where the next one begins.
  await tx.$queryRaw`
    UPDATE asset_visits v
       SET left_at = following.arrived_at,
           last_seen_at = CASE WHEN following.arrived_at IS NOT NULL THEN seen.at END
      FROM (SELECT DISTINCT t.org_id, t.asset_id, t.arrived_at
              FROM ${keys([...added, ...removed])} AS c (org_id, asset_id, at)
             CROSS JOIN LATERAL (
               (SELECT b.org_id, b.asset_id, b.arrived_at
                  FROM asset_visits b
                 WHERE b.org_id = c.org_id AND b.asset_id = c.asset_id AND b.arrived_at < ${at('c.at')}
                 ORDER BY b.arrived_at DESC
                 LIMIT 1)
               UNION ALL
               (SELECT b.org_id, b.asset_id, b.arrived_at
                  FROM asset_visits b
                 WHERE b.org_id = c.org_id AND b.asset_id = c.asset_id AND b.arrived_at = ${at('c.at')})
             ) t) touched
      LEFT JOIN LATERAL (
        SELECT n.arrived_at
          FROM asset_visits n
         WHERE n.org_id = touched.org_id AND n.asset_id = touched.asset_id AND n.arrived_at > touched.arrived_at
         ORDER BY n.arrived_at
         LIMIT 1
      ) following ON true
      LEFT JOIN LATERAL (
        SELECT e.event_observed_at AS at
          FROM scan_events e
         WHERE e.org_id = touched.org_id AND e.asset_id = touched.asset_id
           AND e.event_observed_at >= touched.arrived_at AND e.event_observed_at < following.arrived_at
         ORDER BY e.event_observed_at DESC
         LIMIT 1
      ) seen ON true
     WHERE v.org_id = touched.org_id AND v.asset_id = touched.asset_id AND v.arrived_at = touched.arrived_at`;
}
