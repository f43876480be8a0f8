import { z } from 'zod';
import { fieldRefusal } from '../../kernel/errors.js';
import { requireLocation } from '../../things/locations/procedure.js';
import { formatTimestamp, type Stored } from '../../kernel/time.js';
import { sessionProcedure } from '../../trpc.js';
import { idParameter, integerParameter, timestampParameter } from '../../kernel/validation/parameters.js';
import { Prisma } from '../../../generated/prisma/client.js';
import { epochMs, instant } from '../../kernel/database/columns.js';
import type { Queries } from '../../kernel/database/client.js';
import { always, subtreeOf, namedRow } from '../../things/locations/tree.js';
import { keptInstant } from './instant.js';

/** Moves that are read for one page, whether they concern the location or not. */
const examinedMax = 5000;

/** A location that an asset came from or went to. */
type End = { id: number; name: string };

/** An asset that came to a location, or was read where no location is known. */
export type Move = {
  at: string;
  asset: { id: number; name: string; external_key: string };
  /** Null if the asset was at no known location before, or was never seen. */
  from: End | null;
  to: End | null;
};

/** `is_wanted` is whether the move concerns the requested location. */
type MoveRow = Stored<Move, 'at'> & { is_wanted: boolean };

/** A page of moves, oldest first. `next` is the `after` of the next page; null at the end. */
export type MovePage = { data: Move[]; next: { at: string; asset_id: number } | null };

const input = z.strictObject({
  from: timestampParameter(),
  until: timestampParameter(),
  location_id: idParameter().exactOptional(),
  limit: integerParameter({ min: 1, max: 1000 }).default(500),
  after: z.strictObject({ at: timestampParameter(), asset_id: idParameter() }).exactOptional(),
});

/**
 * Lists the moves of assets with `from <= at < until`, oldest first; with a location, only moves into, out of and
 * within it and its sublocations. A page can be empty although there are more: it ends after 5,000 examined moves.
 *
 * @throws ContractError `validation_error` for a range that is empty or begins before the retention of visits
 */
export const listMovesInRange = sessionProcedure('viewer')
  .input(input)
  .query(async ({ ctx, input: { from, until, location_id, limit, after } }): Promise<MovePage> => {
    const { db, settings } = ctx.services;
    if (until <= from) {
      throw fieldRefusal('until', 'not_after_from');
    }
    const now = { nowMs: Date.now(), retentionDays: settings.eventRetentionDays };
    const fromMs = keptInstant(from, { field: 'from', ...now });
    const locationId = location_id ?? null;
    await requireLocation(db, ctx.orgId, locationId);
    const cursor = after && after.at >= fromMs ? { atMs: after.at, assetId: after.asset_id } : null;
    const examined = locationId === null ? limit : examinedMax;
    const request = { fromMs, untilMs: until, after: cursor, locationId, limit: examined };
    const rows = await listMoveRows(db, ctx.orgId, request);
    const wanted = rows.filter(({ is_wanted }) => is_wanted);
    const shown = wanted.slice(0, limit);
    const last = wanted.length > limit || rows.length < examined ? shown.at(-1) : rows.at(-1);
    const hasMore = wanted.length > limit || rows.length === examined;
    return {
      data: shown.map(move),
      next: hasMore && last ? { at: formatTimestamp(last.at), asset_id: last.asset.id } : null,
    };
  });

function move({ is_wanted: _isWanted, ...row }: MoveRow): Move {
  return { ...row, at: formatTimestamp(row.at) };
}

type MoveRequest = {
  fromMs: number;
  untilMs: number;
  /** The last move of the previous page. */
  after: { atMs: number; assetId: number } | null;
  /** The location whose moves are requested, with its sublocations; null for all. */
  locationId: number | null;
  limit: number;
};

/**
 * Returns the next moves after a cursor, oldest first, at most `limit`: the visits that began in the range `fromMs <=
 * at < untilMs`, each with the previous location of the asset. Returns moves that do not concern the location too, so
 * that the caller knows how far the range was read.
 */
export async function listMoveRows(
  db: Queries,
  orgId: number,
  { fromMs, untilMs, after, locationId, limit }: MoveRequest,
): Promise<MoveRow[]> {
  const { atMs = fromMs, assetId = 0 } = after ?? {};
  // Of the ended and the open visits as few are read as there can be in a page, each by an index of the time.
  const arrivals = (visits: 'asset_visits' | 'open_visits') => Prisma.sql`
          (SELECT v.asset_id, v.arrived_at, v.location_id
             FROM ${Prisma.raw(visits)} v
            WHERE v.org_id = ${orgId} AND (v.arrived_at, v.asset_id) > (${instant(atMs)}, ${assetId}::int)
              AND v.arrived_at < ${instant(untilMs)}
            ORDER BY v.arrived_at, v.asset_id
            LIMIT ${limit}::int)`;
  return db.$queryRaw<MoveRow[]>`
    WITH RECURSIVE ${subtreeOf(orgId, locationId, { belongs: always })}, arrival AS MATERIALIZED (
      SELECT a.asset_id, a.arrived_at, a.location_id
        FROM (${arrivals('asset_visits')} UNION ALL ${arrivals('open_visits')}) a
       ORDER BY a.arrived_at, a.asset_id
       LIMIT ${limit}::int
    )
    SELECT ${epochMs('m.arrived_at')} AS at, ${namedRow('a', 'external_key')} AS asset,
           ${namedRow('f')} AS from, ${namedRow('t')} AS to,
           coalesce(${locationId}::int IS NULL OR m.from_id IN (SELECT id FROM down)
                    OR m.to_id IN (SELECT id FROM down), false) AS is_wanted
      FROM (
        SELECT r.asset_id, r.arrived_at, r.location_id AS to_id,
               (SELECT b.location_id
                  FROM asset_visits b
                 WHERE b.org_id = ${orgId} AND b.asset_id = r.asset_id AND b.arrived_at < r.arrived_at
                 ORDER BY b.arrived_at DESC
                 LIMIT 1) AS from_id
          FROM arrival r
      ) m
     CROSS JOIN LATERAL (
       SELECT o.id, o.name, o.external_key FROM assets o WHERE o.org_id = ${orgId} AND o.id = m.asset_id OFFSET 0
     ) a
      LEFT JOIN LATERAL (
        SELECT o.id, o.name FROM locations o WHERE o.org_id = ${orgId} AND o.id = m.from_id OFFSET 0
      ) f ON true
      LEFT JOIN LATERAL (
        SELECT o.id, o.name FROM locations o WHERE o.org_id = ${orgId} AND o.id = m.to_id OFFSET 0
      ) t ON true
     ORDER BY m.arrived_at, m.asset_id`;
}
