import { Prisma } from '../../../generated/prisma/client.js';
import type { TransactionClient } from '../../kernel/database/client.js';
import type { Field } from '../../kernel/fields.js';
import { cellFields, changedCells, detailOf, tagTypesIn } from './columns.js';
import { belongsToTexts, ownLocation } from './belongs-to.js';
import { matchKinds } from './kinds.js';
import { matchLocations } from './match-locations.js';
import { matchParents } from './parents.js';
import type { Job } from './staging.js';

/** The table of a kind, and the column by which tags belong to it. */
export const targets = {
  assets: { table: Prisma.raw('assets'), tagParent: Prisma.raw('asset_id') },
  locations: { table: Prisma.raw('locations'), tagParent: Prisma.raw('location_id') },
} as const;

/**
 * Finds the live rows that the file has keys of, and what the file would change of each: the row itself, or only its
 * tags. Anything without a column in the file stays unchanged.
 */
export async function matchRows(tx: TransactionClient, job: Job): Promise<void> {
  const { table, tagParent } = targets[job.kind];
  // A name or a tag that is stored with blanks or invisible characters at its ends stays as it is.
  await tx.$executeRaw`
    UPDATE staged s
       SET name = t.name, raw_name = NULL
      FROM ${table} t
     WHERE s.raw_name IS NOT NULL
       AND t.org_id = ${job.orgId}
       AND t.external_key = s.external_key
       AND t.deleted_at IS NULL
       AND t.name = s.raw_name`;
  if (job.columns.some((column) => detailOf(column) !== undefined)) await mergeDetails(tx, job);
  if (job.columns.includes('kind')) await matchKinds(tx, job);
  if (job.columns.includes('belongs_to_external_key')) await matchLocations(tx, job.orgId, belongsToTexts);
  if (job.columns.includes('parent_external_key')) await matchParents(tx, job);
  await tx.$executeRaw`
    UPDATE staged s
       SET id = t.id, updated_at = t.updated_at, row_changes = (${differences(job)})
      FROM ${table} t
     WHERE t.org_id = ${job.orgId}
       AND t.external_key = s.external_key
       AND t.deleted_at IS NULL`;
  for (const value of [Prisma.sql`coalesce(g.raw, g.value)`, Prisma.sql`g.value`]) {
    await tx.$executeRaw`
      UPDATE staged_tags g
         SET value = t.value, is_new = false
        FROM staged s
        JOIN tags t ON t.org_id = ${job.orgId} AND t.${tagParent} = s.id AND t.deleted_at IS NULL
       WHERE g.is_new AND g.line = s.line AND t.tag_type = g.tag_type AND t.value = ${value}`;
  }
  await tx.$executeRaw`DELETE FROM staged_tags WHERE is_new AND value ~ '^\\s+$'`;
  await tx.$executeRaw`
    UPDATE staged s
       SET tags_change = true
     WHERE s.id IS NOT NULL
       AND (EXISTS (SELECT FROM staged_tags g WHERE g.line = s.line AND g.is_new)
            OR EXISTS (SELECT FROM tags t
                        WHERE t.org_id = ${job.orgId} AND t.${tagParent} = s.id AND t.deleted_at IS NULL
                          AND t.tag_type = ANY(${tagTypesIn(job.columns)}::text[])
                          AND NOT EXISTS (SELECT FROM staged_tags g
                                           WHERE g.line = s.line AND g.tag_type = t.tag_type AND g.value = t.value)))`;
}

/**
 * Puts the custom details that have columns of their own among the others: the details of the column with all of them, else
 * the stored ones.
 * Keeps a stored number, or anything else, whose text the cell has.
 */
async function mergeDetails(tx: TransactionClient, { orgId, columns }: Job): Promise<void> {
  const base = columns.includes('metadata') ? Prisma.sql`s.metadata` : Prisma.sql`t.metadata`;
  await tx.$executeRaw`
    UPDATE staged s
       SET metadata = (
             SELECT ('{' || string_agg(to_json(key)::text || ':' || value, ',' ORDER BY place, at) || '}')::json
               FROM (SELECT coalesce(o.key, d.key) AS key,
                            CASE WHEN d.key IS NULL OR o.value #>> '{}' = d.value #>> '{}' THEN o.value ELSE d.value END::text AS value,
                            (o.key IS NULL)::int AS place, coalesce(o.at, d.at) AS at
                       FROM json_each(m.known) WITH ORDINALITY AS o (key, value, at)
                       FULL JOIN json_each(s.details) WITH ORDINALITY AS d (key, value, at) ON d.key = o.key) merged)
      FROM (SELECT s.line, coalesce(${base}, '{}') AS known
              FROM staged s
              LEFT JOIN assets t ON t.org_id = ${orgId} AND t.external_key = s.external_key AND t.deleted_at IS NULL
             WHERE s.details IS NOT NULL) m
     WHERE m.line = s.line`;
}

/** Returns whether a staged row `s` differs from the stored row `t` in the columns of the file. */
function differences({ kind, columns, orgId }: Job): Prisma.Sql {
  const parentKey = Prisma.sql`(SELECT p.external_key FROM locations p WHERE p.org_id = ${orgId} AND p.id = t.parent_id)`;
  const tests = changedCells(kind, columns).map((name) =>
    Prisma.raw(differs(`s.${name}`, `t.${name}`, cellFields[name])),
  );
  if (columns.includes('kind')) {
    tests.push(
      Prisma.sql`(s.kind IS NULL) <> (t.kind_id IS NULL) OR (s.kind IS NOT NULL AND s.kind_id IS DISTINCT FROM t.kind_id)`,
    );
  }
  if (columns.includes('belongs_to_external_key')) {
    tests.push(Prisma.sql`s.belongs_to_id IS DISTINCT FROM ${ownLocation(orgId, Prisma.raw('t.belongs_to_id'))}`);
  }
  if (columns.includes('parent_external_key')) {
    tests.push(Prisma.sql`s.parent_line IS NOT NULL OR s.parent_key IS DISTINCT FROM ${parentKey}`);
  }
  return Prisma.join(tests, ' OR ');
}

/** An empty cell leaves a value that cannot be null. The order of keys and the notation of numbers in JSON do not matter. */
function differs(staged: string, stored: string, { type, nullable }: Field): string {
  if (nullable) return `${staged} IS DISTINCT FROM ${stored}`;
  const isOther = `${staged} <> ${stored}`;
  const isOtherJson = `${staged}::text <> ${stored}::text AND ${staged}::jsonb <> ${stored}::jsonb`;
  return `coalesce(${type === 'json' ? isOtherJson : isOther}, false)`;
}

export type Counts = { toCreate: number; toChange: number; unchanged: number };

export async function countEffects(tx: TransactionClient): Promise<Counts> {
  const rows = await tx.$queryRaw<Counts[]>`
    SELECT count(*) FILTER (WHERE id IS NULL)::int AS "toCreate",
           count(*) FILTER (WHERE id IS NOT NULL AND (row_changes OR tags_change OR is_moved OR is_repacked))::int AS "toChange",
           count(*) FILTER (WHERE id IS NOT NULL AND NOT row_changes AND NOT tags_change AND NOT is_moved
                             AND NOT is_repacked)::int AS unchanged
      FROM staged
     WHERE is_valid`;
  return rows[0] ?? { toCreate: 0, toChange: 0, unchanged: 0 };
}
