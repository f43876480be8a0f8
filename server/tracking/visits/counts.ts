import { z } from 'zod';
import { locationNotFound } from '../../things/locations/procedure.js';
import { locationExists } from '../../things/locations/queries.js';
import { formatTimestamp } from '../../kernel/time.js';
import { sessionProcedure } from '../../trpc.js';
import { idParameter, timestampParameter } from '../../kernel/validation/parameters.js';
import { type CountRow, countAtInstant } from './count-queries.js';
import { keptInstant } from './instant.js';

/** More locations than a plan or a table shows. */
const locationsMax = 10_000;

/** How many assets were at a location at an instant; `assets_below` includes sublocations. */
export type LocationCount = CountRow;

/** The locations at which assets were at `at`, with the locations above them up to the requested one. */
export type InstantCounts = { at: string; data: LocationCount[]; is_complete: boolean };

const input = z.strictObject({ at: timestampParameter(), location_id: idParameter().exactOptional() });

/**
 * Counts the assets at each location at an instant, from visits: in a location and its sublocations, or in all
 * locations. The tree of locations is that of today. An instant in the future is the present. A location without assets
 * is left out.
 */
export const countVisits = sessionProcedure('viewer')
  .input(input)
  .query(async ({ ctx, input: { at, location_id: locationId = null } }): Promise<InstantCounts> => {
    const { db, settings } = ctx.services;
    const atMs = keptInstant(at, { field: 'at', nowMs: Date.now(), retentionDays: settings.eventRetentionDays });
    if (locationId !== null && !(await locationExists(db, ctx.orgId, locationId))) throw locationNotFound();
    const rows = await countAtInstant(db, ctx.orgId, { locationId, atMs, limit: locationsMax + 1 });
    return {
      at: formatTimestamp(atMs),
      data: rows.slice(0, locationsMax),
      is_complete: rows.length <= locationsMax,
    };
  });
