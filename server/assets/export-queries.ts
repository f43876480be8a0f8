import { Prisma } from '../../generated/prisma/client.js';
import type { Database } from '../database/client.js';
import { effective, instant } from '../database/columns.js';
import { seenBefore } from '../database/position-order.js';
import { allOf } from '../lists.js';
import { idMax } from '../validation/fields.js';
import { matchingIds, searchOf } from './search-conditions.js';
import { type AssetRow, assetRow } from './view.js';

export type ExportFilter = {
  ids?: readonly number[] | undefined;
  q?: string | undefined;
  isActive?: boolean | undefined;
  inEffect?: boolean | undefined;
  locationId?: number | undefined;
  isSeen?: boolean | undefined;
  seenBeforeMs?: number | undefined;
  movedSinceMs?: number | undefined;
};

/** The live assets that match and whose key comes after the given one, in the order of their keys. */
export async function assetsAfter(
  db: Database,
  orgId: number,
  { filter, after, limit }: { filter: ExportFilter; after: string; limit: number },
): Promise<AssetRow[]> {
  const conditions = allOf([
    Prisma.sql`a.org_id = ${orgId}`,
    Prisma.sql`a.deleted_at IS NULL`,
    Prisma.sql`a.external_key > ${after}`,
    filter.ids && Prisma.sql`a.id = ANY(${[...filter.ids]}::int[])`,
    filter.isActive === undefined ? undefined : Prisma.sql`a.is_active = ${filter.isActive}`,
    filter.inEffect === undefined ? undefined : Prisma.sql`(${effective('a')}) = ${filter.inEffect}`,
    filter.q === undefined ? undefined : Prisma.sql`a.id IN (${matchingIds(orgId, searchOf(orgId, filter.q), idMax)})`,
    listingCondition(orgId, filter),
  ]);
  return db.$queryRaw`
    SELECT ${assetRow} FROM assets a WHERE ${conditions} ORDER BY a.external_key LIMIT ${limit}`;
}

function listingCondition(orgId: number, filter: ExportFilter): Prisma.Sql | undefined {
  const { locationId, seenBeforeMs, movedSinceMs, isSeen } = filter;
  const conditions = allOf([
    Prisma.sql`s.org_id = ${orgId}`,
    locationId === undefined ? undefined : Prisma.sql`s.location_id IN (${subtree(orgId, locationId)})`,
    seenBeforeMs === undefined ? undefined : seenBefore('s', instant(seenBeforeMs)),
    movedSinceMs === undefined ? undefined : Prisma.sql`s.located_since >= ${instant(movedSinceMs)}`,
  ]);
  const seen = Prisma.sql`a.id IN (SELECT s.asset_id FROM position_listings s WHERE ${conditions})`;
  if (isSeen === false) return Prisma.sql`NOT ${seen}`;
  const isAsked = isSeen === true || [locationId, seenBeforeMs, movedSinceMs].some((part) => part !== undefined);
  return isAsked ? seen : undefined;
}

/** A live location and all live ones below it. */
function subtree(orgId: number, locationId: number): Prisma.Sql {
  return Prisma.sql`
    WITH RECURSIVE down AS (
      SELECT l.id FROM locations l WHERE l.org_id = ${orgId} AND l.id = ${locationId} AND l.deleted_at IS NULL
      UNION ALL
      SELECT c.id FROM down JOIN locations c ON c.org_id = ${orgId} AND c.parent_id = down.id AND c.deleted_at IS NULL
    )
    SELECT id FROM down`;
}
