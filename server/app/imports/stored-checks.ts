import { Prisma } from '../../../generated/prisma/client.js';
import type { TransactionClient } from '../../kernel/database/client.js';
import { cellFields, changedCells, type ImportColumn, tagColumnOf } from './columns.js';
import { locationPaths } from './location-paths.js';
import { targets } from './matching.js';
import type { Problem } from './row-reader.js';
import type { Job } from './staging.js';
import type { TagType } from '../../things/tags/schemas.js';

/** Returns warnings about what an import would double, and about what it leaves as it is although the file differs. */
export async function checkStored(tx: TransactionClient, job: Job): Promise<Problem[]> {
  const locations = job.kind === 'assets' ? await otherLocations(tx, job) : [];
  return [
    ...(await doubles(tx, job)),
    ...(await respelledKeys(tx, job)),
    ...(await respelledTags(tx, job)),
    ...locations,
  ];
}

/** Finds rows without a key or a tag that equal something stored: the same file, imported for a second time. */
async function doubles(tx: TransactionClient, { kind, orgId, columns }: Job): Promise<Problem[]> {
  const { table } = targets[kind];
  const compared = comparisons(kind, [...columns, 'name']);
  const sides = compared.map(([staged, stored], index) => ({
    equal: Prisma.sql`${Prisma.raw(staged)} = known.${Prisma.raw(`value_${index}`)}`,
    stored: Prisma.sql`${Prisma.raw(stored)} AS ${Prisma.raw(`value_${index}`)}`,
  }));
  // Any number of things can have one name: they are one row of each value before they are joined.
  const rows = await tx.$queryRaw<{ line: number; key: string }[]>`
    WITH single AS (
      SELECT s.*
        FROM staged s
       WHERE s.is_valid AND s.external_key IS NULL AND NOT EXISTS (SELECT FROM staged_tags g WHERE g.line = s.line)
    ), known AS (
      SELECT min(t.external_key) AS key, ${Prisma.join(sides.map(({ stored }) => stored))}
        FROM ${table} t
       WHERE t.org_id = ${orgId} AND t.deleted_at IS NULL AND t.name IN (SELECT name FROM single)
       GROUP BY ${Prisma.raw(sides.map((_, index) => `value_${index}`).join(', '))}
    )
    SELECT s.line, known.key
      FROM single s
      JOIN known ON ${Prisma.join(
        sides.map(({ equal }) => equal),
        ' AND ',
      )}
     ORDER BY s.line`;
  return rows.map(({ line, key }) => ({
    line,
    column: '',
    message: `the row equals ${kind === 'assets' ? 'asset' : 'location'} ${key}`,
    isWarning: true,
  }));
}

/**
 * Returns what has to be equal, in a staged row `s` and a stored row `t`, for the columns of a file. A value that has a default is not
 * compared, as an empty cell is none.
 */
function comparisons(kind: Job['kind'], columns: readonly ImportColumn[]): [staged: string, stored: string][] {
  const pairs = changedCells(kind, columns).flatMap((name): [string, string][] => {
    const { type, default: otherwise } = cellFields[name];
    if (type === 'json') return [[`coalesce(s.${name}, ${otherwise})::jsonb`, `t.${name}::jsonb`]];
    return otherwise === undefined ? [[`coalesce(s.${name}::text, '')`, `coalesce(t.${name}::text, '')`]] : [];
  });
  if (columns.includes('kind')) {
    pairs.push(['coalesce(s.kind_id, -(s.kind IS NOT NULL)::int)', 'coalesce(t.kind_id, 0)']);
  }
  if (columns.includes('belongs_to_external_key')) {
    pairs.push(['coalesce(s.belongs_to_id, 0)', 'coalesce(t.belongs_to_id, 0)']);
  }
  if (columns.includes('parent_external_key')) {
    const parentKey = '(SELECT p.external_key FROM locations p WHERE p.org_id = t.org_id AND p.id = t.parent_id)';
    pairs.push(["coalesce('#' || s.parent_line, s.parent_key, '')", `coalesce(${parentKey}, '')`]);
  }
  return pairs;
}

