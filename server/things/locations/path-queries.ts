import { Prisma } from '../../../generated/prisma/client.js';
import { inNaturalOrder } from '../../kernel/database/columns.js';
import type { Database } from '../../kernel/database/client.js';
import { likePattern } from '../../kernel/lists.js';
import { levelsMax, upFrom } from './tree.js';

/** One step of a path, the root of the tree first and the location itself last. */
export type PathStep = { id: number; name: string; external_key: string };

/** A location found by its path. */
export type FoundLocation = {
  id: number;
  external_key: string;
  name: string;
  is_active: boolean;
  path: PathStep[];
};

/** Returns the path of the location with the alias `l`, as one JSON array; it ends at a deleted ancestor. */
const pathOfL = (orgId: number) => Prisma.sql`(
  WITH RECURSIVE ${upFrom(orgId, Prisma.sql`(SELECT l.*) l`, { columns: ['name', 'external_key'], liveOnly: true })}
  SELECT json_agg(json_build_object('id', up.id, 'name', up.name, 'external_key', up.external_key)
                  ORDER BY up.distance DESC)
    FROM up)`;

/** Returns the path to a live location, or undefined if there is none. */
export async function findPath(db: Database, orgId: number, locationId: number): Promise<PathStep[] | undefined> {
  const rows = await db.$queryRaw<{ path: PathStep[] }[]>`
    SELECT ${pathOfL(orgId)} AS path
      FROM locations l
     WHERE l.org_id = ${orgId} AND l.id = ${locationId} AND l.deleted_at IS NULL`;
  return rows[0]?.path;
}

/**
 * Returns the first locations in the order of their paths. A level cannot contribute more locations than are requested,
 * so no level is read further, however large the tree is.
 */
export async function firstByPath(db: Database, orgId: number, limit: number): Promise<FoundLocation[]> {
  const children = (parent: Prisma.Sql) => Prisma.sql`
    SELECT r.id, r.name FROM locations r
     WHERE r.org_id = ${orgId} AND r.deleted_at IS NULL AND ${parent}
     ORDER BY ${inNaturalOrder('r.name')}, r.id
     LIMIT ${limit}`;
  const sortKey = Prisma.sql`ARRAY[${inNaturalOrder('c.name')}, lpad(c.id::text, 10, '0')]`;
  return db.$queryRaw<FoundLocation[]>`
    WITH RECURSIVE walk AS (
      SELECT c.id, ${sortKey} AS sort_key, row_number() OVER (ORDER BY ${inNaturalOrder('c.name')}, c.id) AS rank
        FROM (${children(Prisma.sql`r.parent_id IS NULL`)}) c
      UNION ALL
      SELECT c.id, w.sort_key || ${sortKey}, row_number() OVER (ORDER BY w.sort_key || ${sortKey})
        FROM walk w
       CROSS JOIN LATERAL (${children(Prisma.sql`r.parent_id = w.id`)}) c
       WHERE w.rank <= ${limit} AND cardinality(w.sort_key) < ${2 * levelsMax}
    ), page AS (
      SELECT id, sort_key FROM walk ORDER BY sort_key LIMIT ${limit}
    )
    SELECT l.id, l.external_key, l.name, l.is_active, ${pathOfL(orgId)} AS path
      FROM page
      JOIN locations l ON l.org_id = ${orgId} AND l.id = page.id
     ORDER BY page.sort_key`;
}

/**
 * The most words of a text that are searched for. Each word has a bit, and above these bits each pair of neighboring
 * words has one.
 */
const wordsMax = 8;

/**
 * Finds the locations on whose path every word of the text occurs, in names or keys, and at least one in the location's
 * own. Exact names come first, then locations whose path has the most words next to each other as typed, so that "hall
 * 2 rack" prefers a rack in Hall 2 to Rack 2 in another hall.
 */
export async function searchPaths(
  db: Database,
  orgId: number,
  { q, limit }: { q: string; limit: number },
): Promise<FoundLocation[]> {
  const words = [...new Set(q.split(/[\s/›>,]+/u).filter((word) => word !== ''))].slice(0, wordsMax);
  if (words.length === 0) return firstByPath(db, orgId, limit);
  const pairs = words.slice(1).map((word, index) => `${words[index]} ${word}`);
  const all = (1 << words.length) - 1;
  const texts = [
    ...words.map((text, index) => ({ text, bit: index })),
    ...pairs.map((text, index) => ({ text, bit: wordsMax + index })),
  ];
  const asked = texts.flatMap(({ text, bit }) => [
    Prisma.sql`fold_case(${likePattern(text)}) AS ${Prisma.raw(`pattern${bit}`)}`,
    Prisma.sql`fold_case(${text}) AS ${Prisma.raw(`word${bit}`)}`,
  ]);
  const bits = texts.map(bitOf);
  return db.$queryRaw<FoundLocation[]>`
    WITH RECURSIVE asked AS MATERIALIZED (
      SELECT ${Prisma.join(asked, ', ')}
    ), matched AS MATERIALIZED (
      SELECT r.id, r.parent_id, ${Prisma.join(bits, ' | ')} AS own
        FROM locations r
       CROSS JOIN asked
       CROSS JOIN LATERAL (SELECT fold_case(r.name) AS name, fold_case(r.external_key) AS key OFFSET 0) t
       WHERE r.org_id = ${orgId} AND r.deleted_at IS NULL
    ), walk AS (
      SELECT s.id, s.own, s.own AS mask, 0 AS depth FROM matched s WHERE s.parent_id IS NULL
      UNION ALL
      SELECT s.id, s.own, w.mask | s.own, w.depth + 1 FROM walk w JOIN matched s ON s.parent_id = w.id
    ), page AS (
      SELECT w.id, w.depth, ${exactness(q)} AS exactness,
             bit_count((w.mask >> ${wordsMax}::int)::bit(8)) AS pairs,
             bit_count((w.own & ${all}::int)::bit(8)) AS words,
             ${inNaturalOrder('r.name')} AS name
        FROM walk w
        JOIN locations r ON r.org_id = ${orgId} AND r.id = w.id
       WHERE w.mask & ${all}::int = ${all}::int AND w.own & ${all}::int <> 0
       ORDER BY exactness, pairs DESC, words DESC, depth, name, w.id
       LIMIT ${limit}
    )
    SELECT l.id, l.external_key, l.name, l.is_active, ${pathOfL(orgId)} AS path
      FROM page
      JOIN locations l ON l.org_id = ${orgId} AND l.id = page.id
     ORDER BY page.exactness, page.pairs DESC, page.words DESC, page.depth, page.name, page.id`;
}

/** A short word occurs in too many keys to be useful, unless it is the whole key. */
const partOfKeyMin = 3;

function bitOf({ text, bit }: { text: string; bit: number }): Prisma.Sql {
  const key = text.length < partOfKeyMin ? `t.key = asked.word${bit}` : `t.key LIKE asked.pattern${bit}`;
  return Prisma.raw(`CASE WHEN t.name LIKE asked.pattern${bit} OR ${key} THEN ${1 << bit} ELSE 0 END`);
}

function exactness(q: string): Prisma.Sql {
  const whole = q.trim();
  return Prisma.sql`CASE
    WHEN fold_case(r.external_key) = fold_case(${whole}) OR fold_case(r.name) = fold_case(${whole}) THEN 0
    WHEN fold_case(r.name) LIKE fold_case(${likePattern(whole).slice(1)}) THEN 1
    ELSE 2
  END`;
}
