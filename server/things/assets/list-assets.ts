import { z } from 'zod';
import { pageOf } from '../../kernel/lists.js';
import { listOf, pagingFields } from '../../kernel/lists.js';
import { described, scopedProcedure } from '../../trpc.js';
import { sortParameter } from '../../kernel/validation/parameters.js';
import { filterFields } from '../../kernel/validation/resource-fields.js';
import { assetSortFields, listAssetRows } from './list-queries.js';
import { assetView } from './schemas.js';
import { viewAsset } from './view.js';

const input = z.strictObject({
  ...filterFields,
  ...pagingFields,
  sort: sortParameter(assetSortFields, 'external_key'),
});

/** `GET /api/v1/assets`: returns the matching effective assets, sorted, with their count (contract 3.2). */
export const listAssets = scopedProcedure
  .meta({
    openapi: {
      method: 'GET',
      path: '/api/v1/assets',
      operationId: 'listAssets',
      summary: 'List assets',
      description:
        'Lists the assets that are effective now. Look one up by its key; an unknown key returns an empty list.',
      tags: ['assets'],
    },
    scopes: ['assets:read'],
    schemas: { response: 'AssetListResponse' },
  })
  .input(input)
  .output(described(listOf(assetView)))
  .query(async ({ ctx, input: { limit, offset, sort, ...filter } }) => {
    const paging = { limit, offset };
    const { db, pageAnchors: anchors } = ctx.services;
    const rows = await listAssetRows(db, ctx.orgId, { filter, sort, paging, anchors });
    return pageOf(rows, paging, viewAsset);
  });
