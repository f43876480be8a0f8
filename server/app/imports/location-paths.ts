import { Prisma } from '../../../generated/prisma/client.js';
import { levelsMax } from '../../things/locations/tree.js';

/** Returns SQL for a path as `locationPaths` has it, whatever separates its names: " / ", ">" or "›". */
export function normalPath(text: string): Prisma.Sql {
  return Prisma.raw(`regexp_replace(${text}, '\\s*[>›]\\s*|\\s+/\\s+', ' › ', 'g')`);
}

/** Returns the names of a path. */
export function namesOf(path: string): string[] {
  return path
    .split(/[>›]|\s\/\s/)
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

/**
 * Returns the common table expressions `up (start_id, path, level)`, with the ends of paths, and `paths (id, path)`, for a statement that begins with `WITH RECURSIVE`: the names of
 * locations and of those above them, such as "Hall 1 › Dock".
 *
 * @param which a condition on the locations `l` whose paths are needed
 */
export function locationPaths(orgId: number, which: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`
    up AS (
      SELECT l.id AS start_id, l.parent_id, l.name AS path, 1 AS level FROM locations l
       WHERE l.org_id = ${orgId} AND ${which}
      UNION ALL
      SELECT up.start_id, p.parent_id, p.name || ' › ' || up.path, up.level + 1
        FROM up JOIN locations p ON p.org_id = ${orgId} AND p.id = up.parent_id
       WHERE up.level < ${levelsMax}
    ), paths AS (
      SELECT start_id AS id, path FROM up WHERE parent_id IS NULL
    )`;
}
