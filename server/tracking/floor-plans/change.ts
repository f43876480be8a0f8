import { differingFacts, type Facts, recordChange, type Scope } from '../../people/activity/record.js';
import type { Database, TransactionClient } from '../../kernel/database/client.js';
import { sharedLockStatement } from '../../kernel/database/locks.js';
import {
  type ContractError,
  type FieldError,
  fieldError,
  fieldRefusal,
  refusal,
  validationError,
} from '../../kernel/errors.js';
import { attachImage, removeImage } from '../../things/images/queries.js';
import { locationNotFound } from '../../things/locations/procedure.js';
import { findLocation } from '../../things/locations/queries.js';
import { formatTimestamp } from '../../kernel/time.js';
import { sessionProcedure } from '../../trpc.js';
import {
  deletePlan,
  findInvalidReferences,
  insertPlan,
  listShapes,
  lockPlan,
  type PlanRow,
  replaceShapes,
  type ShapeRow,
  touchPlan,
} from './queries.js';
import { removePlanInput, type ShapeInput, setPlanInput, setShapesInput } from './schemas.js';

/**
 * Gives a location a floor plan, or its plan another image; outlines and pins stay. The image has just been uploaded.
 * Returns the plan's new `updated_at`, like `setShapes`.
 */
export const setPlan = sessionProcedure('manager')
  .input(setPlanInput)
  .mutation(async ({ ctx, input: { location_id: locationId, image_id: imageId, updated_at: updatedAtMs } }) =>
    changePlan(ctx.services.db, { orgId: ctx.orgId, locationId, updatedAtMs }, async ({ tx, name, plan }) => {
      const size = await attachImage(tx, ctx.orgId, { imageId, kind: 'plan' });
      if (!size) throw unknownImage();
      const changed = plan
        ? await touchPlan(tx, ctx.orgId, { locationId, imageId })
        : await insertPlan(tx, ctx.orgId, { locationId, imageId });
      if (changed === undefined) throw refusal('plan_changed');
      if (plan) await removeImage(tx, ctx.orgId, plan.image_id);
      const after = imageFacts({ image_id: imageId, ...size });
      await log(tx, ctx, { locationId, name, ...(plan && { before: imageFacts(plan) }), after });
      return { updated_at: formatTimestamp(changed) };
    }),
  );

/** Removes the floor plan of a location with its outlines and pins. */
export const removePlan = sessionProcedure('manager')
  .input(removePlanInput)
  .mutation(async ({ ctx, input: { location_id: locationId, updated_at: updatedAtMs } }) =>
    changePlan(ctx.services.db, { orgId: ctx.orgId, locationId, updatedAtMs }, async ({ tx, name, plan }) => {
      if (!plan) throw planNotFound();
      await deletePlan(tx, ctx.orgId, locationId);
      await removeImage(tx, ctx.orgId, plan.image_id);
      await log(tx, ctx, { locationId, name, before: imageFacts(plan) });
    }),
  );

/** Replaces all outlines and pins of a plan. */
export const setShapes = sessionProcedure('manager')
  .input(setShapesInput)
  .mutation(async ({ ctx, input: { location_id: locationId, updated_at: updatedAtMs, shapes } }) =>
    changePlan(ctx.services.db, { orgId: ctx.orgId, locationId, updatedAtMs }, async ({ tx, name, plan }) => {
      if (!plan) throw planNotFound();
      await rejectForeignShapes(tx, ctx.orgId, { locationId, shapes });
      const before = await listShapes(tx, ctx.orgId, locationId);
      await replaceShapes(tx, ctx.orgId, { locationId, shapes });
      const after = await listShapes(tx, ctx.orgId, locationId);
      const changed = await touchPlan(tx, ctx.orgId, { locationId });
      if (JSON.stringify(before) !== JSON.stringify(after)) {
        await log(tx, ctx, { locationId, name, ...shapeFacts(before, after) });
      }
      return { updated_at: formatTimestamp(changed) };
    }),
  );

type Target = { orgId: number; locationId: number; updatedAtMs: number | null };
type Found = { tx: TransactionClient; name: string; plan: PlanRow | undefined };

/**
 * Changes the plan of a live location in a transaction, if it is unchanged since the caller read it. The lock of the
 * tree keeps locations from being deleted or moved meanwhile.
 *
 * @throws ContractError `not_found`, and `conflict` if somebody else has changed the plan
 */
async function changePlan<Result>(
  db: Database,
  { orgId, locationId, updatedAtMs }: Target,
  change: (found: Found) => Promise<Result>,
): Promise<Result> {
  return db.$transaction(async (tx) => {
    await tx.$queryRaw(sharedLockStatement('tree', orgId));
    const location = await findLocation(tx, orgId, locationId);
    if (!location) throw locationNotFound();
    const plan = await lockPlan(tx, orgId, locationId);
    if (!plan && updatedAtMs !== null) throw planNotFound();
    if (plan && plan.updated_at !== updatedAtMs) throw refusal('plan_changed');
    return change({ tx, name: location.name, plan });
  });
}

function planNotFound(): ContractError {
  return refusal('not_found', { what: 'Floor plan' });
}

function unknownImage(): ContractError {
  return fieldRefusal('image_id', 'image_not_new');
}

async function rejectForeignShapes(
  tx: TransactionClient,
  orgId: number,
  request: { locationId: number; shapes: readonly ShapeInput[] },
): Promise<void> {
  const invalid = await findInvalidReferences(tx, orgId, request);
  const fields = request.shapes.flatMap(({ location_id: location, reader_id: reader }, index): FieldError[] => {
    const isLocation = location !== undefined && invalid.locations.has(location);
    if (!isLocation && !(reader !== undefined && invalid.readers.has(reader))) return [];
    const error = isLocation
      ? fieldError('location_id', 'not_below', { value: location })
      : fieldError('reader_id', 'not_found', { value: reader ?? 0 });
    return [{ ...error, params: { path: `shapes[${index}].${error.field}` } }];
  });
  if (fields.length > 0) throw validationError(fields);
}

function imageFacts({ image_id: id, width, height }: Omit<PlanRow, 'updated_at'>): Facts {
  return { floor_plan: `Image ${id}, ${width} × ${height} pixels` };
}

/** Returns the names of the shapes on the plan; if they are the same, shapes were only moved. */
function shapeFacts(before: readonly ShapeRow[], after: readonly ShapeRow[]): { before?: Facts; after?: Facts } {
  const facts = (rows: readonly ShapeRow[]): Facts => ({
    on_floor_plan: rows.length === 0 ? null : rows.map(({ name }) => name),
  });
  return differingFacts(facts(before), facts(after)) ?? { after: { floor_plan: 'Outlines or pins moved' } };
}

async function log(
  tx: TransactionClient,
  scope: Scope,
  { locationId, name, ...facts }: { locationId: number; name: string; before?: Facts; after?: Facts },
): Promise<void> {
  await recordChange(tx, scope, {
    kind: 'location',
    objectId: locationId,
    objectName: name,
    action: 'updated',
    ...facts,
  });
}
