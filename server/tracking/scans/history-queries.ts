import { defineStatement, type StatementRunner } from '../../kernel/database/statement.js';
import type { KnownEvent, LoggedEvent } from './event-log.js';

/** A time range of an asset's history to look up, in epoch milliseconds. */
export type HistorySpan = { orgId: number; assetId: number; fromMs: number; untilMs: number };

const at = (column: string) => `to_timestamp(${column} / 1000)`;

const historyStatement = defineStatement<readonly HistorySpan[], HistoryRow>(
  'read_history',
  ({ rows }) => `
    SELECT g.asset_id, round(date_part('epoch', e.at) * 1000) AS at, e.location_id, bool_or(e.is_after_known) AS is_after_known
      FROM ${rows('g', (spans) => spans, {
        org_id: ['int', ({ orgId }) => orgId],
        asset_id: ['int', ({ assetId }) => assetId],
        since: ['float8', ({ fromMs }) => fromMs],
        until: ['float8', ({ untilMs }) => untilMs],
      })}
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
     ORDER BY g.asset_id, e.at`,
);

type HistoryRow = { asset_id: number; at: number; location_id: number | null; is_after_known: boolean };

/**
 * Returns the events of assets in some ranges, each range with the preceding and the following event, by asset, oldest
 * first.
 */
export async function readHistory(
  runner: StatementRunner,
  spans: readonly HistorySpan[],
): Promise<Map<number, KnownEvent[]>> {
  const histories = new Map<number, KnownEvent[]>();
  if (spans.length === 0) return histories;
  const rows = await runner.run(historyStatement, spans);
  for (const row of rows) {
    const event = { atMs: row.at, location: row.location_id ?? 0, isAfterKnown: row.is_after_known };
    const history = histories.get(row.asset_id);
    if (history) history.push(event);
    else histories.set(row.asset_id, [event]);
  }
  return histories;
}

type AssetKey = { orgId: number; assetId: number };

const newestVisitStatement = defineStatement<readonly AssetKey[], { asset_id: number; at: number }>(
  'read_newest_visits',
  ({ rows }) => `
    SELECT c.asset_id, round(date_part('epoch', v.arrived_at) * 1000) AS at
      FROM ${rows('c', (assets) => assets, {
        org_id: ['int', ({ orgId }) => orgId],
        asset_id: ['int', ({ assetId }) => assetId],
      })}
     CROSS JOIN LATERAL (
       SELECT n.arrived_at
         FROM asset_visits n
        WHERE n.org_id = c.org_id AND n.asset_id = c.asset_id
        ORDER BY n.arrived_at DESC
        LIMIT 1
     ) v`,
);

/** Returns when the newest visit of each asset began, in epoch milliseconds. */
export async function readNewestVisits(
  runner: StatementRunner,
  assets: readonly AssetKey[],
): Promise<Map<number, number>> {
  if (assets.length === 0) return new Map();
  const rows = await runner.run(newestVisitStatement, assets);
  return new Map(rows.map((row) => [row.asset_id, row.at]));
}

/** Visits of an asset that begin or no longer begin, because an event was inserted into its history. */
export type VisitCorrection = {
  orgId: number;
  assetId: number;
  added: readonly LoggedEvent[];
  removed: readonly number[];
};

type VisitKey = { orgId: number; assetId: number; atMs: number };

type ChangedVisits = { added: readonly (VisitKey & { location: number })[]; removed: readonly VisitKey[] };

const keyColumns = {
  org_id: ['int', ({ orgId }: VisitKey) => orgId],
  asset_id: ['int', ({ assetId }: VisitKey) => assetId],
  at: ['float8', ({ atMs }: VisitKey) => atMs],
} as const;

const replaceStatement = defineStatement<ChangedVisits>(
  'replace_visits',
  ({ rows }) => `
    WITH removed AS (
      DELETE FROM asset_visits v
       USING ${rows('c', ({ removed }) => removed, keyColumns)}
       WHERE v.org_id = c.org_id AND v.asset_id = c.asset_id AND v.arrived_at = ${at('c.at')}
    )
    INSERT INTO asset_visits AS v (org_id, asset_id, arrived_at, location_id)
    SELECT c.org_id, c.asset_id, ${at('c.at')}, nullif(c.location_id, 0)
      FROM ${rows('c', ({ added }) => added, { ...keyColumns, location_id: ['int', ({ location }) => location] })}
    ON CONFLICT (org_id, asset_id, arrived_at) DO UPDATE SET location_id = EXCLUDED.location_id`,
);

/** Each visit that was added, and each visit before a change, ends when the next visit begins. */
const endStatement = defineStatement<ChangedVisits>(
  'end_visits',
  ({ rows }) => `
    UPDATE asset_visits v
       SET left_at = following.arrived_at,
           last_seen_at = CASE WHEN following.arrived_at IS NOT NULL THEN seen.at END
      FROM (SELECT DISTINCT t.org_id, t.asset_id, t.arrived_at
              FROM ${rows('c', ({ added, removed }) => [...added, ...removed], keyColumns)}
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
     WHERE v.org_id = touched.org_id AND v.asset_id = touched.asset_id AND v.arrived_at = touched.arrived_at`,
);

/** Deletes open visits that the positions of their assets are. */
const foldStatement = defineStatement<readonly AssetKey[]>(
  'fold_open_visits',
  ({ rows }) => `
    DELETE FROM asset_visits v
     USING ${rows('c', (assets) => assets, {
       org_id: ['int', ({ orgId }) => orgId],
       asset_id: ['int', ({ assetId }) => assetId],
     })}, asset_positions p
     WHERE p.org_id = c.org_id AND p.asset_id = c.asset_id
       AND v.org_id = c.org_id AND v.asset_id = c.asset_id AND v.arrived_at = p.located_since
       AND v.left_at IS NULL AND v.location_id IS NOT DISTINCT FROM p.location_id`,
);

/**
 * Corrects visits after events were inserted between others: which visits exist, and when each ended. The open visits of
 * the assets have been stored for it; those that their positions are do not stay.
 */
export async function correctVisits(runner: StatementRunner, corrections: readonly VisitCorrection[]): Promise<void> {
  const changed: ChangedVisits = {
    added: corrections.flatMap(({ orgId, assetId, added }) =>
      added.map(({ atMs, location }) => ({ orgId, assetId, atMs, location })),
    ),
    removed: corrections.flatMap(({ orgId, assetId, removed }) => removed.map((atMs) => ({ orgId, assetId, atMs }))),
  };
  await runner.run(replaceStatement, changed);
  await runner.run(endStatement, changed);
  await runner.run(foldStatement, corrections);
}
