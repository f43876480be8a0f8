import type { Author } from '../../people/activity/author.js';
import type { Database, Queries } from '../../kernel/database/client.js';
import { lockStatement } from '../../kernel/database/locks.js';
import { refusal, validationError } from '../../kernel/errors.js';
import { locationFields, valuesFor } from '../../kernel/fields.js';
import { described } from '../../trpc.js';
import { differingReadOnlyFields, hasReadOnlyFields } from '../../kernel/validation/read-only-fields.js';
import { namesParent, type ParentReference, resolveParent } from './parents.js';
import { locationNotFound, locationProcedure } from './procedure.js';
import { changeLocation, lockLocation } from './queries.js';
import { locationResponse, type UpdateLocation, updateLocationInput } from './schemas.js';
import { isInSubtree, rejectTooDeep } from './tree-queries.js';
import { type LocationRow, viewLocation } from './view.js';

/**
 * `PATCH /api/v1/locations/{location_id}`: a merge patch that can also move the location below another parent. A move
 * into its own subtree gives 409; moves of one organization wait for each other, so that two moves cannot create a
 * cycle (contract 5.4, 5.6, 5.7, 5.9).
 */
export const updateLocation = locationProcedure
  .meta({
    openapi: {
      method: 'PATCH',
      path: '/api/v1/locations/{location_id}',
      operationId: 'updateLocation',
      summary: 'Change or move a location',
      description:
        'Applies a JSON merge patch. Omitted fields are unchanged; null clears a field. Read-only fields may be sent back with their current values. Another parent moves the location with everything below it, but never below itself.',
      tags: ['locations'],
      contentTypes: ['application/merge-patch+json'],
    },
    scopes: ['locations:write'],
    conflicts: true,
    schemas: { request: 'UpdateLocationRequest', response: 'LocationResponse' },
  })
  .input(updateLocationInput)
  .output(described(locationResponse))
  .mutation(async ({ ctx, input }) => {
    const row = await patchLocation(ctx.services.db, ctx.orgId, { input, author: ctx.author });
    if (!row) throw locationNotFound();
    return { data: viewLocation(row) };
  });

async function patchLocation(
  db: Database,
  orgId: number,
  { input, author }: { input: UpdateLocation; author: Author },
): Promise<LocationRow | undefined> {
  const { location_id: locationId } = input;
  const changes = valuesFor(locationFields, 'patch', input);
  const moves = namesParent(input);
  return db.$transaction(async (tx) => {
    if (!moves && !hasReadOnlyFields(input)) return changeLocation(tx, orgId, { locationId, changes, author });
    if (moves) await tx.$queryRaw(lockStatement('tree', orgId));
    const current = await lockLocation(tx, orgId, locationId);
    if (!current) return undefined;
    const differing = differingReadOnlyFields(current, input, `/api/v1/locations/${locationId}`);
    if (differing.length > 0) throw validationError(differing);
    if (!moves || staysPut(current, input)) return changeLocation(tx, orgId, { locationId, changes, author });
    const parentId = await resolveParent(tx, orgId, input);
    if (parentId !== null) {
      await rejectCycle(tx, orgId, { locationId, parentId });
      await rejectTooDeep(tx, orgId, { parentId, locationId });
    }
    return changeLocation(tx, orgId, { locationId, changes: { ...changes, parent_id: parentId }, author });
  });
}

/** Returns whether every form of the reference in the request names the present parent. */
function staysPut(current: LocationRow, reference: ParentReference): boolean {
  return (
    (reference.parent_id === undefined || reference.parent_id === current.parent_id) &&
    (reference.parent_external_key === undefined || reference.parent_external_key === current.parent_external_key)
  );
}

async function rejectCycle(
  tx: Queries,
  orgId: number,
  { locationId, parentId }: { locationId: number; parentId: number },
): Promise<void> {
  if (parentId === locationId) {
    throw refusal('location_in_itself', { parentId });
  }
  if (await isInSubtree(tx, orgId, { locationId, candidateId: parentId })) {
    throw refusal('location_in_descendant', { parentId, locationId });
  }
}