/** Finds new keys that differ from a key that is stored or in the file only in the case of letters. */
async function respelledKeys(tx: TransactionClient, { kind, orgId }: Job): Promise<Problem[]> {
  const { table } = targets[kind];
  const rows = await tx.$queryRaw<{ line: number; key: string; other: string }[]>`
    SELECT s.line, s.external_key AS key, min(k.external_key) AS other
      FROM staged s
      JOIN (SELECT external_key, 0 AS line FROM ${table} WHERE org_id = ${orgId} AND deleted_at IS NULL
            UNION ALL SELECT external_key, line FROM staged) k
        ON lower(k.external_key) = lower(s.external_key) AND k.external_key <> s.external_key AND k.line < s.line
     WHERE s.id IS NULL
     GROUP BY s.line, s.external_key
     ORDER BY s.line`;
  return rows.map(({ line, key, other }) => ({
    line,
    column: 'external_key',
    message: `external_key ${key} differs from ${other} only in case`,
    isWarning: true,
  }));
}

type Respelled = { line: number; tag_type: TagType; value: string; other: string; at: string };

/**
 * Finds tags that are one with a tag of another spelling, stored or in the file: a barcode with 12 and with 13 digits, an address with
 * and without colons. A stored tag of a row that is also in the file is no such tag, as the file has all its later tags.
 */
async function respelledTags(tx: TransactionClient, { kind, orgId }: Job): Promise<Problem[]> {
  const { tagParent } = targets[kind];
  const rows = await tx.$queryRaw<Respelled[]>`
    WITH given AS (
      SELECT g.line, g.ordinal, g.tag_type, g.value, g.is_new, tag_normal_form(g.tag_type, g.value) AS form
        FROM staged_tags g
    ), pairs AS (
      SELECT g.line, g.ordinal, g.tag_type, g.value, t.value AS other,
             CASE WHEN a.id IS NULL THEN 'location ' || l.external_key ELSE 'asset ' || a.external_key END AS at
        FROM given g
        JOIN tags t ON t.org_id = ${orgId} AND t.tag_type = g.tag_type AND t.deleted_at IS NULL
                   AND tag_normal_form(t.tag_type, t.value) = g.form AND t.value <> g.value
        LEFT JOIN assets a ON a.org_id = ${orgId} AND a.id = t.asset_id
        LEFT JOIN locations l ON l.org_id = ${orgId} AND l.id = t.location_id
       WHERE g.is_new AND NOT EXISTS (SELECT FROM staged o WHERE o.id = t.${tagParent})
      UNION ALL
      SELECT line, ordinal, tag_type, value, other, 'line ' || at
        FROM (SELECT g.*, first_value(g.value) OVER forms AS other, first_value(g.line) OVER forms AS at
                FROM given g
              WINDOW forms AS (PARTITION BY g.tag_type, g.form ORDER BY g.line, g.ordinal)) first
       WHERE value <> other AND is_new
    )
    SELECT DISTINCT ON (line, ordinal) line, tag_type, value, other, at FROM pairs ORDER BY line, ordinal`;
  return rows.map((row) => ({
    line: row.line,
    column: tagColumnOf(row.tag_type),
    message: `tag ${row.tag_type}:${row.value} is the same as ${row.other} of ${row.at}`,
    isWarning: true,
  }));
}

type Elsewhere = { line: number; says: string; stored: string | null };

/** Finds assets whose location differs from the file; an import does not move them. */
async function otherLocations(tx: TransactionClient, { orgId, columns }: Job): Promise<Problem[]> {
  const column = columns.includes('location_external_key') ? 'location_external_key' : 'location';
  if (!columns.includes(column)) return [];
  const says = Prisma.raw(
    column === 'location_external_key' ? "coalesce(s.location_key, '')" : "coalesce(s.location, '')",
  );
  const rows = await tx.$queryRaw<Elsewhere[]>`
    WITH RECURSIVE ${locationPaths(orgId, Prisma.sql`${column} = 'location'`)}
    SELECT s.line, ${says} AS says, l.external_key AS stored
      FROM staged s
      LEFT JOIN asset_positions p ON p.org_id = ${orgId} AND p.asset_id = s.id
      LEFT JOIN locations l ON l.org_id = ${orgId} AND l.id = p.location_id
      LEFT JOIN paths ON paths.id = l.id
     WHERE s.is_valid
       AND ${says} <> coalesce(l.external_key, '')
       AND (${column} = 'location_external_key'
            OR fold_case(${says}) <> ALL (ARRAY[fold_case(coalesce(l.name, '')), fold_case(coalesce(paths.path, ''))]))
     ORDER BY s.line`;
  return rows.map(({ line, says: text, stored }) => ({
    line,
    column,
    message: `${column} "${text}" is not imported; ${stored === null ? 'the asset has no location' : `the asset is at ${stored}`}`,
    isWarning: true,
  }));
}
