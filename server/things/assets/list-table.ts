import { z } from 'zod';
import { locationNotFound } from '../locations/procedure.js';
import { pagingFields } from '../../kernel/lists.js';
import { sessionProcedure } from '../../trpc.js';
import { booleanParameter, idParameter, sortParameter } from '../../kernel/validation/parameters.js';
import { type PlacedAsset, readPlacedAssets } from './placed-asset.js';
import { detailColumnsField, detailKeyField, tableFilterFields, readTableFilter } from './table-input.js';
import { findTablePage, type TableSort, tableSortFields } from './table-queries.js';

const input = z.strictObject({
  ...tableFilterFields,
  detail_columns: detailColumnsField,
  /** Whether `battery` is returned. */
  with_battery: booleanParameter().default(false),
  ...pagingFields,
  sort: sortParameter(tableSortFields, 'external_key'),
  /** Instead of `sort`: the order of the values of a custom detail; assets without it are last. */
  sort_detail: z.strictObject({ key: detailKeyField, descending: booleanParameter() }).exactOptional(),
  /** Instead of `sort`: the assets nearest to this location in the tree come first. */
  near: idParameter().exactOptional(),
});

export type AssetTable = {
  data: PlacedAsset[];
  limit: number;
  offset: number;
  /** The number of matches; a lower bound if it is not exact. */
  total_count: number;
  total_is_exact: boolean;
  /** The number of rows that pages can reach. */
  reachable_count: number;
  /** Whether any location is marked as having free assets; null if the filter does not ask for free assets. */
  has_free_locations: boolean | null;
};

/**
 * Lists assets for the app's table: all assets that are not deleted, effective or not, with their positions. Only the
 * first field of the order counts. With the order `asset_last_seen`, lists only assets that were ever seen.
 */
export const listAssetTable = sessionProcedure('viewer')
  .input(input)
  .query(
    async ({
      ctx,
      input: {
        limit,
        offset,
        detail_columns: detailKeys,
        with_battery: withBattery,
        sort,
        sort_detail,
        near,
        ...wanted
      },
    }): Promise<AssetTable> => {
      const { db } = ctx.services;
      const { filter, hasLocation, hasFree } = await readTableFilter(db, ctx.orgId, wanted);
      if (!hasLocation) throw locationNotFound();
      const asked = orderOf(sort, sort_detail, near);
      const isByTime = asked.field === 'asset_last_seen';
      const page = await findTablePage(db, ctx.orgId, {
        filter: { ...filter, isSeen: filter.isSeen ?? (isByTime ? true : undefined) },
        sort: isByTime && filter.isSeen === false ? { field: 'external_key', descending: false } : asked,
        paging: { limit, offset },
      });
      return {
        data: await readPlacedAssets(db, ctx.orgId, { ids: page.ids, detailKeys, withBattery }),
        limit,
        offset,
        total_count: page.total,
        total_is_exact: page.isExact,
        reachable_count: page.reachable,
        has_free_locations: hasFree,
      };
    },
  );

type Order = z.output<typeof input>;

function orderOf(sort: Order['sort'], detail: Order['sort_detail'], nearId: Order['near']): TableSort {
  if (nearId !== undefined) return { field: 'near', nearId, descending: false };
  if (detail) return { field: 'detail', ...detail };
  return sort[0] ?? { field: 'external_key', descending: false };
}
