import { Prisma } from '../../../generated/prisma/client.js';
import { effective, instant } from '../../kernel/database/columns.js';
import { beganByPlacement, isOnlyPlaced, placedUnseenSince, unseenSince } from '../../kernel/database/placements.js';
import { allOf } from '../../kernel/lists.js';
import { assetsWithProblems, hasOpenProblem } from '../asset-problems/queries.js';
import { assetsOfPairs, type AwayPair, pairTable } from '../../kernel/database/away.js';
import type { TagType } from '../tags/schemas.js';

export type TableFilter = {
  q?: string | undefined;
  isActive?: boolean | undefined;
  inEffect?: boolean | undefined;
  kindId?: number | undefined;
  /** The location that it belongs to, with its sublocations. */
  belongsToIds?: readonly number[] | undefined;
  /** Is away: belongs to one location of a pair, and is at the other one. */
  away?: readonly AwayPair[] | undefined;
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
  /** Has all of these custom details, each with its value as stored in `metadata_values`. */
  metadata?: readonly { key: string; value: string }[] | undefined;
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

/** A part of a filter, on the kind, the location that it belongs to, the tags, the problems or a custom detail. */
export type FilterPart = {
  kind: 'kind' | 'belonging' | 'away' | 'tags' | 'problems' | 'details';
  /** On the asset `a`. */
  condition: Prisma.Sql;
  /** Selects the ids of all matching assets, if a single index can answer the part; a limit may follow it. */
  ids?: Prisma.Sql;
};

/** Returns the parts of a filter on the kind, the location that it belongs to, tags, problems and custom details. */
export function filterParts(
  orgId: number,
  { kindId, belongsToIds, away, tagType, batteryLow, hasProblem, metadata = [] }: TableFilter,
): FilterPart[] {
  const parts: FilterPart[] = metadata.map(({ key, value }) => ({
    kind: 'details',
    // Compares the part of a value that `metadata_fields` keeps.
    condition: Prisma.sql`left(a.metadata ->> ${key}::text, 200) = ${value}`,
    ids: Prisma.sql`
      SELECT v.asset_id AS id FROM metadata_values v WHERE v.org_id = ${orgId} AND v.key = ${key} AND v.value = ${value}`,
  }));
  if (kindId !== undefined) {
    parts.push({
      kind: 'kind',
      condition: Prisma.sql`a.kind_id = ${kindId}`,
      ids: Prisma.sql`
        SELECT k.id FROM assets k WHERE k.org_id = ${orgId} AND k.kind_id = ${kindId} AND k.deleted_at IS NULL`,
    });
  }
  if (belongsToIds !== undefined) {
    const belongs = (alias: string) => {
      const column = Prisma.raw(`${alias}.belongs_to_id`);
      return Prisma.sql`${column} IS NOT NULL AND ${column} = ANY(${[...belongsToIds]}::int[])`;
    };
    parts.push({
      kind: 'belonging',
      condition: belongs('a'),
      ids: Prisma.sql`SELECT k.id FROM assets k WHERE k.org_id = ${orgId} AND ${belongs('k')} AND k.deleted_at IS NULL`,
    });
  }
  if (away !== undefined) {
    const pairs = pairTable(away);
    parts.push({
      kind: 'away',
      // Not a join, so that the pairs are hashed once, and not read again for each asset. A null would be compared with all pairs
      // in turn; no location has the id 0.
      condition: Prisma.sql`a.belongs_to_id IS NOT NULL AND ((
        a.belongs_to_id,
        coalesce((SELECT p.location_id FROM asset_positions p WHERE p.org_id = ${orgId} AND p.asset_id = a.id), 0)
      ) IN (SELECT w.own, w.present FROM ${pairs} AS w (own, present))) IS TRUE`,
      ids: assetsOfPairs(orgId, Prisma.sql`(SELECT * FROM ${pairs} AS v (belongs_to_id, location_id))`),
    });
  }
  if (tagType !== undefined) {
    const tagged = Prisma.sql`
      SELECT g.asset_id AS id FROM tags g
       WHERE g.org_id = ${orgId} AND g.tag_type = ${tagType} AND g.deleted_at IS NULL`;
    parts.push({
      kind: 'tags',
      condition: Prisma.sql`EXISTS (${tagged} AND g.asset_id = a.id)`,
      ids: Prisma.sql`${tagged} AND g.asset_id IS NOT NULL`,
    });
  }
  if (batteryLow !== undefined) {
    const low = lowBatteries(orgId);
    const condition = Prisma.sql`EXISTS (${low} AND k.asset_id = a.id OFFSET 0) = ${batteryLow}`;
    parts.push({ kind: 'tags', condition, ...(batteryLow && { ids: low }) });
  }
  if (hasProblem !== undefined) {
    const condition = Prisma.sql`${hasOpenProblem(orgId, 'a')} = ${hasProblem}`;
    parts.push({ kind: 'problems', condition, ...(hasProblem && { ids: assetsWithProblems(orgId) }) });
  }
  return parts;
}

/**
 * Returns the conditions of a filter on the asset `a` itself, its tags and its custom details. The indexes of the orders
 * include the columns of the asset itself.
 */
export function assetConditions(orgId: number, filter: TableFilter): Prisma.Sql {
  const { isActive, inEffect } = filter;
  return allOf([
    Prisma.sql`a.org_id = ${orgId}`,
    Prisma.sql`a.deleted_at IS NULL`,
    isActive === undefined ? undefined : Prisma.sql`a.is_active = ${isActive}`,
    inEffect === undefined ? undefined : Prisma.sql`(${effective('a')}) = ${inEffect}`,
    ...filterParts(orgId, filter).map(({ condition }) => condition),
  ]);
}

/** The battery of a tag is low below this percentage. The index `tag_telemetry_low_battery` names it too. */
const lowBatteryPercent = Prisma.raw('20');

/** Selects the assets `k.asset_id` with a tag whose battery is low; an asset can have several. Another condition may follow. */
function lowBatteries(orgId: number): Prisma.Sql {
  return Prisma.sql`
    SELECT k.asset_id AS id
      FROM tag_telemetry m
      JOIN tags k ON k.id = m.tag_id AND k.org_id = m.org_id
     WHERE m.org_id = ${orgId} AND m.battery < ${lowBatteryPercent} AND k.deleted_at IS NULL AND k.asset_id IS NOT NULL`;
}

/** Selects the ids of live assets that were never seen: without a position, or only placed. */
export function neverSeenIds(orgId: number): Prisma.Sql {
  return withoutPositionIds(orgId, Prisma.sql`AND NOT ${isOnlyPlaced(orgId)}`);
}

/** Selects the ids of live assets without a position `p`, to which a condition may be added. Reads two indexes side by side. */
export function withoutPositionIds(orgId: number, condition = Prisma.empty): Prisma.Sql {
  return Prisma.sql`
    SELECT r.id FROM assets r
     WHERE r.org_id = ${orgId} AND r.deleted_at IS NULL
       AND NOT EXISTS (SELECT FROM asset_positions p WHERE p.org_id = ${orgId} AND p.asset_id = r.id ${condition})`;
}

type PositionForms = {
  /** The condition that nothing has seen the asset since an instant. */
  unseen?: (at: Prisma.Sql) => Prisma.Sql | undefined;
  /** The condition that the asset is at one of many locations. */
  isAt?: (locationIds: readonly number[]) => Prisma.Sql;
};

/**
 * Returns the conditions of a filter on the positions `p`. Each condition except those on the reader and on placements has an
 * index, with `seenBefore` as the condition `unseen`.
 */
export function positionConditions(
  orgId: number,
  filter: TableFilter,
  {
    unseen = (at) => unseenSince(orgId, at),
    isAt = (locationIds) => Prisma.sql`p.location_id = ANY(${[...locationIds]}::int[])`,
  }: PositionForms = {},
): Prisma.Sql[] {
  const { locationIds, movedSinceMs, seenBeforeMs, readerId, isSeen } = filter;
  const isNeverSeen = isSeen === false && asksWhereOrWhen(filter);
  return [
    locationIds && isAt(locationIds),
    movedSinceMs === undefined
      ? undefined
      : Prisma.sql`p.located_since >= ${instant(movedSinceMs)} AND NOT ${beganByPlacement(orgId, 'p', 'located_since')}`,
    seenBeforeMs === undefined ? undefined : unseen(instant(seenBeforeMs)),
    readerId === undefined ? undefined : Prisma.sql`p.reader_id = ${readerId}`,
    isSeen === true ? Prisma.sql`NOT ${isOnlyPlaced(orgId)}` : undefined,
    isNeverSeen ? isOnlyPlaced(orgId) : undefined,
  ].filter((condition) => condition !== undefined);
}

/**
 * Selects the positions `p` that match a filter, though their assets were placed since the instant since which nothing has seen them;
 * none if the filter has no such instant.
 */
export function placedUnseen(orgId: number, filter: TableFilter, columns: Prisma.Sql): Prisma.Sql[] {
  if (filter.seenBeforeMs === undefined) return [];
  const conditions = [Prisma.sql`true`, ...positionConditions(orgId, filter, { unseen: () => undefined })];
  return [
    Prisma.sql`SELECT ${columns} FROM ${placedUnseenSince(orgId, instant(filter.seenBeforeMs))} AND ${allOf(conditions)}`,
  ];
}
