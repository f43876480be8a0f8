import { Prisma } from '../../../generated/prisma/client.js';
import { effective, instant } from '../../kernel/database/columns.js';
import { allOf } from '../../kernel/lists.js';
import { hasOpenProblem } from '../asset-problems/queries.js';
import type { TagType } from '../tags/schemas.js';

/** A custom detail of an asset: the key, and the value as stored in `metadata_values`. */
export type MetadataPair = { key: string; value: string };

export type TableFilter = {
  q?: string | undefined;
  isActive?: boolean | undefined;
  inEffect?: boolean | undefined;
  kindId?: number | undefined;
  /** A location with its sublocations, or other locations. */
  locationIds?: readonly number[] | undefined;
  isSeen?: boolean | undefined;
  /** Not seen since this instant, which includes assets that were never seen. */
  seenBeforeMs?: number | undefined;
  movedSinceMs?: number | undefined;
  /** The reader that saw it last. */
  readerId?: number | undefined;
  /** Has a tag of this type. */
  tagType?: TagType | undefined;
  /** Whether it has a tag whose battery was last below `lowBatteryPercent`. */
  batteryLow?: boolean | undefined;
  /** Whether it has an open problem. */
  hasProblem?: boolean | undefined;
  /** Has all of these custom details. */
  metadata?: readonly MetadataPair[] | undefined;
};

/** Returns whether a filter has a condition on the position. */
export function asksWhereOrWhen({ locationIds, seenBeforeMs, movedSinceMs, readerId }: TableFilter): boolean {
  return [locationIds, seenBeforeMs, movedSinceMs, readerId].some((part) => part !== undefined);
}

/** Returns whether a filter asks for assets not seen since an instant, and for nothing that needs a position. */
export function includesNeverSeen({ seenBeforeMs, isSeen, locationIds, movedSinceMs, readerId }: TableFilter): boolean {
  return (
    seenBeforeMs !== undefined && [isSeen, locationIds, movedSinceMs, readerId].every((part) => part === undefined)
  );
}

/** Returns whether a filter has a condition on the kind, tags, problems or custom details. */
export function asksKindTagsOrDetails({
  kindId,
  tagType,
  batteryLow,
  hasProblem,
  metadata = [],
}: TableFilter): boolean {
  return [kindId, tagType, batteryLow, hasProblem].some((part) => part !== undefined) || metadata.length > 0;
}

/**
 * Returns the conditions of a filter on the asset itself, its tags and its custom details. The indexes of the orders
 * include the columns of the asset itself.
 */
export function assetConditions(orgId: number, filter: TableFilter, alias: string): Prisma.Sql {
  const { isActive, inEffect, kindId, tagType, batteryLow, hasProblem, metadata = [] } = filter;
  const a = Prisma.raw(alias);
  return allOf([
    Prisma.sql`${a}.org_id = ${orgId}`,
    Prisma.sql`${a}.deleted_at IS NULL`,
    isActive === undefined ? undefined : Prisma.sql`${a}.is_active = ${isActive}`,
    inEffect === undefined ? undefined : Prisma.sql`(${effective(alias)}) = ${inEffect}`,
    kindId === undefined ? undefined : Prisma.sql`${a}.kind_id = ${kindId}`,
    tagType === undefined
      ? undefined
      : Prisma.sql`EXISTS (SELECT FROM tags g
                            WHERE g.org_id = ${orgId} AND g.asset_id = ${a}.id AND g.deleted_at IS NULL AND g.tag_type = ${tagType})`,
    batteryLow === undefined
      ? undefined
      : Prisma.sql`EXISTS (${lowBatteries(orgId)} AND k.asset_id = ${a}.id OFFSET 0) = ${batteryLow}`,
    hasProblem === undefined ? undefined : Prisma.sql`${hasOpenProblem(orgId, alias)} = ${hasProblem}`,
    ...metadata.map((pair) => hasDetail(pair, alias)),
  ]);
}

/** The battery of a tag is low below this percentage. The index `tag_telemetry_low_battery` names it too. */
const lowBatteryPercent = Prisma.raw('20');

/** Selects the assets `k.asset_id` with a tag whose battery is low; an asset can have several. Another condition may follow. */
export function lowBatteries(orgId: number): Prisma.Sql {
  return Prisma.sql`
    SELECT k.asset_id AS id
      FROM tag_telemetry m
      JOIN tags k ON k.id = m.tag_id AND k.org_id = m.org_id
     WHERE m.org_id = ${orgId} AND m.battery < ${lowBatteryPercent} AND k.deleted_at IS NULL AND k.asset_id IS NOT NULL`;
}

/**
 * Returns the condition that an asset has a custom detail. Compares the part of a value that `metadata_fields` keeps.
 */
export function hasDetail({ key, value }: MetadataPair, alias: string): Prisma.Sql {
  return Prisma.sql`left(${Prisma.raw(alias)}.metadata ->> ${key}::text, 200) = ${value}`;
}

/** Selects the ids of live assets that were never seen. Reads two indexes side by side. */
export function neverSeenIds(orgId: number): Prisma.Sql {
  return Prisma.sql`
    SELECT r.id FROM assets r
     WHERE r.org_id = ${orgId} AND r.deleted_at IS NULL
       AND NOT EXISTS (SELECT FROM asset_positions p WHERE p.org_id = ${orgId} AND p.asset_id = r.id)`;
}

/**
 * Returns the conditions of a filter on the positions `p`. Each condition except the condition on the reader has an
 * index.
 */
export function positionConditions({ locationIds, movedSinceMs, seenBeforeMs, readerId }: TableFilter): Prisma.Sql[] {
  return [
    locationIds && Prisma.sql`p.location_id = ANY(${[...locationIds]}::int[])`,
    movedSinceMs === undefined ? undefined : Prisma.sql`p.located_since >= ${instant(movedSinceMs)}`,
    seenBeforeMs === undefined ? undefined : Prisma.sql`p.asset_last_seen < ${instant(seenBeforeMs)}`,
    readerId === undefined ? undefined : Prisma.sql`p.reader_id = ${readerId}`,
  ].filter((condition) => condition !== undefined);
}
