import { z } from 'zod';
import type { Database } from '../../kernel/database/client.js';
import { type ListOf, listOf, pageOf, type Paging, pagingFields } from '../../kernel/lists.js';
import { described, scopedProcedure } from '../../trpc.js';
import { fail, field } from '../../kernel/validation/failure.js';
import { locationNotFound } from './procedure.js';
import { type LocationView, locationId, locationView } from './schemas.js';
import { type Traversal, traverseTree } from './tree-queries.js';
import { viewLocation } from './view.js';

/**
 * The three traversals have a fixed order; any `sort` is rejected in the contract's words and is not a parameter
 * (contract 3.4).
 */
export const unsupportedSort = field<never>(
  () => fail('invalid_value', 'sort parameter not supported on this endpoint'),
  {
    'x-not-a-parameter': true,
  },
).exactOptional();

const input = z.strictObject({ ...locationId, ...pagingFields, sort: unsupportedSort });

const output = described(listOf(locationView));

/** `GET /api/v1/locations/{location_id}/ancestors`: from the root down toward the location. */
export const listLocationAncestors = scopedProcedure
  .meta(
    metaOf({
      traversal: 'ancestors',
      operationId: 'listLocationAncestors',
      summary: 'List the ancestors of a location',
      description: 'Pages from the top of the tree down to the parent.',
    }),
  )
  .input(input)
  .output(output)
  .query(({ ctx, input: { location_id, limit, offset } }) =>
    traversalPage(ctx, {
      traversal: 'ancestors',
      locationId: location_id,
      paging: { limit, offset },
    }),
  );

/** `GET /api/v1/locations/{location_id}/children`: immediate children by name. */
export const listLocationChildren = scopedProcedure
  .meta(
    metaOf({
      traversal: 'children',
      operationId: 'listLocationChildren',
      summary: 'List the children of a location',
      description: 'Pages through the locations directly below, by name.',
    }),
  )
  .input(input)
  .output(output)
  .query(({ ctx, input: { location_id, limit, offset } }) =>
    traversalPage(ctx, {
      traversal: 'children',
      locationId: location_id,
      paging: { limit, offset },
    }),
  );

/** `GET /api/v1/locations/{location_id}/descendants`: depth first, each level by lower-cased key. */
export const listLocationDescendants = scopedProcedure
  .meta(
    metaOf({
      traversal: 'descendants',
      operationId: 'listLocationDescendants',
      summary: 'List the descendants of a location',
      description: 'Pages through everything below, each location ahead of those below it.',
    }),
  )
  .input(input)
  .output(output)
  .query(({ ctx, input: { location_id, limit, offset } }) =>
    traversalPage(ctx, {
      traversal: 'descendants',
      locationId: location_id,
      paging: { limit, offset },
    }),
  );

function metaOf({
  traversal,
  ...words
}: {
  traversal: Traversal;
  operationId: string;
  summary: string;
  description: string;
}) {
  return {
    openapi: {
      ...words,
      method: 'GET' as const,
      path: `/api/v1/locations/{location_id}/${traversal}` as const,
      tags: ['locations'],
    },
    scopes: ['locations:read'] as const,
    schemas: { response: 'LocationListResponse' },
  };
}

async function traversalPage(
  ctx: { services: { db: Database }; orgId: number },
  request: { traversal: Traversal; locationId: number; paging: Paging },
): Promise<ListOf<LocationView>> {
  const rows = await traverseTree(ctx.services.db, ctx.orgId, request);
  if (rows.length === 0) throw locationNotFound();
  return pageOf(rows, request.paging, viewLocation);
}
