import { Prisma } from '../../generated/prisma/client.js';
import {
  isFragment,
  ownTextIsIndexed,
  ownTextMatches,
  type TextSearch,
  tagIsIndexed,
  tagMatches,
  textSearch,
} from '../database/text-search.js';

// The search of the app's table. A text is found anywhere in an asset's texts and tags. One or two ASCII letters are in
// nearly all of them, so they are found only at the beginning of keys and names.

export type Search = { kind: 'anywhere'; search: TextSearch } | { kind: 'beginning'; prefixes: string[] };

export function searchOf(orgId: number, q: string): Search {
  return isFragment(q)
    ? { kind: 'beginning', prefixes: casesOf(q) }
    : { kind: 'anywhere', search: textSearch(orgId, q) };
}

const caseVariantsMax = 4;

/**
 * Returns the spellings of a text at the beginning of a key or a name: with its first letters in either case, or as
 * given.
 */
function casesOf(q: string): string[] {
  let variants = [''];
  for (const letter of q) {
    const forms = [...new Set([letter.toLowerCase(), letter.toUpperCase()])];
    variants = variants.flatMap((start) =>
      (variants.length * forms.length <= caseVariantsMax ? forms : [letter]).map((form) => start + form),
    );
  }
  return variants;
}

/** Returns the ids of matching live assets, found by indexes. Each index returns at most `limit` ids. */
export function matchingIds(orgId: number, search: Search, limit: number): Prisma.Sql {
  if (search.kind === 'anywhere') {
    return Prisma.sql`
      (SELECT s.id FROM assets s
        WHERE s.org_id = ${orgId} AND s.deleted_at IS NULL AND ${ownTextIsIndexed(search.search, 's')}
        LIMIT ${limit})
      UNION
      (SELECT t.asset_id AS id FROM tags t
        WHERE t.org_id = ${orgId} AND t.deleted_at IS NULL AND t.asset_id IS NOT NULL AND ${tagIsIndexed(search.search, 't')}
        LIMIT ${limit})`;
  }
  const ranges = rangesOf(search.prefixes);
  const within = (column: Prisma.Sql) => Prisma.sql`
    (SELECT r.id FROM ${ranges} CROSS JOIN LATERAL (
       SELECT s.id FROM assets s
        WHERE s.org_id = ${orgId} AND s.deleted_at IS NULL AND s.${column} >= g.since AND s.${column} < g.until
        LIMIT ${limit}) r)`;
  return Prisma.sql`${within(Prisma.raw('external_key'))} UNION ${within(Prisma.raw('name'))}`;
}

/** Returns a condition for one asset, for rows that were found otherwise. */
export function matches(orgId: number, search: Search, alias: string): Prisma.Sql {
  const a = Prisma.raw(alias);
  if (search.kind === 'beginning') {
    return Prisma.sql`EXISTS (
      SELECT FROM ${rangesOf(search.prefixes)}
       WHERE (${a}.external_key >= g.since AND ${a}.external_key < g.until) OR (${a}.name >= g.since AND ${a}.name < g.until))`;
  }
  return Prisma.sql`(
    ${ownTextMatches(search.search, alias)}
    OR EXISTS (SELECT FROM tags t
                WHERE t.org_id = ${orgId} AND t.asset_id = ${a}.id AND t.deleted_at IS NULL AND ${tagMatches(search.search, 't')}))`;
}

/** Returns range bounds for a prefix search, as rows `g (since, until)`. */
function rangesOf(prefixes: readonly string[]): Prisma.Sql {
  const ends = prefixes.map((prefix) => `${prefix}\u{10FFFF}`);
  return Prisma.sql`(
    SELECT r.since COLLATE "C" AS since, r.until COLLATE "C" AS until
      FROM unnest(${[...prefixes]}::text[], ${ends}::text[]) AS r (since, until)
  ) AS g`;
}
