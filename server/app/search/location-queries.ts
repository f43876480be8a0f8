import { Prisma } from '../../../generated/prisma/client.js';
import { inNaturalOrder } from '../../kernel/database/columns.js';
import {
  beginsWithForm,
  formsOf,
  isFragment,
  ownTextIsIndexed,
  textSearch,
} from '../../kernel/database/text-search.js';
import { beginnings, containing, foundMax, pathsAbove, type Queryable } from './queries.js';
import { type Terms, termsOf } from './terms.js';

export type FoundLocation = {
  id: number;
  external_key: string;
  name: string;
  is_active: boolean;
  /** The names of its ancestors, the root first. */
  path: string[];
};

/** The most locations that match the end of the text. Their paths are searched for the other words. */
const candidatesMax = 200;

/** Finds live locations by key or name, and live locations whose whole path has the words. */
export async function findLocations(db: Queryable, orgId: number, terms: Terms): Promise<FoundLocation[]> {
  const found = Prisma.sql`
    (SELECT id FROM beginning UNION SELECT id FROM contained UNION SELECT id FROM named) f
    JOIN locations l ON l.org_id = ${orgId} AND l.id = f.id`;
  return db.$queryRaw<FoundLocation[]>`
    WITH RECURSIVE ${beginnings(Prisma.raw('locations'), orgId, terms)},
         ${containing(Prisma.raw('locations'), orgId, terms)},
         ${named(orgId, terms)},
         ${pathsAbove(orgId, found)}
    SELECT l.id, l.external_key, l.name, l.is_active, paths.path
      FROM paths
      JOIN locations l ON l.org_id = ${orgId} AND l.id = paths.start
      LEFT JOIN beginning b ON b.id = l.id
     WHERE b.id IS NOT NULL
        OR l.id IN (SELECT id FROM contained)
        OR (${matchesWords(terms)})
     ORDER BY coalesce(b.rank, 3), cardinality(paths.path), ${inNaturalOrder('l.name')}, l.external_key
     LIMIT ${foundMax}`;
}

/** Selects candidates for a path: locations that match its last words, or contain one of them. */
function named(orgId: number, { words }: Terms): Prisma.Sql {
  if (words.length === 0) return Prisma.sql`named AS (SELECT id FROM beginning WHERE false)`;
  const ends = words.slice(1).map((_, at) => words.slice(at + 1).join(' '));
  const containing = words
    .filter((word) => !isFragment(word))
    .map(
      (word) => Prisma.sql`
      UNION
      (SELECT r.id FROM locations r
        WHERE r.org_id = ${orgId} AND r.deleted_at IS NULL AND ${ownTextIsIndexed(textSearch(orgId, word), 'r')}
        LIMIT ${candidatesMax})`,
    );
  return Prisma.sql`
    named AS MATERIALIZED (
      SELECT n.id
        FROM ${formsOf(ends.flatMap((end) => termsOf(end).names))}
       CROSS JOIN LATERAL (
         SELECT r.id FROM locations r
          WHERE r.org_id = ${orgId} AND r.deleted_at IS NULL AND ${beginsWithForm('r.name')}
          ORDER BY r.name, r.id LIMIT ${candidatesMax}) n
      ${containing.length === 0 ? Prisma.empty : Prisma.join(containing, ' ')}
    )`;
}

/** Returns the condition that the path from the root to the location itself has every word. */
function matchesWords({ words }: Terms): Prisma.Sql {
  if (words.length === 0) return Prisma.sql`false`;
  const whole = Prisma.sql`fold_case(array_to_string(paths.path || l.name || l.external_key, ' '))`;
  return Prisma.sql`(SELECT bool_and(strpos(${whole}, fold_case(word)) > 0) FROM unnest(${words}::text[]) AS w (word))`;
}
