import { z } from 'zod';
import { listOf, pageOfViews, pagingFields } from '../../kernel/lists.js';
import { described, scopedProcedure } from '../../trpc.js';
import { fail, field } from '../../kernel/validation/failure.js';
import { locationNotFound } from './procedure.js';
import { locationId, locationView } from './schemas.js';
import { type Traversal, traverseTree } from './tree-queries.js';
import { viewLocation } from './view.js';

/**
 * The three traversals have a fixed order. `sort` is not a parameter, and is rejected with the contract's message
 * (contract 3.4).
 */
const unsupportedSort = field<never>(() => fail('no_sort'), {
  'x-not-a-parameter': true,
}).exactOptional();

const input = z.strictObject({ ...locationId, ...pagingFields, sort: unsupportedSort });

const output = described(listOf(locationView));

/** `GET /api/v1/locations/{location_id}/ancestors`: from the root down toward the location. */
export const listLocationAncestors = traversalProcedure('ancestors', {
  operationId: 'listLocationAncestors',
  summary: 'List the ancestors of a location',
  description: 'Pages from the top of the tree down to the parent.',
});

/** `GET /api/v1/locations/{location_id}/children`: immediate children by name. */
export const listLocationChildren = traversalProcedure('children', {
  operationId: 'listLocationChildren',
  summary: 'List the children of a location',
  description: 'Pages through the locations directly below, by name.',
});

/** `GET /api/v1/locations/{location_id}/descendants`: depth first, each level by lower-cased key. */
export const listLocationDescendants = traversalProcedure('descendants', {
  operationId: 'listLocationDescendants',
  summary: 'List the descendants of a location',
  description: 'Pages through everything below, each location ahead of those below it.',
});

function traversalProcedure(
  traversal: Traversal,
  words: { operationId: string; summary: string; description: string },
) {
  return scopedProcedure
    .meta({
      openapi: { ...words, method: 'GET', path: `/api/v1/locations/{location_id}/${traversal}`, tags: ['locations'] },
      scopes: ['locations:read'],
      schemas: { response: 'LocationListResponse' },
    })
    .input(input)
    .output(output)
    .query(async ({ ctx, input: { location_id: locationId, limit, offset } }) => {
      const paging = { limit, offset };
      const rows = await traverseTree(ctx.services.db, ctx.orgId, { traversal, locationId, paging });
      if (rows.length === 0) throw locationNotFound();
      return pageOfViews(rows, paging, viewLocation);
    });
}
