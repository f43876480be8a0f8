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

// How the app's table searches. A text is found anywhere in an asset's texts and tags. One or two letters of ASCII are in
// nearly all of them and mean little there, so they are found at the beginning of keys and names instead.

export type Search = { kind: 'anywhere'; search: TextSearch } | { kind: 'beginning'; prefixes: string[] };

export function searchOf(orgId: number, q: string): Search {
  return isFragment(q)
    ? { kind: 'beginning', prefixes: casesOf(q) }
    : { kind: 'anywhere', search: textSearch(orgId, q) };
}

const caseVariantsMax = 4;

/** A text as it may be written at the beginning of a key or a name: in either case its first letters, else as it is. */
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

/**
 * The ids of live assets that match, by the indexes. Of a text that is on very many things each index gives `limit` at the
 * most.
 */
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

/** Whether one asset matches, for rows that were found otherwise. */
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

/** Between which texts everything lies that begins so, as rows `g (since, until)`. */
function rangesOf(prefixes: readonly string[]): Prisma.Sql {
  const ends = prefixes.map((prefix) => `${prefix}\u{10FFFF}`);
  return Prisma.sql`(
    SELECT r.since COLLATE "C" AS since, r.until COLLATE "C" AS until
      FROM unnest(${[...prefixes]}::text[], ${ends}::text[]) AS r (since, until)
  ) AS g`;
}
