import { z } from 'zod';
import { requireLocation } from '../../things/locations/procedure.js';
import { type ReaderStatus, statedReaders } from '../readers/status-queries.js';
import { formatTimestamp } from '../../kernel/time.js';
import { sessionProcedure } from '../../trpc.js';
import { idParameter } from '../../kernel/validation/parameters.js';
import { countAbsent } from '../../kernel/database/away.js';
import { Prisma } from '../../../generated/prisma/client.js';
import { inNaturalOrder } from '../../kernel/database/columns.js';
import type { Queries } from '../../kernel/database/client.js';
import { countBelow, isOfKind, downFrom, subtreeOf, upFrom, namedRow } from '../../things/locations/tree.js';
import { findPlan, listShapes, type ShapeRow } from './queries.js';
import { planInput, type Point } from './schemas.js';

/** More locations than a person can find on a plan. */
const coverageMax = 20_000;
const readersMax = 1000;
const plansMax = 200;

/** A sublocation, by its outline or pin, or a reader, by its pin. */
export type PlanShape = {
  location_id: number | null;
  reader_id: number | null;
  name: string;
  points: Point[];
  /** The nearest ancestor that is also on the plan, whose assets include the assets of this location. */
  outer_location_id: number | null;
};

export type FloorPlan = {
  location_id: number;
  /** The image is at `/files/images/{id}`; its size is in pixels. */
  image: { id: number; width: number; height: number };
  updated_at: string;
  /** By name. */
  shapes: PlanShape[];
  /** The shape that shows each location below the plan's own; incomplete with more than 20,000 locations. */
  coverage: [locationId: number, shapeLocationId: number][];
};

/** Returns the floor plan of a location, or null. */
export const getPlan = sessionProcedure('viewer')
  .input(planInput)
  .query(async ({ ctx, input: { location_id: locationId } }): Promise<FloorPlan | null> => {
    const { db } = ctx.services;
    await requireLocation(db, ctx.orgId, locationId);
    const plan = await findPlan(db, ctx.orgId, locationId);
    if (!plan) return null;
    const [shapes, coverage] = await Promise.all([
      listShapes(db, ctx.orgId, locationId),
      listCoverage(db, ctx.orgId, { locationId, limit: coverageMax }),
    ]);
    const outer = new Map(coverage.map((row) => [row.location_id, row.outer_location_id]));
    const { image_id: id, width, height, updated_at: updatedAt } = plan;
    return {
      location_id: locationId,
      image: { id, width, height },
      updated_at: formatTimestamp(updatedAt),
      shapes: shapes.map((shape) => ({
        ...viewShape(shape),
        outer_location_id: outer.get(shape.location_id ?? 0) ?? null,
      })),
      coverage: coverage.map((row) => [row.location_id, row.shape_location_id]),
    };
  });

function viewShape({ points, ...shape }: ShapeRow): Omit<PlanShape, 'outer_location_id'> {
  const pairs: Point[] = [];
  for (let at = 0; at + 1 < points.length; at += 2) pairs.push([points[at] ?? 0, points[at + 1] ?? 0]);
  return { ...shape, points: pairs };
}

export type PlanReader = { id: number; name: string; status: ReaderStatus; location_id: number | null };

export type PlanState = {
  /** Live assets at the plan's own location and at each location on the plan. */
  counts: CountRow[];
  /**
   * Readers with a pin on the plan and readers whose location the plan contains, by name, with the same status as on
   * their page.
   */
  readers: PlanReader[];
};

/**
 * Returns the present state of a floor plan: counts of assets, or of the assets of one kind if requested, and readers.
 */
export const planState = sessionProcedure('viewer')
  .input(planInput.extend({ kind_id: idParameter().exactOptional() }))
  .query(async ({ ctx, input: { location_id: locationId, kind_id: kindId } }): Promise<PlanState> => {
    const { db } = ctx.services;
    await requireLocation(db, ctx.orgId, locationId);
    const [counts, readers] = await Promise.all([
      countOnPlan(db, ctx.orgId, { locationId, kindId }),
      listPlanReaders(db, ctx.orgId, { locationId, limit: readersMax }),
    ]);
    return { counts, readers };
  });

