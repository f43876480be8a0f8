import { Prisma } from '../../../generated/prisma/client.js';
import { inNaturalOrder } from '../../kernel/database/columns.js';
import { foundMax, pathsAbove, type Queryable } from './queries.js';
import type { Terms } from './terms.js';

/** A location that has a floor plan. */
export type FoundPlan = {
  id: number;
  external_key: string;
  name: string;
  /** The names of its ancestors, the root first. */
  path: string[];
};

/** The most plans with a word in their location's own name or key. Their paths are searched for the other words. */
const candidatesMax = 200;

/** A word with fewer letters does not count as the beginning of `title`. */
const titleLettersMin = 3;

/**
 * Finds floor plans by words of their location's name, key and path. `title` is the caller's term for a floor plan:
 * every plan matches words that begin one of its words. Reads all plans of the organization; the quota of images limits
 * their number.
 */
export async function findPlans(
  db: Queryable,
  orgId: number,
  { terms: { q, words }, title }: { terms: Terms; title: string },
): Promise<FoundPlan[]> {
  const asked = (words.length === 0 ? [q] : words).filter((word) => !isOfTitle(word, title));
  const isNamed =
    asked.length === 0
      ? Prisma.sql`true`
      : Prisma.sql`EXISTS (
          SELECT FROM unnest(${asked}::text[]) AS w (word)
           WHERE strpos(fold_case(l.name || ' ' || l.external_key), fold_case(w.word)) > 0)`;
  const first = (table: Prisma.Sql) => Prisma.sql`NOT starts_with(fold_case(${table}.name), fold_case(${q}))`;
  return db.$queryRaw<FoundPlan[]>`
    WITH RECURSIVE named AS MATERIALIZED (
           SELECT l.id, l.parent_id, l.name
             FROM floor_plans p
            CROSS JOIN LATERAL (
              SELECT r.id, r.parent_id, r.name, r.external_key FROM locations r
               WHERE r.org_id = ${orgId} AND r.id = p.location_id AND r.deleted_at IS NULL
               LIMIT 1) l
            WHERE p.org_id = ${orgId} AND ${isNamed}
            ORDER BY ${first(Prisma.sql`l`)}, ${inNaturalOrder('l.name')}, l.id
            LIMIT ${candidatesMax}
         ), ${pathsAbove(orgId, Prisma.sql`named l`)}
    SELECT l.id, l.external_key, l.name, paths.path
      FROM paths
      JOIN locations l ON l.org_id = ${orgId} AND l.id = paths.start
     WHERE NOT EXISTS (
             SELECT FROM unnest(${asked}::text[]) AS w (word)
              WHERE strpos(fold_case(array_to_string(paths.path || l.name || l.external_key, ' ')), fold_case(w.word)) = 0)
     ORDER BY ${first(Prisma.sql`l`)}, cardinality(paths.path), ${inNaturalOrder('l.name')}, l.external_key
     LIMIT ${foundMax}`;
}

function isOfTitle(word: string, title: string): boolean {
  const begun = word.toLowerCase();
  return (
    begun.length >= titleLettersMin &&
    title
      .toLowerCase()
      .split(/\s+/)
      .some((part) => part.startsWith(begun))
  );
}
