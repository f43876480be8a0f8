import { z } from 'zod';
import { sessionProcedure } from '../../trpc.js';
import { integerParameter } from '../../kernel/validation/parameters.js';
import { filterFields } from '../../kernel/validation/resource-fields.js';
import { type FoundLocation, firstByPath, searchPaths } from './path-queries.js';

const input = z
  .strictObject({
    q: filterFields.q,
    limit: integerParameter({ min: 1, max: 50 }).default(20),
  })
  .prefault({});

/**
 * Finds live locations by words anywhere on their path, the best match first; without a text, the first locations in
 * the order of their paths. Each is returned with its path, from the root of the tree to the location itself.
 */
export const searchLocations = sessionProcedure('viewer')
  .input(input)
  .query(async ({ ctx, input: { q, limit } }): Promise<FoundLocation[]> => {
    const { db } = ctx.services;
    return q === undefined ? firstByPath(db, ctx.orgId, limit) : searchPaths(db, ctx.orgId, { q, limit });
  });
