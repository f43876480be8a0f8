import { z } from 'zod';
import { sessionProcedure } from '../trpc.js';
import { type ExpectedAsset, listExpected } from './expected-queries.js';
import { locationNotFound } from './procedure.js';
import { locationExists } from './queries.js';
import { locationId } from './schemas.js';

/** More than anybody scans at once. */
const expectedMax = 5000;

/**
 * Returns what an audit of a location expects: its active assets with their tags, so that scans are recognized without
 * a request each. `is_complete` is false if there are more.
 */
export const expectedAssets = sessionProcedure('viewer')
  .input(z.strictObject(locationId))
  .query(async ({ ctx, input: { location_id } }): Promise<{ assets: ExpectedAsset[]; is_complete: boolean }> => {
    const { db } = ctx.services;
    if (!(await locationExists(db, ctx.orgId, location_id))) throw locationNotFound();
    const assets = await listExpected(db, ctx.orgId, { locationId: location_id, limit: expectedMax + 1 });
    return { assets: assets.slice(0, expectedMax), is_complete: assets.length <= expectedMax };
  });
