import { z } from 'zod';
import { pagingFields, type CountedRow } from '../../kernel/lists.js';
import { sessionProcedure } from '../../trpc.js';
import { idField, timestampField } from '../../kernel/validation/fields.js';
import type { Database } from '../../kernel/database/client.js';
import { type Placement, placementOf } from '../../kernel/database/placements.js';
import { epochMs, instant, timestamp } from '../../kernel/database/columns.js';
import { requireLocation } from './procedure.js';
import { locationId } from './schemas.js';
import { namedRow } from './tree.js';

/** An asset that was at a location: its last visit there, and its present location. */
export type Departure = {
  asset_id: number;
  asset_external_key: string;
  asset_name: string;
  arrived_at: string;
  /** When it was first seen elsewhere. */
  left_at: string;
  /** Null if its present location is unknown. */
  location: { id: number; name: string; external_key: string } | null;
  /** When it was seen or placed last. */
  asset_last_seen: string;
  /** Null if it was seen, not placed. */
  placement: Placement | null;
};

const input = z.strictObject({
  ...locationId,
  limit: pagingFields.limit,
  /** The last row of the previous page. */
  after: z.strictObject({ left_at: timestampField('required'), asset_id: idField('required') }).exactOptional(),
});

/** Lists the assets that left a location within 7 days and are not there now, latest first. */
export const listDepartures = sessionProcedure('viewer')
  .input(input)
  .query(async ({ ctx, input: { location_id, limit, after } }): Promise<{ data: Departure[]; has_more: boolean }> => {
    const { db } = ctx.services;
    await requireLocation(db, ctx.orgId, location_id);
    const rows = await listDepartureRows(db, ctx.orgId, {
      locationId: location_id,
      limit: limit + 1,
      after: after ? { leftAtMs: after.left_at, assetId: after.asset_id } : null,
    });
    return { data: rows.slice(0, limit), has_more: rows.length > limit };
  });

/** How long a departure is shown. */
const departuresShownDays = 7;

/** The row that a page begins after. */
type Cursor = { leftAtMs: number; assetId: number };

type DeparturePage = { locationId: number; limit: number; after: Cursor | null };

/**
 * Visits that the first step reads for each row of the page, at least 100 in total, and the factor by which each
 * further step grows.
 */
const visitsPerRow = 5;
const visitsMin = 100;
const visitsFactor = 8;

/**
 * Returns the live assets that left a location within 7 days and are not there now, each with its last visit there,
 * latest departure first. Assets that come and go all day have many visits: these are read by the index of departures
 * in growing steps until the page is full, and an asset is looked up once in each step.
 */
async function listDepartureRows(db: Database, orgId: number, page: DeparturePage): Promise<Departure[]> {
  const rows: Departure[] = [];
  let { after } = page;
  for (let visits = Math.max(visitsMin, page.limit * visitsPerRow); rows.length < page.limit; visits *= visitsFactor) {
    const limit = page.limit - rows.length;
    const step = await readStep(db, orgId, { locationId: page.locationId, limit, after, visits });
    rows.push(...step.rows);
    if (step.next === null) break;
    after = step.next;
  }
  return rows;
}

type StepRow = CountedRow<Departure, { visits: number; last_left_at: number | null; last_asset_id: number | null }>;

/**
 * Reads the departures among the next visits. Positions and assets are looked up by key: with a join the planner may
 * read whole tables, as statements are prepared once for locations of any size.
 */
async function readStep(
  db: Database,
  orgId: number,
  { locationId, limit, after, visits }: DeparturePage & { visits: number },
): Promise<{ rows: Departure[]; next: Cursor | null }> {
  const { leftAtMs = null, assetId = null } = after ?? {};
  const found = await db.$queryRaw<StepRow[]>`
    WITH visit AS MATERIALIZED (
      SELECT v.asset_id, v.arrived_at, v.left_at
        FROM asset_visits v
       WHERE v.org_id = ${orgId} AND v.location_id = ${locationId} AND v.left_at IS NOT NULL
         AND v.left_at > now() - make_interval(days => ${departuresShownDays}::int)
         AND v.left_at <= coalesce(${instant(leftAtMs)}, 'infinity')
         AND (v.left_at, -v.asset_id) < (coalesce(${instant(leftAtMs)}, 'infinity'), -coalesce(${assetId}::int, 0))
       ORDER BY v.left_at DESC, v.asset_id
       LIMIT ${visits}::int
    ), latest AS MATERIALIZED (
      SELECT DISTINCT ON (visit.asset_id) visit.* FROM visit ORDER BY visit.asset_id, visit.left_at DESC
    ), departure AS (
      SELECT v.*, a.external_key, a.name, p.location_id, p.asset_last_seen
        FROM latest v
       CROSS JOIN LATERAL (
         SELECT o.location_id, o.asset_last_seen
           FROM asset_positions o
          WHERE o.org_id = ${orgId} AND o.asset_id = v.asset_id
         OFFSET 0
       ) p
       CROSS JOIN LATERAL (
         SELECT o.external_key, o.name
           FROM assets o
          WHERE o.org_id = ${orgId} AND o.id = v.asset_id AND o.deleted_at IS NULL
         OFFSET 0
       ) a
       WHERE p.location_id IS DISTINCT FROM ${locationId}::int
         AND NOT EXISTS (
           SELECT 1
             FROM asset_visits later
            WHERE later.org_id = ${orgId} AND later.asset_id = v.asset_id AND later.arrived_at > v.arrived_at
              AND later.location_id = ${locationId}
           OFFSET 0
         )
       ORDER BY v.left_at DESC, v.asset_id
       LIMIT ${limit}::int
    )
    SELECT step.visits, ${epochMs('step.left_at')} AS last_left_at, step.asset_id AS last_asset_id,
           d.asset_id, d.external_key AS asset_external_key, d.name AS asset_name,
           ${timestamp('d.arrived_at')} AS arrived_at, ${timestamp('d.left_at')} AS left_at,
           ${namedRow('l', 'external_key')} AS location,
           ${timestamp('d.asset_last_seen')} AS asset_last_seen,
           ${placementOf(orgId, 'd')} AS placement
      FROM (
        SELECT (SELECT count(*)::int FROM visit) AS visits, last.left_at, last.asset_id
          FROM (VALUES (1)) one
          LEFT JOIN (SELECT * FROM visit ORDER BY visit.left_at, visit.asset_id DESC LIMIT 1) last ON true
      ) step
      LEFT JOIN departure d ON true
      LEFT JOIN LATERAL (
        SELECT o.id, o.name, o.external_key
          FROM locations o
         WHERE o.org_id = ${orgId} AND o.id = d.location_id AND o.deleted_at IS NULL
        OFFSET 0
      ) l ON true
     ORDER BY d.left_at DESC, d.asset_id`;
  const [first] = found;
  const isMore = first !== undefined && first.visits === visits;
  const next =
    isMore && first.last_left_at !== null && first.last_asset_id !== null
      ? { leftAtMs: first.last_left_at, assetId: first.last_asset_id }
      : null;
  const rows = found.flatMap(({ visits: _visits, last_left_at: _at, last_asset_id: _id, ...row }) =>
    row.asset_id === null ? [] : [row],
  );
  return { rows, next };
}
