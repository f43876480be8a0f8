import { Prisma } from '../../generated/prisma/client.js';
import type { TransactionClient } from '../database/client.js';
import { levelsMax } from '../locations/tree-queries.js';
import { differences, targets } from './matching.js';
import type { Problem } from './row-reader.js';
import type { Job } from './staging.js';

/** Returns warnings about what an import would double, and about what it leaves as it is though the file says otherwise. */
export async function checkStored(tx: TransactionClient, job: Job): Promise<Problem[]> {
  const locations = job.kind === 'assets' ? await otherLocations(tx, job) : [];
  return [...(await doubles(tx, job)), ...locations];
}

/** Finds rows without a key or a tag that equal something stored: the same file, imported for a second time. */
async function doubles(tx: TransactionClient, job: Job): Promise<Problem[]> {
  const { table } = targets[job.kind];
  const rows = await tx.$queryRaw<{ line: number; key: string }[]>`
    SELECT s.line, min(t.external_key) AS key
      FROM staged s
      JOIN ${table} t ON t.org_id = ${job.orgId} AND t.deleted_at IS NULL AND t.name = s.name AND NOT (${differences(job)})
     WHERE s.is_valid
       AND s.external_key IS NULL
       AND NOT EXISTS (SELECT FROM staged_tags g WHERE g.line = s.line)
     GROUP BY s.line
     ORDER BY s.line`;
  return rows.map(({ line, key }) => ({
    line,
    column: '',
    message: `the row equals ${job.kind === 'assets' ? 'asset' : 'location'} ${key}`,
    isWarning: true,
  }));
}

type Elsewhere = { line: number; says: string; stored: string | null };

/** Finds assets that are not where the file says; an import does not move them. */
async function otherLocations(tx: TransactionClient, { orgId, columns }: Job): Promise<Problem[]> {
  const column = columns.includes('location_external_key') ? 'location_external_key' : 'location';
  if (!columns.includes(column)) return [];
  const says = Prisma.raw(
    column === 'location_external_key' ? "coalesce(s.location_key, '')" : "coalesce(s.location, '')",
  );
  const rows = await tx.$queryRaw<Elsewhere[]>`
    WITH RECURSIVE up AS (
      SELECT l.id AS start_id, l.parent_id, l.name AS path, 1 AS level FROM locations l
       WHERE l.org_id = ${orgId} AND ${column} = 'location'
      UNION ALL
      SELECT up.start_id, p.parent_id, p.name || ' › ' || up.path, up.level + 1
        FROM up JOIN locations p ON p.org_id = ${orgId} AND p.id = up.parent_id
       WHERE up.level < ${levelsMax}
    ), paths AS (
      SELECT start_id AS id, path FROM up WHERE parent_id IS NULL
    )
    SELECT s.line, ${says} AS says, l.external_key AS stored
      FROM staged s
      LEFT JOIN asset_positions p ON p.org_id = ${orgId} AND p.asset_id = s.id
      LEFT JOIN locations l ON l.org_id = ${orgId} AND l.id = p.location_id
      LEFT JOIN paths ON paths.id = l.id
     WHERE s.is_valid
       AND ${says} <> coalesce(l.external_key, '')
       AND (${column} = 'location_external_key'
            OR lower(${says}) <> ALL (ARRAY[lower(coalesce(l.name, '')), lower(coalesce(paths.path, ''))]))
     ORDER BY s.line`;
  return rows.map(({ line, says: text, stored }) => ({
    line,
    column,
    message: `${column} "${text}" is not imported; ${stored === null ? 'the asset has no location' : `the asset is at ${stored}`}`,
    isWarning: true,
  }));
}
