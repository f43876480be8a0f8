import { z } from 'zod';
import { locationNotFound } from '../../things/locations/procedure.js';
import { locationExists } from '../../things/locations/queries.js';
import type { ReaderStatus } from '../readers/status-queries.js';
import { formatTimestamp } from '../../kernel/time.js';
import { sessionProcedure } from '../../trpc.js';
import { idParameter } from '../../kernel/validation/parameters.js';
import { findPlan, listShapes, type ShapeRow } from './queries.js';
import { planInput, type Point } from './schemas.js';
import {
  type CountRow,
  countOnPlan,
  type FoundOnPlan,
  findOnPlan,
  listCoverage,
  listPlanReaders,
  listPlanRows,
} from './state-queries.js';

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
  /** To be loaded from `/files/images/{id}`; the size is in pixels. */
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
    if (!(await locationExists(db, ctx.orgId, locationId))) throw locationNotFound();
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
  /** Live assets at the plan's own location and at each one on the plan. */
  counts: CountRow[];
  /**
   * Readers with a pin on the plan and those whose location the plan contains, by name, with the same status as on
   * their page.
   */
  readers: PlanReader[];
};

/** Returns the present state of a floor plan: counts of assets, of one kind if that is asked for, and readers. */
export const planState = sessionProcedure('viewer')
  .input(planInput.extend({ kind_id: idParameter().exactOptional() }))
  .query(async ({ ctx, input: { location_id: locationId, kind_id: kindId } }): Promise<PlanState> => {
    const { db } = ctx.services;
    if (!(await locationExists(db, ctx.orgId, locationId))) throw locationNotFound();
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
 * Lists the first 200 floor plans: those nearest to the root of the tree first (`level` 1 is the root), then by name.
 */
export const listPlans = sessionProcedure('viewer').query(async ({ ctx }): Promise<ListedPlan[]> => {
  const rows = await listPlanRows(ctx.services.db, ctx.orgId, plansMax);
  return rows.map(({ location_id: id, name, image_id: imageId, width, height, level }) => ({
    location: { id, name },
    image: { id: imageId, width, height },
    level,
  }));
});

/** Returns the nearest plan above an asset that shows its location, or null. */
export const findAssetOnPlan = sessionProcedure('viewer')
  .input(z.strictObject({ asset_id: idParameter() }))
  .query(
    async ({ ctx, input }): Promise<FoundOnPlan | null> =>
      (await findOnPlan(ctx.services.db, ctx.orgId, input.asset_id)) ?? null,
  );
