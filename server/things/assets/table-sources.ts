import { Prisma } from '../../../generated/prisma/client.js';
import { ofLiveAsset, seenBefore } from '../../kernel/database/position-order.js';
import type { Queries } from '../../kernel/database/client.js';
import { allOf } from '../../kernel/lists.js';
import { matchingIds, type Search } from './search-conditions.js';
import {
  asksWhereOrWhen,
  includesNeverSeen,
  positionConditions,
  filterParts,
  type FilterPart,
  neverSeenIds,
  placedUnseen,
  type TableFilter,
  withoutPositionIds,
} from './table-filter.js';

/** All matches of a filter are collected and counted up to this number. */
export const collectedMax = 5000;

/** The index that candidates are collected by. */
type SourceKind = FilterPart['kind'] | 'search' | 'position' | 'unseen' | 'all';

/** A part of a filter that a single index can answer: `ids` selects the assets; a limit may follow it. */
type Part = { kind: SourceKind; ids: Prisma.Sql };

export type Source = {
  kind: SourceKind;
  /** A common table expression with the comma that ends it, or nothing. */
  candidates: Prisma.Sql;
  /** The text after `FROM`; the alias of assets is `a`. */
  assets: Prisma.Sql;
  /** The number of candidates if it is limited; otherwise 0. */
  found: Prisma.Sql;
};

/** Chooses the source of a page: the part of the filter with the fewest matches. */
export async function chooseSource(
  db: Queries,
  orgId: number,
  { filter, search }: { filter: TableFilter; search: Search | undefined },
): Promise<Source> {
  const part = await narrowestPart(db, partsOf(orgId, filter), search !== undefined);
  if (part) return sourceOf(orgId, part);
  if (search) return sourceOf(orgId, { kind: 'search', ids: matchingIds(orgId, search, collectedMax + 1) });
  if (filter.isSeen === false) return sourceOf(orgId, { kind: 'unseen', ids: neverSeenIds(orgId) });
  return { kind: 'all', candidates: Prisma.empty, assets: Prisma.raw('assets a'), found: none };
}

const none = Prisma.sql`0`;

/**
 * Returns the ids of all assets that the narrowest part of a filter selects, if they are few; undefined if each asset has to be checked.
 * The other parts of the filter still have to be checked.
 */
export async function fewCandidates(
  db: Queries,
  orgId: number,
  { filter, search }: { filter: TableFilter; search: Search | undefined },
): Promise<number[] | undefined> {
  const part = await narrowestPart(db, partsOf(orgId, filter), search !== undefined);
  const ids = part?.ids ?? (search && matchingIds(orgId, search, collectedMax + 1));
  if (!ids) return undefined;
  const [row] = await db.$queryRaw<{ ids: number[] }[]>`
    SELECT ARRAY(SELECT found.id FROM (${ids}) found LIMIT ${collectedMax + 1}) AS ids`;
  return row && row.ids.length <= collectedMax ? row.ids : undefined;
}

/** Returns the parts of a filter that a single index can answer. */
function partsOf(orgId: number, filter: TableFilter): Part[] {
  const parts = filterParts(orgId, filter).flatMap(({ kind, ids }): Part[] => (ids ? [{ kind, ids }] : []));
  if (!asksWhereOrWhen(filter)) return parts;
  const conditions = allOf([
    Prisma.sql`p.org_id = ${orgId}`,
    ofLiveAsset('p'),
    ...positionConditions(orgId, filter, { unseen: seenBefore }),
  ]);
  const found = [
    Prisma.sql`SELECT p.asset_id AS id FROM asset_positions p WHERE ${conditions}`,
    ...placedUnseen(orgId, filter, Prisma.sql`p.asset_id AS id`),
    ...(includesNeverSeen(filter) ? [withoutPositionIds(orgId)] : []),
  ];
  return [{ kind: 'position', ids: Prisma.join(found, ' UNION ALL ') }, ...parts];
}

/** Returns the part with the fewest matches; undefined if there is none, or if a search is better than broad parts. */
async function narrowestPart(db: Queries, parts: readonly Part[], hasSearch: boolean): Promise<Part | undefined> {
  if (parts.length === 0 || (parts.length === 1 && !hasSearch)) return parts[0];
  const counts = parts.map(
    ({ ids }) => Prisma.sql`(SELECT count(*)::int FROM (${ids} LIMIT ${collectedMax + 1}) counted)`,
  );
  const [row] = await db.$queryRaw<{ counts: number[] }[]>`SELECT ARRAY[${Prisma.join(counts, ', ')}] AS counts`;
  const found = row?.counts ?? [];
  const least = Math.min(...found);
  if (hasSearch && least > collectedMax) return undefined;
  return parts[found.indexOf(least)];
}

/** Looks up each candidate by its key. Reads no more positions than the page needs, and other candidates up to a limit. */
function sourceOf(orgId: number, { kind, ids }: Part): Source {
  const isLimited = kind !== 'position' && kind !== 'unseen';
  const limit = kind === 'search' ? Prisma.empty : Prisma.sql`LIMIT ${collectedMax + 1}`;
  // An asset can have several tags of one type.
  const limited = Prisma.raw(kind === 'tags' ? '(SELECT DISTINCT id FROM candidate)' : 'candidate');
  return {
    kind,
    candidates: isLimited ? Prisma.sql`candidate AS MATERIALIZED (${ids} ${limit}),` : Prisma.empty,
    assets: Prisma.sql`${isLimited ? limited : Prisma.sql`(${ids} OFFSET 0)`} c CROSS JOIN LATERAL (
      SELECT * FROM assets r WHERE r.org_id = ${orgId} AND r.id = c.id OFFSET 0) a`,
    found: isLimited ? Prisma.sql`(SELECT count(*)::int FROM candidate)` : none,
  };
}
