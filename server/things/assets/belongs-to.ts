import { z } from 'zod';
import { authorStatement } from '../../people/activity/author.js';
import type { Queries, TransactionClient } from '../../kernel/database/client.js';
import { nextInstant } from '../../kernel/database/columns.js';
import { fieldRefusal } from '../../kernel/errors.js';
import { idField } from '../../kernel/validation/fields.js';
import { sessionProcedure } from '../../trpc.js';
import { locationExists } from '../locations/queries.js';
import type { LocationWithPath } from './location-paths.js';
import { assetNotFound } from './procedure.js';

// An asset belongs to a location, or to none. A deleted location keeps its assets, which belong to none until it is restored.

/** Says to which location an asset belongs, or to none. Its `updated_at` advances if that is a change. */
export const setBelongsTo = sessionProcedure('manager')
  .input(z.strictObject({ asset_id: idField('required'), belongs_to_id: idField('required').nullable() }))
  .mutation(async ({ ctx, input: { asset_id: assetId, belongs_to_id: belongsToId } }): Promise<void> => {
    await ctx.services.db.$transaction(async (tx) => {
      if (belongsToId !== null) await ensureOwnLocation(tx, ctx.orgId, belongsToId);
      await tx.$queryRaw(authorStatement(ctx.author));
      if (!(await giveLocation(tx, ctx.orgId, { assetId, belongsToId }))) throw assetNotFound();
    });
  });

/** Returns whether an asset is away, as `kernel/database/away.ts` says. A deleted location has no assets of its own. */
export function isAway(belongsTo: LocationWithPath | null, location: LocationWithPath | null): boolean {
  if (!belongsTo || belongsTo.is_deleted || !location) return false;
  return location.path.every(({ id }) => id !== belongsTo.id);
}

/** Ensures that assets can belong to a location. @throws ContractError `validation_error` if it is not a live location */
export async function ensureOwnLocation(db: Queries, orgId: number, locationId: number): Promise<void> {
  if (await locationExists(db, orgId, locationId)) return;
  throw fieldRefusal('belongs_to_id', 'not_found', { value: locationId });
}

/** Returns false if there is no such live asset. An asset that belongs to the location already is not changed. */
async function giveLocation(
  tx: TransactionClient,
  orgId: number,
  { assetId, belongsToId }: { assetId: number; belongsToId: number | null },
): Promise<boolean> {
  const found = await tx.$queryRaw<{ belongs_to_id: number | null }[]>`
    SELECT a.belongs_to_id FROM assets a
     WHERE a.org_id = ${orgId} AND a.id = ${assetId} AND a.deleted_at IS NULL
       FOR UPDATE`;
  if (found[0]?.belongs_to_id === belongsToId) return true;
  await tx.$executeRaw`
    UPDATE assets a SET belongs_to_id = ${belongsToId}::int, updated_at = ${nextInstant('a.updated_at')}
     WHERE a.org_id = ${orgId} AND a.id = ${assetId} AND a.deleted_at IS NULL`;
  return found.length > 0;
}
