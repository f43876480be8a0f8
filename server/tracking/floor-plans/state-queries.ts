import { Prisma } from '../../../generated/prisma/client.js';
import { inNaturalOrder } from '../../kernel/database/columns.js';
import type { Database } from '../../kernel/database/client.js';
import { countBelow } from '../../things/locations/level-queries.js';
import { downFrom, subtreeOf, upFrom } from '../../things/locations/tree.js';
import { type ReaderStatus, statedReaders } from '../readers/status-queries.js';

type Queryable = Pick<Database, '$queryRaw'>;

/** How many live assets are at a location of a plan; `assets_below` includes sublocations. */
export type CountRow = { location_id: number; assets_here: number; assets_below: number };

/** Counts the assets at the plan's own location and at each sublocation that is on the plan. */
export async function countOnPlan(
  db: Queryable,
  orgId: number,
  { locationId, kindId }: { locationId: number; kindId: number | undefined },
): Promise<CountRow[]> {
  return db.$queryRaw<CountRow[]>`
    WITH RECURSIVE tops AS MATERIALIZED (
      SELECT l.id
        FROM locations l
       WHERE l.org_id = ${orgId} AND l.deleted_at IS NULL
         AND (l.id = ${locationId}
              OR l.id IN (SELECT s.location_id FROM floor_plan_shapes s
                           WHERE s.org_id = ${orgId} AND s.plan_location_id = ${locationId}))
    ), ${downFrom(orgId, Prisma.sql`tops l`)}, ${countBelow(orgId, kindId)}
    SELECT c.top AS location_id, c.here AS assets_here, c.below AS assets_below FROM counted c ORDER BY c.top`;
}

/**
 * A location below the plan's own with the nearest shape that shows it, its own or that of an ancestor;
 * `outer_location_id` is the next ancestor with a shape.
 */
export type CoverageRow = { location_id: number; shape_location_id: number; outer_location_id: number | null };

/** Returns the shape that shows each location below the plan's own; locations without one are left out. */
export async function listCoverage(
  db: Queryable,
  orgId: number,
  { locationId, limit }: { locationId: number; limit: number },
): Promise<CoverageRow[]> {
  return db.$queryRaw<CoverageRow[]>`
    WITH RECURSIVE shown AS MATERIALIZED (
      SELECT s.location_id AS id FROM floor_plan_shapes s
       WHERE s.org_id = ${orgId} AND s.plan_location_id = ${locationId} AND s.location_id IS NOT NULL
    ), down AS (
      SELECT l.id, NULL::int AS shape, NULL::int AS outer_shape
        FROM locations l
       WHERE l.org_id = ${orgId} AND l.id = ${locationId} AND l.deleted_at IS NULL
      UNION ALL
      SELECT c.id,
             CASE WHEN c.id IN (SELECT shown.id FROM shown) THEN c.id ELSE d.shape END,
             CASE WHEN c.id IN (SELECT shown.id FROM shown) THEN d.shape ELSE d.outer_shape END
        FROM down d
        JOIN locations c ON c.org_id = ${orgId} AND c.parent_id = d.id AND c.deleted_at IS NULL
    )
    SELECT d.id AS location_id, d.shape AS shape_location_id, d.outer_shape AS outer_location_id
      FROM down d
     WHERE d.shape IS NOT NULL
     ORDER BY d.id <> d.shape, d.id
     LIMIT ${limit}::int`;
}

/** A reader that belongs to a plan: it has a pin there, or its location is in the plan's subtree. */
export type PlanReaderRow = { id: number; name: string; status: ReaderStatus; location_id: number | null };

export async function listPlanReaders(
  db: Queryable,
  orgId: number,
  { locationId, limit }: { locationId: number; limit: number },
): Promise<PlanReaderRow[]> {
  const belongs = Prisma.sql`r.org_id = ${orgId} AND r.deleted_at IS NULL AND (
    r.location_id IN (SELECT d.id FROM down d)
    OR r.id IN (SELECT s.reader_id FROM floor_plan_shapes s
                 WHERE s.org_id = ${orgId} AND s.plan_location_id = ${locationId} AND s.reader_id IS NOT NULL))`;
  return db.$queryRaw<PlanReaderRow[]>`
    WITH RECURSIVE ${subtreeOf(orgId, locationId)}, stated AS (${statedReaders(belongs)})
    SELECT s.id, s.name, s.status, r.location_id
      FROM stated s
      JOIN readers r ON r.org_id = ${orgId} AND r.id = s.id
     ORDER BY ${inNaturalOrder('s.name')}, s.id
     LIMIT ${limit}::int`;
}

/** A plan of the organization. */
export type PlanListRow = {
  location_id: number;
  name: string;
  image_id: number;
  width: number;
  height: number;
  level: number;
};

/** Returns the plans of an organization: those nearest to the top of the tree first, then by name. */
export async function listPlanRows(db: Queryable, orgId: number, limit: number): Promise<PlanListRow[]> {
  return db.$queryRaw<PlanListRow[]>`
    SELECT p.location_id, l.name, p.image_id, i.width, i.height, depth.level
      FROM floor_plans p
      JOIN images i ON i.org_id = p.org_id AND i.id = p.image_id
      JOIN locations l ON l.org_id = p.org_id AND l.id = p.location_id AND l.deleted_at IS NULL
     CROSS JOIN LATERAL (
       WITH RECURSIVE ${upFrom(orgId, Prisma.sql`(SELECT l.*) l`)} SELECT max(up.distance) + 1 AS level FROM up
     ) depth
     WHERE p.org_id = ${orgId}
     ORDER BY depth.level, ${inNaturalOrder('l.name')}, l.id
     LIMIT ${limit}::int`;
}

/** The plan that shows an asset, and the shape on it. */
export type FoundOnPlan = { location_id: number; shape_location_id: number };

/** Returns the nearest plan above an asset that shows its location; undefined if there is none. */
export async function findOnPlan(db: Queryable, orgId: number, assetId: number): Promise<FoundOnPlan | undefined> {
  const located = Prisma.sql`
    asset_positions p
    JOIN assets a ON a.org_id = p.org_id AND a.id = p.asset_id AND a.deleted_at IS NULL
    JOIN locations l ON l.org_id = p.org_id AND l.id = p.location_id AND l.deleted_at IS NULL
   WHERE p.org_id = ${orgId} AND p.asset_id = ${assetId}`;
  const rows = await db.$queryRaw<FoundOnPlan[]>`
    WITH RECURSIVE ${upFrom(orgId, located, { liveOnly: true })}
    SELECT plan.id AS location_id, shape.id AS shape_location_id
      FROM up plan
      JOIN up shape ON shape.distance < plan.distance
      JOIN floor_plan_shapes s
        ON s.org_id = ${orgId} AND s.plan_location_id = plan.id AND s.location_id = shape.id
     ORDER BY plan.distance, shape.distance
     LIMIT 1`;
  return rows[0];
}
