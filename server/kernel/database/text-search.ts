import { Prisma } from '../../../generated/prisma/client.js';
import { likePattern } from '../lists.js';

// Substring search over names, keys, descriptions and tag values, ignoring case (contract 3.2, `q`). Indexes hold the sequences of
// four characters of these texts (`prisma/functions/search_grams.sql`), so a text of any length and language is found without
// reading all rows of an organization. Texts are compared only where the index is not exact: from five characters on.
// docs/decisions/0047-texts-that-look-alike.md has the reasons.

/** Up to this number of characters the index is exact. */
const exactMax = 4;

/** The highest code point: a prefix followed by it sorts after every text that begins with the prefix. */
export const lastText = '\u{10FFFF}';

/** A search text. Each part is a scalar subquery, which a statement evaluates once and not for each row. */
export type TextSearch = {
  /** For the indexes. */
  query: Prisma.Sql;
  /** A pattern for LIKE, for folded texts. */
  pattern: Prisma.Sql;
  /**
   * Whether the index is exact; undefined if it certainly is not. Folding can lengthen a text, so the database decides.
   */
  isExact: Prisma.Sql | undefined;
};

export function textSearch(orgId: number, q: string): TextSearch {
  return {
    query: Prisma.sql`(SELECT search_query(${orgId}::int, fold_case(${q})))`,
    pattern: Prisma.sql`(SELECT fold_case(${likePattern(q)}))`,
    isExact:
      Array.from(q).length <= exactMax
        ? Prisma.sql`(SELECT char_length(fold_case(${q})) <= ${exactMax}::int)`
        : undefined,
  };
}

/**
 * Returns whether a text is one or two ASCII letters, which nearly everything contains. In other scripts one character
 * can be a word.
 */
export function isFragment(q: string): boolean {
  return /^[\x00-\x7F]{0,2}$/.test(q);
}

/** Returns texts as rows `form`, for `beginsWithForm`. */
export function formsOf(texts: readonly string[]): Prisma.Sql {
  return Prisma.sql`unnest(${[...texts]}::text[]) AS form (text)`;
}

/** Returns the condition that a column begins with the text of the row `form`: a range of an index by code point. */
export function beginsWithForm(column: string): Prisma.Sql {
  const text = Prisma.raw(column);
  return Prisma.sql`(${text} >= form.text AND ${text} < form.text || ${lastText})`;
}

/** The tables that have a search text of their own. */
export type SearchedTable = 'assets' | 'locations';

/**
 * Returns a condition on assets or locations: name, key or description contain the text. It uses an index if the
 * statement also has a condition on whether rows are deleted.
 */
export function ownTextIsIndexed(search: TextSearch, alias: string): Prisma.Sql {
  return isIndexed(search, alias, ownText(alias));
}

/** Returns a condition on tags: the value contains the text. It uses an index of live tags. */
export function tagIsIndexed(search: TextSearch, alias: string): Prisma.Sql {
  return isIndexed(search, alias, tagText(alias));
}

/** Returns the condition of `ownTextIsIndexed` for rows that were found otherwise; it uses no index. */
export function ownTextMatches({ pattern }: TextSearch, alias: string): Prisma.Sql {
  return Prisma.sql`${ownText(alias)} LIKE ${pattern}`;
}

/** Returns the condition of `tagIsIndexed` for rows that were found otherwise; it uses no index. */
export function tagMatches({ pattern }: TextSearch, alias: string): Prisma.Sql {
  return Prisma.sql`${tagText(alias)} LIKE ${pattern}`;
}

function ownText(alias: string): Prisma.Sql {
  return Prisma.raw(`search_text(${alias}.name, ${alias}.external_key, ${alias}.description)`);
}

function tagText(alias: string): Prisma.Sql {
  return Prisma.raw(`fold_case(${alias}.value)`);
}

function isIndexed({ query, pattern, isExact }: TextSearch, alias: string, text: Prisma.Sql): Prisma.Sql {
  const found = Prisma.sql`search_grams(${Prisma.raw(alias)}.org_id, ${text}) @@ ${query}`;
  const compared = Prisma.sql`${text} LIKE ${pattern}`;
  return isExact ? Prisma.sql`${found} AND (${isExact} OR ${compared})` : Prisma.sql`${found} AND ${compared}`;
}

export type SearchedRows = {
  orgId: number;
  search: TextSearch;
  table: SearchedTable;
  /** Further conditions on an asset `a` or a location `l`. The organization and the deletion are added. */
  conditions: Prisma.Sql;
  includeDeleted: boolean;
  /** The columns to return of each row besides its id. */
  columns: readonly string[];
};

/**
 * Returns common table expressions that end with `matched`: the rows that contain the text, in their own texts or in a
 * live tag, each once.
 *
 * A text as short as one letter matches nearly everything. So each table is read once, in the order of its pages, and
 * the rows with a tag that contains the text are found as one list of ids. Rows that were found already are looked up
 * in a hash table: `IS NOT TRUE` keeps the planner from turning the subquery into a join that compares all pairs.
 */
export function searchedRows({ orgId, search, table, conditions, includeDeleted, columns }: SearchedRows): Prisma.Sql {
  const [alias, parentId] = table === 'assets' ? ['a', 'asset_id'] : ['l', 'location_id'];
  const r = Prisma.raw(alias);
  const parent = Prisma.raw(`t.${parentId}`);
  const row = columnsOf(alias, columns);
  const rowsThat = (state: string, condition: Prisma.Sql) => Prisma.sql`
    SELECT ${row} FROM ${Prisma.raw(table)} ${r}
     WHERE ${r}.org_id = ${orgId} AND ${r}.deleted_at ${Prisma.raw(state)} AND ${conditions} AND ${condition}`;
  const byText = (state: string) => rowsThat(state, ownTextIsIndexed(search, alias));
  const tagged = Prisma.sql`
    SELECT ${parent} FROM tags t
     WHERE t.org_id = ${orgId} AND t.deleted_at IS NULL AND ${parent} IS NOT NULL AND ${tagIsIndexed(search, 't')}
       AND (${parent} IN (SELECT id FROM by_text)) IS NOT TRUE`;
  return Prisma.sql`
    by_text AS MATERIALIZED (
      ${includeDeleted ? Prisma.sql`${byText('IS NULL')} UNION ALL ${byText('IS NOT NULL')}` : byText('IS NULL')}
    ), by_tag AS MATERIALIZED (
      ${rowsThat('IS NULL', Prisma.sql`${r}.id = ANY(ARRAY(${tagged}))`)}
    ), matched AS NOT MATERIALIZED (
      SELECT * FROM by_text UNION ALL SELECT * FROM by_tag
    )`;
}

/** Returns a select list: the id and other columns of the row called `alias`. */
export function columnsOf(alias: string, columns: readonly string[]): Prisma.Sql {
  return Prisma.raw(['id', ...columns].map((column) => `${alias}.${column}`).join(', '));
}
