import { Prisma } from '../../../generated/prisma/client.js';
import { kindsLike } from '../asset-kinds/queries.js';
import {
  beginsWithForm,
  formsOf,
  isFragment,
  ownTextIsIndexed,
  ownTextMatches,
  type TextSearch,
  tagIsIndexed,
  tagMatches,
  textSearch,
} from '../../kernel/database/text-search.js';
import type { Queries } from '../../kernel/database/client.js';
import { normalForms } from '../tags/normal-form.js';
import { correctedWords } from './spelling.js';
import { orOfKind, readWordSearch, wordMatchingIds, type WordSearch, wordsMatch, wordsOf } from './word-search.js';

// The search of the app for assets. A text is found anywhere in an asset's texts, kind and tags. Several words are
// found in any order, and also in the path of the location. One or two ASCII letters, which nearly every text contains,
// are found only at the beginning of keys and names.

export type Search =
  | {
      kind: 'anywhere';
      search: TextSearch;
      words?: WordSearch | undefined;
      /** Normal forms of tag values, for a text that may be the identifier of a tag. */
      tagForms: readonly string[];
      /** The kinds whose name contains the text. */
      kindIds: readonly number[];
    }
  | { kind: 'beginning'; prefixes: string[] };

/** Reads the locations and kinds that a search for a text needs. */
export async function searchOf(db: Queries, orgId: number, q: string): Promise<Search> {
  if (isFragment(q)) return { kind: 'beginning', prefixes: casesOf(q) };
  const words = wordsOf(q).map((word) => [word]);
  const [kindIds = []] = await kindsLike(db, orgId, [[q]]);
  const wordSearch = words.length < 2 ? undefined : await readWordSearch(db, orgId, words);
  return { ...textOnly(orgId, q), kindIds, words: wordSearch };
}

/** Returns a search for a whole text, in texts and tags alone. */
export function textOnly(orgId: number, q: string) {
  return { kind: 'anywhere', search: textSearch(orgId, q), tagForms: tagFormsOf(q), kindIds: [] } satisfies Search;
}

/** Digits in groups, as people and devices write the identifiers of tags. */
const identifier = /^(?:0x)?[0-9a-f](?:[ :.-]?[0-9a-f]){7,}$/i;

/** Returns the normal forms of a text that may be a tag value in another spelling; none for other texts. */
function tagFormsOf(q: string): string[] {
  return identifier.test(q) ? normalForms(q) : [];
}

/**
 * Returns a search for the words that the text may have meant, if it has a typing error. Call this only for a text that
 * finds nothing.
 */
export async function correctedSearchOf(db: Queries, orgId: number, q: string): Promise<Search | undefined> {
  const spellings = await correctedWords(db, orgId, wordsOf(q));
  if (spellings === undefined) return undefined;
  return { ...textOnly(orgId, q), words: await readWordSearch(db, orgId, spellings) };
}

/** Returns the search of the table for a text. If nothing matches the text as typed, returns the corrected search. */
export async function workingSearchOf(db: Queries, orgId: number, q: string): Promise<Search> {
  const search = await searchOf(db, orgId, q);
  const found = await db.$queryRaw<unknown[]>`SELECT id FROM (${matchingIds(orgId, search, 1)}) found LIMIT 1`;
  return (found.length === 0 && (await correctedSearchOf(db, orgId, q))) || search;
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
        LIMIT ${limit})
      ${byKinds(orgId, search.kindIds, limit)}
      ${byTagForms(orgId, search.tagForms, limit)}
      ${byWords(orgId, search.words, limit)}`;
  }
  const begun = (column: string) => Prisma.sql`
    (SELECT r.id FROM ${formsOf(search.prefixes)} CROSS JOIN LATERAL (
       SELECT s.id FROM assets s
        WHERE s.org_id = ${orgId} AND s.deleted_at IS NULL AND ${beginsWithForm(column)}
        LIMIT ${limit}) r)`;
  return Prisma.sql`${begun('s.external_key')} UNION ${begun('s.name')}`;
}

function byKinds(orgId: number, kindIds: readonly number[], limit: number): Prisma.Sql {
  if (kindIds.length === 0) return Prisma.empty;
  return Prisma.sql`UNION
      (SELECT k.id FROM assets k
        WHERE k.org_id = ${orgId} AND k.kind_id = ANY(${[...kindIds]}::int[]) AND k.deleted_at IS NULL
        LIMIT ${limit})`;
}

function byTagForms(orgId: number, forms: readonly string[], limit: number): Prisma.Sql {
  if (forms.length === 0) return Prisma.empty;
  return Prisma.sql`UNION
      (SELECT t.asset_id AS id FROM tags t
        WHERE t.org_id = ${orgId} AND t.deleted_at IS NULL AND t.asset_id IS NOT NULL AND ${hasTagForm(forms, 't')}
        LIMIT ${limit})`;
}

function hasTagForm(forms: readonly string[], alias: string): Prisma.Sql {
  const t = Prisma.raw(alias);
  return Prisma.sql`tag_normal_form(${t}.tag_type, ${t}.value) = ANY (${[...forms]}::text[])`;
}

function byWords(orgId: number, words: WordSearch | undefined, limit: number): Prisma.Sql {
  if (words === undefined) return Prisma.empty;
  return Prisma.sql`UNION ${Prisma.join(wordMatchingIds(orgId, words, limit), ' UNION ')}`;
}

/**
 * Returns a condition for one asset, for rows that were found otherwise. `OFFSET 0` keeps the planner from comparing all tags
 * with the text first, which takes seconds where a page needs the tags of some hundred assets.
 */
export function matches(orgId: number, search: Search, alias: string): Prisma.Sql {
  const a = Prisma.raw(alias);
  if (search.kind === 'beginning') {
    return Prisma.sql`EXISTS (
      SELECT FROM ${formsOf(search.prefixes)}
       WHERE ${beginsWithForm(`${alias}.external_key`)} OR ${beginsWithForm(`${alias}.name`)})`;
  }
  return Prisma.sql`(
    ${orOfKind(ownTextMatches(search.search, alias), search.kindIds, alias)}
    OR EXISTS (SELECT FROM tags t
                WHERE t.org_id = ${orgId} AND t.asset_id = ${a}.id AND t.deleted_at IS NULL
                  AND (${tagMatches(search.search, 't')}${orTagForm(search.tagForms)})
               OFFSET 0)
    ${search.words ? Prisma.sql`OR (${wordsMatch(orgId, search.words, alias)})` : Prisma.empty})`;
}

function orTagForm(forms: readonly string[]): Prisma.Sql {
  return forms.length === 0 ? Prisma.empty : Prisma.sql` OR ${hasTagForm(forms, 't')}`;
}
