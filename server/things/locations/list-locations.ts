import { z } from 'zod';
import { listOf, pageOf, pagingFields } from '../../kernel/lists.js';
import { described, scopedProcedure } from '../../trpc.js';
import { exclusivePair } from '../../kernel/validation/exclusive-pair.js';
import { sortParameter } from '../../kernel/validation/parameters.js';
import { filterFields } from '../../kernel/validation/resource-fields.js';
import { listLocationRows, locationSortFields } from './queries.js';
import { locationView, parentFilters } from './schemas.js';
import { viewLocation } from './view.js';

const { external_key, ...otherFilters } = filterFields;

const input = z
  .strictObject({
    external_key,
    ...parentFilters,
    ...otherFilters,
    ...pagingFields,
    sort: sortParameter(locationSortFields, 'external_key'),
  })
  .check(exclusivePair('parent_id', 'parent_external_key'));

/** `GET /api/v1/locations`: returns the matching effective locations, sorted, with their count (contract 3.2). */
export const listLocations = scopedProcedure
  .meta({
    openapi: {
      method: 'GET',
      path: '/api/v1/locations',
      operationId: 'listLocations',
      summary: 'List locations',
      description: 'Lists the locations that are effective now. With a parent, only those directly below it.',
      tags: ['locations'],
    },
    scopes: ['locations:read'],
    schemas: { response: 'LocationListResponse' },
  })
  .input(input)
  .output(described(listOf(locationView)))
  .query(async ({ ctx, input: { limit, offset, sort, ...filter } }) => {
    const paging = { limit, offset };
    const rows = await listLocationRows(ctx.services.db, ctx.orgId, { filter, sort, paging });
    return pageOf(rows, paging, viewLocation);
  });
