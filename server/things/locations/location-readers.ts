import { z } from 'zod';
import { sessionProcedure } from '../../trpc.js';
import { locationNotFound } from './procedure.js';
import { locationExists } from './queries.js';
import { listReadersAt, type ReaderAt } from './reader-queries.js';
import { locationId } from './schemas.js';

/** Lists the readers that place assets at a location: by some of their antennas, or by their own location. By name. */
export const locationReaders = sessionProcedure('viewer')
  .input(z.strictObject(locationId))
  .query(async ({ ctx, input: { location_id } }): Promise<ReaderAt[]> => {
    const { db } = ctx.services;
    if (!(await locationExists(db, ctx.orgId, location_id))) throw locationNotFound();
    return listReadersAt(db, ctx.orgId, location_id);
  });
