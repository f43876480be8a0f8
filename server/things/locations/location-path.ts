import { z } from 'zod';
import { sessionProcedure } from '../../trpc.js';
import { findPath, type PathStep } from './path-queries.js';
import { locationNotFound } from './procedure.js';
import { locationId } from './schemas.js';

/** Returns the path to a live location: from the root of the tree down to the location itself, which comes last. */
export const locationPath = sessionProcedure('viewer')
  .input(z.strictObject(locationId))
  .query(async ({ ctx, input }): Promise<PathStep[]> => {
    const path = await findPath(ctx.services.db, ctx.orgId, input.location_id);
    if (!path) throw locationNotFound();
    return path;
  });
