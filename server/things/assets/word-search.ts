import { Prisma } from '../../../generated/prisma/client.js';
import { kindsLike } from '../asset-kinds/queries.js';
import {
  isFragment,
  ownTextIsIndexed,
  ownTextMatches,
  tagIsIndexed,
  tagMatches,
  type TextSearch,
  textSearch,
} from '../../kernel/database/text-search.js';
import type { Queries } from '../../kernel/database/client.js';
import { isOneOf } from '../../kernel/database/columns.js';
import { allOf } from '../../kernel/lists.js';

// Words of a search text in any order. Each word is in the asset's own texts, its kind, one of its tags, or the path of
// its location. At least one word of more than two letters must be outside the path, since nearly every text contains
// one or two letters. A word can have several spellings.

/** A text with more words is only searched for as a whole. */
const wordsMax = 8;

/** The most locations that are read for one word; further locations are not searched. */
const placesMax = 5000;

/** The most sets of words that are searched for at locations, the sets with the most words first. */
const placeSetsMax = 16;

/**
 * A fragment has one or two letters, and is not searched for in tags and kinds. `kindIds` are the kinds whose name
 * contains the word.
 */
type Word = { spellings: TextSearch[]; isFragment: boolean; kindIds: number[] };

/** Locations whose paths have the words of a bit mask. */
type Places = { mask: number; ids: number[] };

export type WordSearch = { words: Word[]; places: Places[] };

/** Returns the words of a search text; none if there are too many. */
export function wordsOf(q: string): string[] {
  const words = q.split(/[\s/›>]+/).filter((word) => word !== '');
  return words.length <= wordsMax ? words : [];
}

/** Reads which locations have which of the words in their paths. Each word is a list of spellings. */
export async function readWordSearch(
  db: Queries,
  orgId: number,
  spellings: readonly (readonly string[])[],
): Promise<WordSearch> {
  const kinds = await kindsLike(db, orgId, spellings);
  const words = spellings.map((forms, at) => ({
    kindIds: kinds[at] ?? [],
    spellings: forms.map((form) => textSearch(orgId, form)),
    isFragment: forms.some(isFragment),
  }));
  if (words.length < 2 || words.every((word) => word.isFragment)) return { words, places: [] };
  const named = words.map(
    (word, at) => Prisma.sql`
      (SELECT l.id, ${1 << at}::int AS mask FROM locations l
        WHERE l.org_id = ${orgId} AND l.deleted_at IS NULL AND ${anyOf(word, (form) => ownTextIsIndexed(form, 'l'))}
          AND ${anyOf(word, ({ pattern }) => Prisma.sql`fold_case(l.name || ' ' || l.external_key) LIKE ${pattern}`)}
        LIMIT ${placesMax})`,
  );
  const places = await db.$queryRaw<Places[]>`
    WITH RECURSIVE down AS (
      SELECT id, mask FROM (${Prisma.join(named, ' UNION ALL ')}) named
      UNION
      SELECT l.id, down.mask
        FROM down JOIN locations l ON l.org_id = ${orgId} AND l.parent_id = down.id AND l.deleted_at IS NULL
    )
    SELECT mask, array_agg(id) AS ids
      FROM (SELECT id, bit_or(mask) AS mask FROM down GROUP BY id) location
     GROUP BY mask
     ORDER BY length(replace(mask::bit(8)::text, '0', '')) DESC
     LIMIT ${placeSetsMax}`;
  return { words, places };
}

/** Returns queries for the ids of matching live assets, found by indexes. Each returns at most `limit` ids. */
export function wordMatchingIds(orgId: number, search: WordSearch, limit: number): Prisma.Sql[] {
  const { words, places } = search;
  const own = words.map((word) =>
    orOfKind(
      anyOf(word, (form) => ownTextIsIndexed(form, 'a')),
      word.kindIds,
      'a',
    ),
  );
  const live = Prisma.sql`a.org_id = ${orgId} AND a.deleted_at IS NULL`;
  const byText = Prisma.sql`(SELECT a.id FROM assets a WHERE ${live} AND ${allOf(own)} LIMIT ${limit})`;
  const byTag = words
    .filter((word) => !word.isFragment)
    .map(
      (word) => Prisma.sql`
      (SELECT a.id
         FROM (SELECT t.asset_id FROM tags t
                WHERE t.org_id = ${orgId} AND t.deleted_at IS NULL AND t.asset_id IS NOT NULL
                  AND ${anyOf(word, (form) => tagIsIndexed(form, 't'))}
                LIMIT ${limit}) g
         JOIN assets a ON ${live} AND a.id = g.asset_id
        WHERE ${wordsMatch(orgId, search, 'a')})`,
    );
  const byPlace = places.map(({ mask, ids }) => {
    const isMissing = (at: number) => (mask & (1 << at)) === 0;
    const long = own.filter((_, at) => !words[at]?.isFragment);
    const hasLong = words.some((word, at) => !word.isFragment && isMissing(at));
    const conditions = own.filter((_, at) => isMissing(at));
    if (!hasLong) conditions.push(Prisma.sql`(${Prisma.join(long, ' OR ')})`);
    return Prisma.sql`
      (SELECT a.id
         FROM assets a
         JOIN asset_positions p ON p.org_id = ${orgId} AND p.asset_id = a.id AND p.location_id = ANY(${ids}::int[])
        WHERE ${live} AND ${allOf(conditions)}
        LIMIT ${limit})`;
  });
  return [byText, ...byTag, ...byPlace];
}

/** Returns the condition for one asset, for rows that were found otherwise. It looks up the asset's own tags and position only. */
export function wordsMatch(orgId: number, { words, places }: WordSearch, alias: string): Prisma.Sql {
  const a = Prisma.raw(alias);
  const inOwn = words.map((word) => {
    const text = orOfKind(
      anyOf(word, (form) => ownTextMatches(form, alias)),
      word.kindIds,
      alias,
    );
    if (word.isFragment) return text;
    return Prisma.sql`(${text} OR EXISTS (
      SELECT FROM tags t
       WHERE t.org_id = ${orgId} AND t.asset_id = ${a}.id AND t.deleted_at IS NULL AND ${anyOf(word, (form) => tagMatches(form, 't'))}
      OFFSET 0))`;
  });
  const all = inOwn.map((condition, at) => {
    const ids = places.filter(({ mask }) => (mask & (1 << at)) !== 0).flatMap((place) => place.ids);
    if (ids.length === 0) return condition;
    return Prisma.sql`(${condition} OR EXISTS (
      SELECT FROM asset_positions w
       WHERE w.org_id = ${orgId} AND w.asset_id = ${a}.id AND ${isOneOf('w.location_id', ids)}
      OFFSET 0))`;
  });
  const long = inOwn.filter((_, at) => !words[at]?.isFragment);
  return allOf([...all, places.length === 0 ? undefined : Prisma.sql`(${Prisma.join(long, ' OR ')})`]);
}

/** Returns a condition that also accepts assets of one of the kinds. */
export function orOfKind(condition: Prisma.Sql, kindIds: readonly number[], alias: string): Prisma.Sql {
  if (kindIds.length === 0) return condition;
  return Prisma.sql`(${condition} OR ${Prisma.raw(alias)}.kind_id = ANY(${[...kindIds]}::int[]))`;
}

function anyOf({ spellings }: Word, condition: (form: TextSearch) => Prisma.Sql): Prisma.Sql {
  return Prisma.sql`(${Prisma.join(
    spellings.map((form) => Prisma.sql`(${condition(form)})`),
    ' OR ',
  )})`;
}
