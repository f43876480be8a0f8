import { z } from 'zod';
import { boundedPart, exportPageFields, type Part, readExportPage, type SizedRow } from '../../kernel/export-page.js';
import { formatNullableTimestamp } from '../../kernel/time.js';
import { sessionProcedure } from '../../trpc.js';
import { Prisma } from '../../../generated/prisma/client.js';
import type { Database } from '../../kernel/database/client.js';
import { sightingOf } from '../../kernel/database/placements.js';
import { pageQuery } from '../../kernel/database/list-query.js';
import { readLocationPaths } from './location-paths.js';
import type { AssetView } from './schemas.js';
import { tableFilterFields, readTableFilter } from './table-input.js';
import { viewAsset, type AssetRow, assetRow } from './view.js';
import { matches, type Search, workingSearchOf } from './search-conditions.js';
import { assetConditions, type TableFilter } from './table-filter.js';
import { positionCondition } from './table-queries.js';
import { fewCandidates } from './table-sources.js';

/** The filters of the app's table, and chosen assets. */
const input = z.strictObject({ ...exportPageFields, ...tableFilterFields });

/**
 * An asset of an export, with the name of its kind and the key of the location that it belongs to. The columns about its position
 * are for people: an import ignores them.
 */
export type ExportedAsset = AssetView & {
  kind: string | null;
  /** Null if the location is deleted, too. */
  belongs_to_external_key: string | null;
  /** The key of the container that it is in; null for none. */
  container_external_key: string | null;
  /** The names from the root of the tree down to the location; empty without a location. */
  location_path: string[];
  location_external_key: string | null;
  /** Null if it was only placed, too. */
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
    const search = filter.q === undefined ? undefined : await workingSearchOf(db, ctx.orgId, filter.q);
    const candidates = ids ?? (await fewCandidates(db, ctx.orgId, { filter, search }));
    const { rows, next } = await readExportPage({ after, limit }, (part) =>
      readAssets(db, ctx.orgId, { filter, search, ids: candidates, part }),
    );
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
        belongs_to_external_key: row.belongs_to_external_key,
        container_external_key: row.container_external_key,
        location_path: location?.path.map(({ name }) => name) ?? [],
        location_external_key: location?.external_key ?? null,
        asset_last_seen: formatNullableTimestamp(row.asset_last_seen),
      };
    });
    return { data, next };
  });

/** An asset of an export, with its position; instants are epoch milliseconds. */
type ExportRow = AssetRow &
  SizedRow & {
    kind_id: number | null;
    belongs_to_id: number | null;
    kind: string | null;
    belongs_to_external_key: string | null;
    container_external_key: string | null;
    location_id: number | null;
    asset_last_seen: number | null;
  };

type ExportRequest = {
  filter: TableFilter;
  search: Search | undefined;
  /** The only assets that can match: the chosen ones, or few candidates; all assets if undefined. */
  ids: readonly number[] | undefined;
  part: Part;
};

/** Returns a part of the matching live assets, in the order of their keys. */
async function readAssets(
  db: Database,
  orgId: number,
  { filter, search, ids, part }: ExportRequest,
): Promise<ExportRow[]> {
  const conditions = [
    assetConditions(orgId, filter),
    Prisma.sql`a.external_key > ${part.after}`,
    ids && Prisma.sql`a.id = ANY(${[...ids]}::int[])`,
    search && matches(orgId, search, 'a'),
    positionCondition(orgId, { filter }),
  ];
  const rows = await db.$queryRaw<ExportRow[]>`
    SELECT page.*, (SELECT k.name FROM asset_kinds k WHERE k.org_id = ${orgId} AND k.id = page.kind_id) AS kind,
           (SELECT l.external_key FROM locations l
             WHERE l.org_id = ${orgId} AND l.id = page.belongs_to_id AND l.deleted_at IS NULL) AS belongs_to_external_key,
           (SELECT c.external_key
              FROM asset_containments k
              JOIN assets c ON c.org_id = k.org_id AND c.id = k.container_id AND c.deleted_at IS NULL
             WHERE k.org_id = ${orgId} AND k.asset_id = page.id AND k.until IS NULL) AS container_external_key, p.location_id,
           round(date_part('epoch', ${sightingOf(orgId, 'p')}) * 1000) AS asset_last_seen
      FROM (${boundedPart(
        pageQuery({
          source: Prisma.raw('assets a'),
          conditions,
          columns: Prisma.sql`${assetRow}, a.kind_id, a.belongs_to_id`,
          order: Prisma.raw('a.external_key'),
          paging: { limit: part.limit },
        }),
        Prisma.sql`coalesce(octet_length(metadata::text), 0) + coalesce(octet_length(tags::text), 0)`,
        part,
      )}) page
      LEFT JOIN asset_positions p ON p.org_id = ${orgId} AND p.asset_id = page.id
     ORDER BY page.external_key`;
  return rows;
}
