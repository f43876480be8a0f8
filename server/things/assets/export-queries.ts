import { Prisma } from '../../../generated/prisma/client.js';
import type { Database } from '../../kernel/database/client.js';
import { effective, epochMs } from '../../kernel/database/columns.js';
import { boundedPage, type SizedRow } from '../../kernel/export-page.js';
import { allOf } from '../../kernel/lists.js';
import { freeLocations } from '../locations/free.js';
import { subtreeOf } from '../locations/tree.js';
import { idMax } from '../../kernel/validation/fields.js';
import { matchingIds, workingSearchOf } from './search-conditions.js';
import { hasDetail, includesNeverSeen, positionConditions, type TableFilter } from './table-filter.js';
import { type AssetRow, assetRow } from './view.js';

export type ExportFilter = Omit<TableFilter, 'locationIds'> & {
  isFree?: boolean | undefined;
  ids?: readonly number[] | undefined;
  locationId?: number | undefined;
};

/** An asset of an export, with its position; instants are epoch milliseconds. */
export type ExportRow = AssetRow &
  SizedRow & {
    kind_id: number | null;
    kind: string | null;
    location_id: number | null;
    asset_last_seen: number | null;
  };

/** Returns the matching live assets whose key comes after the given one, by key, as many as a page has space for. */
export async function assetsAfter(
  db: Database,
  orgId: number,
  { filter, after, limit }: { filter: ExportFilter; after: string; limit: number },
): Promise<ExportRow[]> {
  const search = filter.q === undefined ? undefined : await workingSearchOf(db, orgId, filter.q);
  const conditions = allOf([
    Prisma.sql`a.org_id = ${orgId}`,
    Prisma.sql`a.deleted_at IS NULL`,
    Prisma.sql`a.external_key > ${after}`,
    filter.ids && Prisma.sql`a.id = ANY(${[...filter.ids]}::int[])`,
    filter.isActive === undefined ? undefined : Prisma.sql`a.is_active = ${filter.isActive}`,
    filter.inEffect === undefined ? undefined : Prisma.sql`(${effective('a')}) = ${filter.inEffect}`,
    filter.kindId === undefined ? undefined : Prisma.sql`a.kind_id = ${filter.kindId}`,
    search && Prisma.sql`a.id IN (${matchingIds(orgId, search, idMax)})`,
    filter.tagType === undefined
      ? undefined
      : Prisma.sql`a.id IN (SELECT g.asset_id FROM tags g
                             WHERE g.org_id = ${orgId} AND g.tag_type = ${filter.tagType} AND g.deleted_at IS NULL)`,
    ...(filter.metadata ?? []).map(
      (pair) => Prisma.sql`
        a.id IN (SELECT v.asset_id FROM metadata_values v
                  WHERE v.org_id = ${orgId} AND v.key = ${pair.key} AND v.value = ${pair.value})
        AND ${hasDetail(pair, 'a')}`,
    ),
    positionCondition(orgId, filter),
  ]);
  return db.$queryRaw`
    SELECT page.*, (SELECT k.name FROM asset_kinds k WHERE k.org_id = ${orgId} AND k.id = page.kind_id) AS kind, p.location_id, ${epochMs('p.asset_last_seen')} AS asset_last_seen
      FROM (${boundedPage(
        Prisma.sql`
        SELECT ${assetRow}, a.kind_id
          FROM assets a
         WHERE ${conditions}
         ORDER BY a.external_key
         LIMIT ${limit}`,
        Prisma.sql`coalesce(octet_length(metadata::text), 0) + coalesce(octet_length(tags::text), 0)`,
      )}) page
      LEFT JOIN asset_positions p ON p.org_id = ${orgId} AND p.asset_id = page.id
     ORDER BY page.external_key`;
}

function positionCondition(orgId: number, filter: ExportFilter): Prisma.Sql | undefined {
  const { locationId, isFree, seenBeforeMs, movedSinceMs, readerId, isSeen } = filter;
  const conditions = allOf([
    Prisma.sql`p.org_id = ${orgId}`,
    locationId === undefined
      ? undefined
      : Prisma.sql`p.location_id IN (WITH RECURSIVE ${subtreeOf(orgId, locationId)} SELECT id FROM down)`,
    isFree === undefined
      ? undefined
      : Prisma.sql`p.location_id IN (WITH RECURSIVE ${freeLocations(orgId)} SELECT id FROM free)`,
    ...positionConditions({ seenBeforeMs, movedSinceMs, readerId }),
  ]);
  const seen = Prisma.sql`a.id IN (SELECT p.asset_id FROM asset_positions p WHERE ${conditions})`;
  const neverSeen = Prisma.sql`a.id NOT IN (SELECT p.asset_id FROM asset_positions p WHERE p.org_id = ${orgId})`;
  if (isSeen === false)
    return [locationId, isFree, movedSinceMs, readerId].every((part) => part === undefined)
      ? neverSeen
      : Prisma.sql`false`;
  if (locationId === undefined && isFree === undefined && includesNeverSeen(filter))
    return Prisma.sql`(${seen} OR ${neverSeen})`;
  const isAsked =
    isSeen === true || [locationId, isFree, seenBeforeMs, movedSinceMs, readerId].some((part) => part !== undefined);
  return isAsked ? seen : undefined;
}
