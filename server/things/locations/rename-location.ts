import { z } from 'zod';
import { breaksUnique } from '../../kernel/database/faults.js';
import { holderOfKey } from '../tags/queries.js';
import { described } from '../../trpc.js';
import { describedAs } from '../../kernel/validation/failure.js';
import { keyField } from '../../kernel/validation/resource-fields.js';
import { locationKeyTaken, locationNotFound, locationProcedure } from './procedure.js';
import { changeLocation, lockLocation } from './queries.js';
import { locationId, locationView } from './schemas.js';
import { countDescendants } from './tree-queries.js';
import { viewLocation } from './view.js';

/**
 * `POST /api/v1/locations/{location_id}/rename`: gives the location another natural key and returns the number of live
 * descendants. The present key changes nothing, and the number is then 0 (contract 5.10).
 */
export const renameLocation = locationProcedure
  .meta({
    openapi: {
      method: 'POST',
      path: '/api/v1/locations/{location_id}/rename',
      operationId: 'renameLocation',
      summary: 'Rename a location',
      description:
        'Gives the location another key and counts the live locations below it. The key it has already is accepted and changes nothing.',
      tags: ['locations'],
    },
    scopes: ['locations:write'],
    conflicts: true,
    schemas: { request: 'RenameLocationRequest', response: 'LocationRenameResponse' },
  })
  .input(z.strictObject({ ...locationId, external_key: keyField('create-string') }))
  .output(
    described(
      z.object({
        data: locationView,
        descendant_count_affected: z.int().meta(describedAs({ type: 'integer', minimum: 0 })),
      }),
    ),
  )
  .mutation(async ({ ctx, input: { location_id: id, external_key: key } }) => {
    const { orgId, author } = ctx;
    try {
      const renamed = await ctx.services.db.$transaction(async (tx) => {
        const current = await lockLocation(tx, orgId, id);
        if (!current || current.external_key === key) return { row: current, affected: 0 };
        const row = await changeLocation(tx, orgId, { locationId: id, changes: { external_key: key }, author });
        return { row, affected: await countDescendants(tx, orgId, id) };
      });
      if (!renamed.row) throw locationNotFound();
      return { data: viewLocation(renamed.row), descendant_count_affected: renamed.affected };
    } catch (error) {
      if (!breaksUnique(error, 'locations_live_external_key')) throw error;
      const related = await holderOfKey(ctx.services.db, orgId, { kind: 'location', externalKey: key });
      throw locationKeyTaken(key, { cause: error, related });
    }
  });
