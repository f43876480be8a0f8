import { z } from 'zod';
import { listOf, pageOfViews, pagingFields } from '../../kernel/lists.js';
import { formatNullableTimestamp, formatTimestamp } from '../../kernel/time.js';
import { described, scopedProcedure } from '../../trpc.js';
import { exclusivePair } from '../../kernel/validation/exclusive-pair.js';
import { idsParameter, keysParameter, sortParameter } from '../../kernel/validation/parameters.js';
import { includeDeletedField, keyRule, viewFields } from '../../kernel/validation/resource-fields.js';
import { listPositionRows, type ReportRow, reportSortFields } from './queries.js';

export const assetLocationItem = z
  .object({
    asset_id: viewFields.id,
    asset_external_key: z.string(),
    location_id: viewFields.nullableId,
    location_external_key: z.string().nullable(),
    asset_last_seen: viewFields.timestamp,
    asset_deleted_at: viewFields.nullableTimestamp,
  })
  .meta({ id: 'AssetLocationItem' });

type AssetLocationItem = z.output<typeof assetLocationItem>;

const input = z
  .strictObject({
    asset_id: idsParameter().exactOptional(),
    asset_external_key: keysParameter(keyRule).exactOptional(),
    location_id: idsParameter().exactOptional(),
    location_external_key: keysParameter(keyRule).exactOptional(),
    include_deleted: includeDeletedField,
    ...pagingFields,
    sort: sortParameter(reportSortFields, '-asset_last_seen'),
  })
  .check(exclusivePair('asset_id', 'asset_external_key'), exclusivePair('location_id', 'location_external_key'));

/** `GET /api/v1/reports/asset-locations`: returns the present location of each scanned asset (contract 2.5, 3.5). */
export const listAssetLocations = scopedProcedure
  .meta({
    openapi: {
      method: 'GET',
      path: '/api/v1/reports/asset-locations',
      operationId: 'listAssetLocations',
      summary: 'Report where assets are',
      description:
        'Lists the assets that were ever seen, each with its location and the time at which it was seen last.',
      tags: ['tracking'],
    },
    scopes: ['tracking:read'],
    schemas: { response: 'AssetLocationListResponse' },
  })
  .input(input)
  .output(described(listOf(assetLocationItem)))
  .query(async ({ ctx, input: { limit, offset, sort, ...filter } }) => {
    const paging = { limit, offset };
    const { db, reportStarts: starts } = ctx.services;
    return pageOfViews(await listPositionRows(db, ctx.orgId, { filter, sort, paging, starts }), paging, viewPosition);
  });

function viewPosition(row: ReportRow): AssetLocationItem {
  return {
    asset_id: row.id,
    asset_external_key: row.asset_external_key,
    location_id: row.location_id,
    location_external_key: row.location_external_key,
    asset_last_seen: formatTimestamp(row.asset_last_seen),
    asset_deleted_at: formatNullableTimestamp(row.asset_deleted_at),
  };
}
