import { z } from 'zod';
import { authorStatement } from '../../people/activity/author.js';
import type { Queries } from '../../kernel/database/client.js';
import { fieldRefusal } from '../../kernel/errors.js';
import { idField } from '../../kernel/validation/fields.js';
import { sessionProcedure } from '../../trpc.js';
import { locationExists } from '../locations/queries.js';
import type { LocationWithPath } from './location-paths.js';
import { assetNotFound } from './procedure.js';
import { setReference } from './queries.js';

// An asset belongs to a location, or to none. A deleted location keeps its assets, which belong to none until it is restored.

/** Sets the location that an asset belongs to, or none. Its `updated_at` advances if that is a change. */
export const setBelongsTo = sessionProcedure('manager')
  .input(z.strictObject({ asset_id: idField('required'), belongs_to_id: idField('required').nullable() }))
  .mutation(async ({ ctx, input: { asset_id: assetId, belongs_to_id: belongsToId } }): Promise<void> => {
    await ctx.services.db.$transaction(async (tx) => {
      if (belongsToId !== null) await ensureOwnLocation(tx, ctx.orgId, belongsToId);
      await tx.$queryRaw(authorStatement(ctx.author));
      if (!(await setReference(tx, ctx.orgId, { assetId, column: 'belongs_to_id', id: belongsToId })))
        throw assetNotFound();
    });
  });

/** Returns whether an asset is away, as `kernel/database/away.ts` defines it. A deleted location has no assets of its own. */
export function isAway(belongsTo: LocationWithPath | null, location: LocationWithPath | null): boolean {
  if (!belongsTo || belongsTo.is_deleted || !location) return false;
  return location.path.every(({ id }) => id !== belongsTo.id);
}

/** Ensures that assets can belong to a location. @throws ContractError `validation_error` if it is not a live location */
export async function ensureOwnLocation(db: Queries, orgId: number, locationId: number): Promise<void> {
  if (await locationExists(db, orgId, locationId)) return;
  throw fieldRefusal('belongs_to_id', 'not_found', { value: locationId });
}
