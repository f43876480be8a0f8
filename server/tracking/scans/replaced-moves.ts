import { defineStatement, type StatementRunner } from '../../kernel/database/statement.js';
import type { Judgment } from '../../locating/index.js';
import { replaceMs } from '../../locating/constants.js';
import type { AssetState, LocationId } from '../../locating/types.js';
import type { AssetTrack } from './asset-track.js';
import { addMove } from './moves.js';

/** Returns until when a further move can replace the move that led to this state; null if it cannot be replaced. */
export function heldUntilMs({ movedFrom, decidedMs }: AssetState): number | null {
  return movedFrom === 0 ? null : decidedMs + replaceMs;
}

/**
 * Replaces the last move of an asset, whether it is in this batch or stored: the asset moved to another location at
 * that time, or did not move at all.
 *
 * @returns whether it could be replaced; it cannot if late reads have changed what followed it
 */
export function replaceMove(track: AssetTrack, { from, judgment }: { from: LocationId; judgment: Judgment }): boolean {
  const { moves, position } = track;
  const to = judgment.location;
  const last = moves?.at(-1);
  if (moves && last) {
    const isBack = last.replacesMs === null && to === last.from;
    relabel(track, { was: last.to, to, fromMs: last.seenAtMs });
    last.to = to;
    if (last.replacesMs !== null && position) track.position = { ...position, location: to, lastEventLocation: to };
    if (!isBack) return true;
    moves.pop();
    track.movedAtMs = moves.at(-1)?.atMs ?? null;
    return true;
  }
  if (!position || track.movedAtMs !== null || track.isPastRewritten) return false;
  const { sinceMs, lastEventMs, lastEventLocation } = position;
  if (position.location !== from || lastEventLocation !== from || lastEventMs === null || lastEventMs < sinceMs)
    return false;
  track.replaced = { wasLocation: from, sinceMs };
  track.position = { ...position, location: to, lastEventLocation: to };
  relabel(track, { was: from, to, fromMs: sinceMs });
  addMove(track, {
    ...{ from, to, decidedBy: judgment.state.decidedBy, replacesMs: sinceMs, heldUntilMs: heldUntilMs(judgment.state) },
    ...{ beganAtMs: null, seenAtMs: sinceMs, atMs: sinceMs },
  });
  return true;
}

/** Gives another location to everything that the batch has recorded at a location since an instant. */
function relabel(
  { sightings, lateSightings }: AssetTrack,
  { was, to, fromMs }: { was: LocationId; to: LocationId; fromMs: number },
): void {
  for (const sighting of [...sightings, ...(lateSightings ?? [])]) {
    if (sighting.location === was && sighting.atMs >= fromMs) sighting.location = to;
  }
}

type Rewrite = { orgId: number; assetId: number; sinceMs: number; was: LocationId; to: LocationId };

/**
 * If the asset is back at its previous location, the previous visit continues; otherwise the visit gets another
 * location.
 */
const rewriteStatement = defineStatement<readonly Rewrite[], { asset_id: number; since: number }>(
  'rewrite_moves',
  ({ rows }) => `
    WITH c AS MATERIALIZED (
      SELECT r.org_id, r.asset_id, r.since, nullif(r.was, 0) AS was, nullif(r.location_id, 0) AS location_id,
             before.arrived_at AS continued
        FROM (SELECT r.*, to_timestamp(r.at / 1000) AS since
                FROM ${rows('r', (rewrites) => rewrites, {
                  org_id: ['int', ({ orgId }) => orgId],
                  asset_id: ['int', ({ assetId }) => assetId],
                  at: ['float8', ({ sinceMs }) => sinceMs],
                  was: ['int', ({ was }) => was],
                  location_id: ['int', ({ to }) => to],
                })}) r
        LEFT JOIN LATERAL (
          SELECT b.arrived_at, b.left_at, b.location_id
            FROM asset_visits b
           WHERE b.org_id = r.org_id AND b.asset_id = r.asset_id AND b.arrived_at < r.since
           ORDER BY b.arrived_at DESC
           LIMIT 1
        ) before ON before.left_at = r.since AND before.location_id IS NOT DISTINCT FROM nullif(r.location_id, 0)
    ), event AS (
      UPDATE scan_events e
         SET location_id = c.location_id
        FROM c
       WHERE e.org_id = c.org_id AND e.asset_id = c.asset_id AND e.event_observed_at >= c.since
         AND e.location_id IS NOT DISTINCT FROM c.was
    ), renamed AS (
      UPDATE asset_visits v
         SET location_id = c.location_id
        FROM c
       WHERE v.org_id = c.org_id AND v.asset_id = c.asset_id AND v.arrived_at = c.since AND c.continued IS NULL
    ), removed AS (
      DELETE FROM asset_visits v
       USING c
       WHERE v.org_id = c.org_id AND v.asset_id = c.asset_id AND v.arrived_at = c.since AND c.continued IS NOT NULL
    ), continued AS (
      UPDATE asset_visits v
         SET left_at = NULL, last_seen_at = NULL
        FROM c
       WHERE v.org_id = c.org_id AND v.asset_id = c.asset_id AND v.arrived_at = c.continued
    )
    SELECT c.asset_id, round(date_part('epoch', coalesce(c.continued, c.since)) * 1000) AS since FROM c`,
);

/**
 * Rewrites events and visits of moves that were replaced, and updates since when their assets are at their present
 * location.
 */
export async function rewriteReplacedMoves(runner: StatementRunner, tracks: readonly AssetTrack[]): Promise<void> {
  const rewrites = tracks.flatMap(({ orgId, assetId, position, replaced }) =>
    position && replaced
      ? [{ orgId, assetId, sinceMs: replaced.sinceMs, was: replaced.wasLocation, to: position.location }]
      : [],
  );
  if (rewrites.length === 0) return;
  const rows = await runner.run(rewriteStatement, rewrites);
  const since = new Map(rows.map((row) => [row.asset_id, row.since]));
  for (const track of tracks) {
    const sinceMs = since.get(track.assetId);
    if (track.position && sinceMs !== undefined) track.position = { ...track.position, sinceMs };
  }
}
