import { Prisma } from '../../../generated/prisma/client.js';
import type { TransactionClient } from '../../kernel/database/client.js';
import { locationPaths, normalPath } from './location-paths.js';
import type { Problem } from './row-reader.js';
import type { Job } from './staging.js';

/**
 * Finds the parents that the file names by their names or paths instead of their keys, in the file and among what is stored. The key of
 * a found parent replaces the text; a row of the file without a key is referred to by its line. If several locations have a name,
 * `parents` is their number.
 */
export async function matchParents(tx: TransactionClient, { orgId }: Job): Promise<void> {
  const isLive = Prisma.sql`l.deleted_at IS NULL`;
  await tx.$executeRaw`
    WITH RECURSIVE ${locationPaths(orgId, isLive)}, given AS (
      SELECT g.text, fold_case(${normalPath('g.text')}) AS path
        FROM (SELECT DISTINCT s.parent_key AS text FROM staged s WHERE s.parent_key IS NOT NULL) g
       WHERE NOT EXISTS (SELECT FROM staged f WHERE f.external_key = g.text)
         AND NOT EXISTS (SELECT FROM locations l WHERE l.org_id = ${orgId} AND l.external_key = g.text AND ${isLive})
      OFFSET 0
    ), stored AS (
      SELECT l.id, l.external_key, l.name
        FROM locations l
       WHERE l.org_id = ${orgId} AND ${isLive} AND NOT EXISTS (SELECT FROM staged f WHERE f.external_key = l.external_key)
    ), named AS (
      SELECT f.line, f.external_key AS key, fold_case(${normalPath("f.parent_key || ' › ' || f.name")}) AS path, 1 AS rank
        FROM staged f WHERE f.parent_key IS NOT NULL AND f.name IS NOT NULL
      UNION ALL SELECT NULL, l.external_key, fold_case(p.path), 1 FROM paths p JOIN stored l ON l.id = p.id WHERE p.path <> l.name
      UNION ALL SELECT f.line, f.external_key, fold_case(f.name), 2 FROM staged f WHERE f.name IS NOT NULL
      UNION ALL SELECT NULL, l.external_key, fold_case(l.name), 3 FROM stored l
      UNION ALL SELECT NULL, l.external_key, fold_case(up.path), 4 FROM up JOIN stored l ON l.id = up.start_id WHERE up.level > 1
    ), found AS (
      SELECT g.text, n.line, n.key, n.rank, min(n.rank) OVER (PARTITION BY g.text) AS best
        FROM given g
        JOIN named n ON n.path = g.path
    )
    UPDATE staged s
       SET parents = f.parents,
           parent_line = CASE WHEN f.parents = 1 AND f.key IS NULL THEN f.line END,
           parent_key = CASE WHEN f.parents > 1 THEN s.parent_key ELSE f.key END
      FROM (SELECT text, min(line) AS line, min(key) AS key, count(*)::int AS parents
              FROM found WHERE rank = best GROUP BY text) f
     WHERE s.parent_key = f.text`;
}

/** Returns SQL for what identifies a row of the file or its parent: a key, or the line of a row without one, which is no key. */
export const ownReference = Prisma.raw("coalesce(s.external_key, '#' || s.line)");
export const parentReference = Prisma.raw("coalesce('#' || s.parent_line, s.parent_key)");

/** Returns the rows whose parents cannot be found, or have a name that several locations have. */
export async function missingParents(tx: TransactionClient, { orgId }: Job): Promise<Problem[]> {
  const rows = await tx.$queryRaw<{ line: number; text: string; parents: number }[]>`
    SELECT s.line, s.parent_key AS text, s.parents
      FROM staged s
     WHERE s.parent_key IS NOT NULL
       AND NOT EXISTS (SELECT FROM staged p WHERE p.external_key = s.parent_key)
       AND NOT EXISTS (SELECT FROM locations l
                        WHERE l.org_id = ${orgId} AND l.external_key = s.parent_key AND l.deleted_at IS NULL)
     ORDER BY s.line`;
  return rows.map(({ line, text, parents }) => ({
    line,
    column: 'parent_external_key',
    message:
      parents > 1
        ? `parent_external_key "${text}" is the name of ${parents} locations; write the key of one`
        : `parent_external_key "${text}" not found`,
  }));
}
