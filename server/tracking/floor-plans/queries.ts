import { Prisma } from '../../../generated/prisma/client.js';
import type { Queries, TransactionClient } from '../../kernel/database/client.js';
import { currentInstant, epochMs, inNaturalOrder, nextInstant } from '../../kernel/database/columns.js';
import { subtreeOf } from '../../things/locations/tree.js';
import { isInTrash, isPastTrash } from '../../kernel/database/trash-days.js';
import type { ShapeInput } from './schemas.js';

/** A floor plan; its size is in pixels, `updated_at` in epoch milliseconds. */
export type PlanRow = { image_id: number; width: number; height: number; updated_at: number };

/** A live sublocation or reader on a plan. */
export type ShapeRow = {
  location_id: number | null;
  reader_id: number | null;
  name: string;
  /** Alternating x and y. */
  points: number[];
};

export async function findPlan(db: Queries, orgId: number, locationId: number): Promise<PlanRow | undefined> {
  const [plan] = await db.$queryRaw<PlanRow[]>(planStatement(orgId, locationId));
  return plan;
}

/** Does the same as `findPlan`, and locks the row until the end of the transaction. */
export async function lockPlan(tx: TransactionClient, orgId: number, locationId: number): Promise<PlanRow | undefined> {
  const [plan] = await tx.$queryRaw<PlanRow[]>`${planStatement(orgId, locationId)} FOR UPDATE OF p`;
  return plan;
}

function planStatement(orgId: number, locationId: number): Prisma.Sql {
  return Prisma.sql`
    SELECT p.image_id, i.width, i.height, ${epochMs('p.updated_at')} AS updated_at
      FROM floor_plans p
      JOIN images i ON i.org_id = p.org_id AND i.id = p.image_id
     WHERE p.org_id = ${orgId} AND p.location_id = ${locationId}`;
}

/**
 * Returns the shapes of a plan by name: shapes of live readers, and of live locations that are below the plan's own now.
 */
export async function listShapes(db: Queries, orgId: number, locationId: number): Promise<ShapeRow[]> {
  return db.$queryRaw<ShapeRow[]>`
    WITH RECURSIVE ${subtreeOf(orgId, locationId)}
    SELECT s.location_id, s.reader_id, coalesce(l.name, r.name) AS name, s.points
      FROM floor_plan_shapes s
      LEFT JOIN locations l ON l.org_id = s.org_id AND l.id = s.location_id
      LEFT JOIN readers r ON r.org_id = s.org_id AND r.id = s.reader_id AND r.deleted_at IS NULL
     WHERE s.org_id = ${orgId} AND s.plan_location_id = ${locationId}
       AND (r.id IS NOT NULL OR s.location_id IN (SELECT d.id FROM down d) AND s.location_id <> ${locationId})
     ORDER BY ${inNaturalOrder('coalesce(l.name, r.name)')}, s.id`;
}

/** Stores the plan of a location without a plan; undefined if the location has one by now. */
export async function insertPlan(
  tx: TransactionClient,
  orgId: number,
  { locationId, imageId }: { locationId: number; imageId: number },
): Promise<number | undefined> {
  const rows = await tx.$queryRaw<{ updated_at: number }[]>`
    INSERT INTO floor_plans (org_id, location_id, image_id, updated_at)
    VALUES (${orgId}::int, ${locationId}::int, ${imageId}::int, ${currentInstant})
    ON CONFLICT (org_id, location_id) DO NOTHING
    RETURNING ${epochMs('updated_at')} AS updated_at`;
  return rows[0]?.updated_at;
}

/** Advances `updated_at` of a plan that the caller has locked, and sets another image if given. */
export async function touchPlan(
  tx: TransactionClient,
  orgId: number,
  { locationId, imageId }: { locationId: number; imageId?: number },
): Promise<number> {
  const [{ updated_at: updatedAt }] = await tx.$queryRaw<[{ updated_at: number }]>`
    UPDATE floor_plans p
       SET image_id = coalesce(${imageId ?? null}::int, p.image_id), updated_at = ${nextInstant('p.updated_at')}
     WHERE p.org_id = ${orgId}::int AND p.location_id = ${locationId}::int
    RETURNING ${epochMs('p.updated_at')} AS updated_at`;
  return updatedAt;
}