/** The size of the image is in pixels. */
export type ListedPlan = {
  location: { id: number; name: string };
  image: { id: number; width: number; height: number };
  level: number;
};

/**
 * Lists the first 200 floor plans: plans nearest to the root of the tree first (`level` 1 is the root), then by name.
 */
export const listPlans = sessionProcedure('viewer').query(
  async ({ ctx }): Promise<ListedPlan[]> => listPlanRows(ctx.services.db, ctx.orgId, plansMax),
);

/** Returns the nearest plan above an asset that shows its location, or null. */
export const findAssetOnPlan = sessionProcedure('viewer')
  .input(z.strictObject({ asset_id: idParameter() }))
  .query(
    async ({ ctx, input }): Promise<FoundOnPlan | null> =>
      (await findOnPlan(ctx.services.db, ctx.orgId, input.asset_id)) ?? null,
  );

/**
 * How many live assets are at a location of a plan; `assets_below` includes sublocations. `assets_away` belong there, and are known to be
 * elsewhere.
 */
type CountRow = { location_id: number; assets_here: number; assets_below: number; assets_away: number };

/** Counts the assets at the plan's own location and at each sublocation that is on the plan. */
async function countOnPlan(
  db: Queries,
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
    ), ${downFrom(orgId, Prisma.sql`tops l`)}, ${countBelow(orgId, kindId)}, ${countAbsent(orgId, isOfKind(orgId, kindId))}
    SELECT c.top AS location_id, c.here AS assets_here, c.below AS assets_below, coalesce(a.n, 0) AS assets_away
      FROM counted c LEFT JOIN absent a ON a.top = c.top
     ORDER BY c.top`;
}

/**
 * A location below the plan's own, with the nearest shape that shows it: its own shape or the shape of an ancestor.
 * `outer_location_id` is the next ancestor with a shape.
 */
type CoverageRow = { location_id: number; shape_location_id: number; outer_location_id: number | null };

/** Returns the shape that shows each location below the plan's own; locations without such a shape are left out. */
async function listCoverage(
  db: Queries,
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

async function listPlanReaders(
  db: Queries,
  orgId: number,
  { locationId, limit }: { locationId: number; limit: number },
): Promise<PlanReader[]> {
  const belongs = Prisma.sql`r.org_id = ${orgId} AND r.deleted_at IS NULL AND (
    r.location_id IN (SELECT d.id FROM down d)
    OR r.id IN (SELECT s.reader_id FROM floor_plan_shapes s
                 WHERE s.org_id = ${orgId} AND s.plan_location_id = ${locationId} AND s.reader_id IS NOT NULL))`;
  return db.$queryRaw<PlanReader[]>`
    WITH RECURSIVE ${subtreeOf(orgId, locationId)}, stated AS (${statedReaders(belongs)})
    SELECT s.id, s.name, s.status, r.location_id
      FROM stated s
      JOIN readers r ON r.org_id = ${orgId} AND r.id = s.id
     ORDER BY ${inNaturalOrder('s.name')}, s.id
     LIMIT ${limit}::int`;
}

/** Returns the plans of an organization: plans nearest to the root of the tree first, then by name. */
async function listPlanRows(db: Queries, orgId: number, limit: number): Promise<ListedPlan[]> {
  return db.$queryRaw<ListedPlan[]>`
    SELECT ${namedRow('l')} AS location,
           json_build_object('id', i.id, 'width', i.width, 'height', i.height) AS image, depth.level
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
type FoundOnPlan = { location_id: number; shape_location_id: number };

/** Returns the nearest plan above an asset that shows its location; undefined if there is none. */
async function findOnPlan(db: Queries, orgId: number, assetId: number): Promise<FoundOnPlan | undefined> {
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
