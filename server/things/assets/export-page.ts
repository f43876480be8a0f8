import { z } from 'zod';
import { exportPageFields, exportPageOf } from '../../kernel/export-page.js';
import { formatNullableTimestamp } from '../../kernel/time.js';
import { sessionProcedure } from '../../trpc.js';
import { assetsAfter } from './export-queries.js';
import { readLocationPaths } from './location-paths.js';
import type { AssetView } from './schemas.js';
import { tableFilterFields, readTableFilter } from './table-input.js';
import { viewAsset } from './view.js';

/** The filters of the app's table, and chosen assets. */
const input = z.strictObject({ ...exportPageFields, ...tableFilterFields });

/** An asset of an export, with the name of its kind. The columns about its position are for people: an import ignores them. */
export type ExportedAsset = AssetView & {
  kind: string | null;
  /** The names from the root of the tree down to the location; empty without a location. */
  location_path: string[];
  location_external_key: string | null;
  asset_last_seen: string | null;
};

/**
 * Returns a page of an export, by key: each page begins after the last key of the previous one, so all pages cost the
 * same. Large rows make a page shorter than its limit.
 */
export const exportAssetsPage = sessionProcedure('viewer')
  .input(input)
  .query(async ({ ctx, input: { ids, after, limit, ...wanted } }) => {
    const { db } = ctx.services;
    const { filter } = await readTableFilter(db, ctx.orgId, wanted);
    const rows = await assetsAfter(db, ctx.orgId, { filter, ids, after, limit });
    const locations = await readLocationPaths(
      db,
      ctx.orgId,
      rows.map(({ location_id: at }) => at),
    );
    const data = rows.map((row): ExportedAsset => {
      const location = row.location_id === null ? undefined : locations.get(row.location_id);
      return {
        ...viewAsset(row),
        kind: row.kind,
        location_path: location?.path.map(({ name }) => name) ?? [],
        location_external_key: location?.external_key ?? null,
        asset_last_seen: formatNullableTimestamp(row.asset_last_seen),
      };
    });
    return exportPageOf(data, { bytes: rows.at(-1)?.bytes ?? 0, limit });
  });
