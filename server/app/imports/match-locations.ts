import { Prisma } from '../../../generated/prisma/client.js';
import type { TransactionClient } from '../../kernel/database/client.js';
import { locationPaths, normalPath } from './location-paths.js';

/** The columns of the staged rows that have the text of a file, the id of the location, and how many locations the text names. */
export type LocationTexts = { text: string; id: string; found: string };

/** Finds the live locations that a column of the file names: by key, else by path, else by name, else by the end of a path. */
export async function matchLocations(tx: TransactionClient, orgId: number, texts: LocationTexts): Promise<void> {
  const [text, id, found] = [texts.text, texts.id, texts.found].map((name) => Prisma.raw(name));
  await tx.$executeRaw`
    WITH RECURSIVE ${locationPaths(orgId, Prisma.sql`l.deleted_at IS NULL`)}, names AS (
      SELECT l.id, l.external_key AS text, 1 AS rank FROM locations l WHERE l.org_id = ${orgId} AND l.deleted_at IS NULL
      UNION ALL SELECT id, fold_case(path), 2 FROM paths
      UNION ALL SELECT l.id, fold_case(l.name), 3 FROM locations l WHERE l.org_id = ${orgId} AND l.deleted_at IS NULL
      UNION ALL SELECT start_id, fold_case(path), 4 FROM up WHERE level > 1
    ), found AS (
      SELECT s.given, n.id, n.rank, min(n.rank) OVER (PARTITION BY s.given) AS best
        FROM (SELECT given, fold_case(given) AS name, fold_case(${normalPath('given')}) AS path
                FROM (SELECT DISTINCT ${text} AS given FROM staged WHERE is_valid AND ${text} IS NOT NULL) named
              OFFSET 0) s
        JOIN names n ON n.text = CASE n.rank WHEN 1 THEN s.given WHEN 3 THEN s.name ELSE s.path END
    )
    UPDATE staged s
       SET ${id} = f.id, ${found} = f.found
      FROM (SELECT given, min(id) AS id, count(*)::int AS found FROM found WHERE rank = best GROUP BY given) f
     WHERE s.${text} = f.given`;
}

/** Returns why a text does not name one location. */
export function notOneLocation(column: string, text: string, found: number): string {
  return found === 0
    ? `${column} "${text}" is no location`
    : `${column} "${text}" is the name of ${found} locations; write the key of one`;
}
