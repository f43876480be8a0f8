import { z } from 'zod';
import { sessionProcedure } from '../../trpc.js';
import { type ExpectedAsset, type ExpectedLimits, listExpected } from './expected-queries.js';
import { locationNotFound } from './procedure.js';
import { locationExists } from './queries.js';
import { locationId } from './schemas.js';

/** More than anybody scans at once, and less than a request can return. */
const limits: ExpectedLimits = { assetsMax: 5000, tagBytesMax: 4 * 1024 * 1024 };

/**
 * Returns what an audit of a location expects: its active assets with their tags, so that scans are recognized without
 * a request each. `is_complete` is false if there are more, or if their tags take more than 4 MiB.
 */
export const expectedAssets = sessionProcedure('viewer')
  .input(z.strictObject(locationId))
  .query(async ({ ctx, input: { location_id } }): Promise<{ assets: ExpectedAsset[]; is_complete: boolean }> => {
    const { db } = ctx.services;
    if (!(await locationExists(db, ctx.orgId, location_id))) throw locationNotFound();
    const { assets, isComplete } = await listExpected(db, { orgId: ctx.orgId, locationId: location_id }, limits);
    return { assets, is_complete: isComplete };
  });
