import { z } from 'zod';
import { Prisma } from '../../../generated/prisma/client.js';
import { type ListCounts, resourceList } from '../../kernel/database/resource-list.js';
import { type CountedRow, listOf, pageOfViews, pagingFields } from '../../kernel/lists.js';
import { described, scopedProcedure } from '../../trpc.js';
import { exclusivePair } from '../../kernel/validation/exclusive-pair.js';
import { sortParameter } from '../../kernel/validation/parameters.js';
import { filterFields } from '../../kernel/validation/resource-fields.js';
import { locationView, parentFilters } from './schemas.js';
import { type LocationRow, locationRow, viewLocation } from './view.js';

const { external_key, ...otherFilters } = filterFields;

const input = z
  .strictObject({
    external_key,
    ...parentFilters,
    ...otherFilters,
    ...pagingFields,
    sort: sortParameter(['external_key', 'name', 'created_at'], 'external_key'),
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
    const { found, order } = resourceList(ctx.orgId, {
      kind: 'location',
      filter,
      sort,
      paging,
      narrowing: [
        filter.external_key && Prisma.sql`l.external_key = ANY(${filter.external_key}::text[])`,
        filter.parent_id === undefined ? undefined : Prisma.sql`l.parent_id = ${filter.parent_id}`,
        filter.parent_external_key === undefined ? undefined : isBelowKey(ctx.orgId, filter.parent_external_key),
      ],
    });
    const rows = await ctx.services.db.$queryRaw<CountedRow<LocationRow, ListCounts>[]>`
      ${found}
      SELECT counts.*, ${locationRow}
        FROM counts
        LEFT JOIN (
          page CROSS JOIN LATERAL (
            SELECT * FROM locations r WHERE r.org_id = ${ctx.orgId} AND r.id = page.id OFFSET 0
          ) l
        ) ON true
       ORDER BY ${order}`;
    return pageOfViews(rows, paging, viewLocation);
  });

/** Returns the condition that a location `l` is directly below the live location with a key. */
function isBelowKey(orgId: number, key: string): Prisma.Sql {
  return Prisma.sql`l.parent_id = (
    SELECT p.id FROM locations p WHERE p.org_id = ${orgId} AND p.external_key = ${key} AND p.deleted_at IS NULL)`;
}
