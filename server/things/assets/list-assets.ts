import { z } from 'zod';
import { Prisma } from '../../../generated/prisma/client.js';
import { type ListCounts, resourceList } from '../../kernel/database/resource-list.js';
import { type CountedRow, listOf, pageOfViews, pagingFields } from '../../kernel/lists.js';
import { described, scopedProcedure } from '../../trpc.js';
import { sortParameter } from '../../kernel/validation/parameters.js';
import { filterFields } from '../../kernel/validation/resource-fields.js';
import { assetView } from './schemas.js';
import { type AssetRow, assetRow, viewAsset } from './view.js';

const input = z.strictObject({
  ...filterFields,
  ...pagingFields,
  sort: sortParameter(['external_key', 'name', 'created_at', 'updated_at'], 'external_key'),
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
    const { found, order, remember } = resourceList(ctx.orgId, {
      kind: 'asset',
      filter,
      sort,
      paging,
      anchors,
      narrowing: [filter.external_key && Prisma.sql`a.external_key = ANY(${filter.external_key}::text[])`],
    });
    const rows = await db.$queryRaw<CountedRow<AssetRow, ListCounts>[]>`
      ${found}
      SELECT counts.*, ${assetRow}
        FROM counts
        LEFT JOIN (
          page CROSS JOIN LATERAL (
            SELECT * FROM assets r WHERE r.org_id = ${ctx.orgId} AND r.id = page.id OFFSET 0
          ) a
        ) ON true
       ORDER BY ${order}`;
    remember(rows[0]);
    return pageOfViews(rows, paging, viewAsset);
  });
