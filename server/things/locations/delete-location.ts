import { z } from 'zod';
import type { Author } from '../../people/activity/author.js';
import type { Database } from '../../kernel/database/client.js';
import { lockStatement } from '../../kernel/database/locks.js';
import { refusal } from '../../kernel/errors.js';
import { described } from '../../trpc.js';
import { locationNotFound, locationProcedure } from './procedure.js';
import { dependentsOf, lockLocation, retireLocations } from './queries.js';
import { locationId } from './schemas.js';

/**
 * `DELETE /api/v1/locations/{location_id}`: soft-deletes a location that no live row depends on. A transaction that
 * places an asset or a child in it waits for the outcome (contract 3.7, 7.5).
 */
export const deleteLocation = locationProcedure
  .meta({
    openapi: {
      method: 'DELETE',
      path: '/api/v1/locations/{location_id}',
      operationId: 'deleteLocation',
      summary: 'Delete a location',
      description:
        'Deletes the location and frees its key and its tags; lists omit it unless `include_deleted` is true. A location with live locations below it or live assets in it cannot be deleted.',
      tags: ['locations'],
    },
    scopes: ['locations:write'],
    successStatus: 204,
    conflicts: true,
  })
  .input(z.strictObject(locationId))
  .output(described(z.void()))
  .mutation(async ({ ctx, input: { location_id: id } }) => {
    await remove(ctx.services.db, ctx.orgId, { id, author: ctx.author });
  });

async function remove(db: Database, orgId: number, { id, author }: { id: number; author: Author }): Promise<void> {
  await db.$transaction(async (tx) => {
    await tx.$queryRaw(lockStatement('tree', orgId));
    if (!(await lockLocation(tx, orgId, id))) throw locationNotFound();
    const { location, asset } = await dependentsOf(tx, orgId, id);
    if (location !== null) {
      throw refusal('location_has_locations', undefined, { related: { kind: 'location', id: location } });
    }
    if (asset !== null) throw refusal('location_has_assets', undefined, { related: { kind: 'asset', id: asset } });
    await retireLocations(tx, orgId, { ids: [id], author });
  });
}
