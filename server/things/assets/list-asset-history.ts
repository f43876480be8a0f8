import { z } from 'zod';
import { listOf, pagingFields } from '../../kernel/lists.js';
import { formatTimestamp } from '../../kernel/time.js';
import { described, scopedProcedure } from '../../trpc.js';
import { describedAs } from '../../kernel/validation/failure.js';
import { sortParameter, timestampParameter } from '../../kernel/validation/parameters.js';
import { viewFields } from '../../kernel/validation/resource-fields.js';
import { listEventRows } from './history-queries.js';
import { assetNotFound } from './procedure.js';
import { assetId } from './schemas.js';

export const assetHistoryItem = z
  .object({
    event_observed_at: viewFields.timestamp,
    location_id: viewFields.nullableId,
    location_external_key: z.string().nullable(),
    duration_seconds: z
      .int()
      .nullable()
      .meta(describedAs({ type: 'integer', format: 'int64', minimum: 0, nullable: true })),
  })
  .meta({ id: 'AssetHistoryItem' });

const input = z.strictObject({
  ...assetId,
  from: timestampParameter().exactOptional(),
  to: timestampParameter().exactOptional(),
  ...pagingFields,
  sort: sortParameter(['event_observed_at'], '-event_observed_at'),
});

/**
 * `GET /api/v1/assets/{asset_id}/history`: returns where a live asset was seen, newest first by default (contract 3.6).
 */
export const listAssetHistory = scopedProcedure
  .meta({
    openapi: {
      method: 'GET',
      path: '/api/v1/assets/{asset_id}/history',
      operationId: 'listAssetHistory',
      summary: 'Read where an asset was seen',
      description:
        'Lists the sightings of an asset, by default newest first. Repeated reads at one location add at most one row per deduplication window.',
      tags: ['tracking'],
    },
    scopes: ['tracking:read'],
    schemas: { response: 'AssetHistoryResponse' },
  })
  .input(input)
  .output(described(listOf(assetHistoryItem)))
  .query(async ({ ctx, input: { asset_id: asset, from, to, limit, offset, sort } }) => {
    const descending = sort[0]?.descending ?? true;
    const page = await listEventRows(ctx.services.db, ctx.orgId, {
      assetId: asset,
      fromMs: from ?? null,
      toMs: to ?? null,
      descending,
      paging: { limit, offset },
    });
    if (!page) throw assetNotFound();
    return {
      data: page.rows.map((row) => ({
        event_observed_at: formatTimestamp(row.event_observed_at),
        location_id: row.location_id,
        location_external_key: row.location_external_key,
        duration_seconds: row.next_at === null ? null : Math.floor((row.next_at - row.event_observed_at) / 1000),
      })),
      limit,
      offset,
      total_count: page.totalCount,
    };
  });