export async function deletePlan(tx: TransactionClient, orgId: number, locationId: number): Promise<void> {
  await tx.$executeRaw`DELETE FROM floor_plans WHERE org_id = ${orgId}::int AND location_id = ${locationId}::int`;
}

/**
 * Returns the ids that cannot be on the plan: locations that are not below the plan's location, and readers that do not
 * exist. Locks the other readers until the end of the transaction; the caller has locked the tree.
 */
export async function findInvalidReferences(
  tx: TransactionClient,
  orgId: number,
  { locationId, shapes }: { locationId: number; shapes: readonly ShapeInput[] },
): Promise<{ locations: Set<number>; readers: Set<number> }> {
  const locationIds = shapes.flatMap(({ location_id: id }) => id ?? []);
  const readerIds = shapes.flatMap(({ reader_id: id }) => id ?? []);
  const below = await tx.$queryRaw<{ id: number }[]>`
    WITH RECURSIVE ${subtreeOf(orgId, locationId)}
    SELECT d.id FROM down d WHERE d.id = ANY (${locationIds}::int[]) AND d.id <> ${locationId}`;
  const readers = await tx.$queryRaw<{ id: number }[]>`
    SELECT r.id FROM readers r
     WHERE r.org_id = ${orgId} AND r.id = ANY (${readerIds}::int[]) AND r.deleted_at IS NULL
     ORDER BY r.id
       FOR SHARE`;
  return { locations: without(locationIds, below), readers: without(readerIds, readers) };
}

function without(ids: readonly number[], found: readonly { id: number }[]): Set<number> {
  const known = new Set(found.map(({ id }) => id));
  return new Set(ids.filter((id) => !known.has(id)));
}

/** Replaces all shapes of a plan, except shapes of deleted locations that can be restored. */
export async function replaceShapes(
  tx: TransactionClient,
  orgId: number,
  { locationId, shapes }: { locationId: number; shapes: readonly ShapeInput[] },
): Promise<void> {
  await tx.$executeRaw`
    DELETE FROM floor_plan_shapes s
     WHERE s.org_id = ${orgId}::int AND s.plan_location_id = ${locationId}::int
       AND NOT EXISTS (SELECT FROM locations l
                        WHERE l.org_id = ${orgId}::int AND l.id = s.location_id AND ${isInTrash('l')})`;
  const rows = shapes.map(({ location_id, reader_id, points }) => ({ location_id, reader_id, points: points.flat() }));
  await tx.$executeRaw`
    INSERT INTO floor_plan_shapes (org_id, plan_location_id, location_id, reader_id, points)
    SELECT ${orgId}::int, ${locationId}::int, s.location_id, s.reader_id, s.points
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS s (location_id int, reader_id int, points float8[])`;
}

/** Rows that one statement deletes, so that its transaction stays short. */
const removedMax = 500;

/**
 * Deletes the plans of locations that can no longer be restored, with their images, and the outlines and pins of these
 * locations on other plans.
 */
export async function removePlansOfDeletedLocations(db: Queries): Promise<void> {
  for (let removed = removedMax; removed === removedMax; ) {
    removed = await db.$executeRaw`
      DELETE FROM floor_plan_shapes
       WHERE id IN (SELECT s.id
                      FROM locations l
                      JOIN floor_plan_shapes s ON s.org_id = l.org_id AND s.location_id = l.id
                     WHERE ${isPastTrash('l')}
                     LIMIT ${removedMax}::int)`;
  }
  for (let removed = removedMax; removed === removedMax; ) {
    removed = await db.$executeRaw`
      WITH gone AS (
        DELETE FROM floor_plans p
         USING (SELECT g.org_id, g.location_id
                  FROM floor_plans g
                  JOIN locations l ON l.org_id = g.org_id AND l.id = g.location_id
                 WHERE ${isPastTrash('l')}
                 LIMIT ${removedMax}::int) old
         WHERE p.org_id = old.org_id AND p.location_id = old.location_id
        RETURNING p.org_id, p.image_id
      )
      DELETE FROM images i USING gone WHERE i.org_id = gone.org_id AND i.id = gone.image_id`;
  }
}
