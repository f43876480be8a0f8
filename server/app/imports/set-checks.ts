import type { TransactionClient } from '../../kernel/database/client.js';
import { levelsMax, tooDeep } from '../../things/locations/tree.js';
import { targets } from './matching.js';
import { missingParents, ownReference, parentReference } from './parents.js';
import type { Problem } from './row-reader.js';
import type { Job } from './staging.js';
import { detailOf, tagColumnOf } from './columns.js';
import { metadataBytesMax } from '../../kernel/validation/resource-fields.js';

/**
 * Returns conflicts between rows, and between rows and the database: duplicate or taken keys and tags, missing parents,
 * cycles. The rows are staged and matched.
 */
export async function checkSets(tx: TransactionClient, job: Job): Promise<Problem[]> {
  const lists = [await repeatedKeys(tx), await repeatedTags(tx), await takenTags(tx, job)];
  if (job.kind === 'locations' && job.columns.includes('parent_external_key')) {
    lists.push(await missingParents(tx, job), await misplaced(tx, job));
  }
  if (job.columns.some((column) => detailOf(column) !== undefined)) lists.push(await largeDetails(tx));
  return lists.flat();
}

/** Finds rows whose custom details are too large only together with the stored ones. */
async function largeDetails(tx: TransactionClient): Promise<Problem[]> {
  const rows = await tx.$queryRaw<{ line: number }[]>`
    SELECT line FROM staged WHERE details IS NOT NULL AND octet_length(metadata::text) > ${metadataBytesMax} ORDER BY line`;
  const message = `metadata must be at most ${metadataBytesMax} bytes of JSON`;
  return rows.map(({ line }) => ({ line, column: 'metadata', message }));
}

async function repeatedKeys(tx: TransactionClient): Promise<Problem[]> {
  const rows = await tx.$queryRaw<{ line: number; key: string; first: number }[]>`
    SELECT s.line, s.external_key AS key, f.line AS first
      FROM (SELECT external_key, min(line) AS line FROM staged
             WHERE external_key IS NOT NULL GROUP BY external_key HAVING count(*) > 1) f
      JOIN staged s ON s.external_key = f.external_key AND s.line > f.line
     ORDER BY s.line`;
  return rows.map(({ line, key, first }) => ({
    line,
    column: 'external_key',
    message: `external_key ${key} duplicates line ${first}`,
  }));
}

type TagRow = { line: number; tag_type: 'rfid' | 'ble' | 'barcode'; value: string };

async function repeatedTags(tx: TransactionClient): Promise<Problem[]> {
  const rows = await tx.$queryRaw<(TagRow & { first: number })[]>`
    SELECT line, tag_type, value, first FROM (
      SELECT g.line, g.tag_type, g.value, g.ordinal,
             first_value(g.line) OVER pairs AS first, row_number() OVER pairs AS n
        FROM staged_tags g
      WINDOW pairs AS (PARTITION BY g.tag_type, g.value ORDER BY g.line, g.ordinal)
    ) numbered
     WHERE n > 1
     ORDER BY line, ordinal`;
  return rows.map((row) => ({
    line: row.line,
    column: tagColumnOf(row.tag_type),
    message: `tag ${row.tag_type}:${row.value} duplicates line ${row.first}`,
  }));
}

/**
 * Finds tags that are taken. A tag of a row that is also in the file is no conflict: the file says where it is attached
 * afterwards.
 */
async function takenTags(tx: TransactionClient, { orgId, kind }: Job): Promise<Problem[]> {
  const { tagParent } = targets[kind];
  const rows = await tx.$queryRaw<TagRow[]>`
    SELECT g.line, g.tag_type, g.value
      FROM staged_tags g
      JOIN tags t ON t.org_id = ${orgId} AND t.tag_type = g.tag_type AND t.value = g.value AND t.deleted_at IS NULL
     WHERE NOT EXISTS (SELECT FROM staged o WHERE o.id = t.${tagParent})
     ORDER BY g.line, g.ordinal`;
  return rows.map((row) => ({
    line: row.line,
    column: tagColumnOf(row.tag_type),
    message: `tag ${row.tag_type}:${row.value} already exists`,
  }));
}

/** A row that would be in a cycle or below one; or one, known by its line, that would have too many levels below it. */
type MisplacedRow =
  | { line: number | null; key: string; parent_key: string | null; is_deep: false }
  | { line: number; key: null; parent_key: null; is_deep: true };

/**
 * Returns rows that would be below themselves, or too many levels deep. Everything can be reached from the root of the
 * tree as the file would leave it, except what is in a cycle, below one, or too deep; following the parents of these
 * finds the cycles. A line that moves a location is responsible for the levels below it. The joins can be hashed: `NOT IN` and an
 * `OR` of `NOT EXISTS` compared each of 10,000 rows with all others.
 */
async function misplaced(tx: TransactionClient, { orgId }: Job): Promise<Problem[]> {
  const rows = await tx.$queryRaw<MisplacedRow[]>`
    WITH RECURSIVE tree AS MATERIALIZED (
      SELECT s.line, ${ownReference} AS key, ${parentReference} AS parent_key,
             CASE WHEN s.id IS NULL OR s.row_changes THEN s.line END AS changed_line
        FROM staged s
       WHERE s.is_valid
      UNION ALL
      SELECT NULL, l.external_key, p.external_key, NULL
        FROM locations l
        LEFT JOIN locations p ON p.org_id = l.org_id AND p.id = l.parent_id AND p.deleted_at IS NULL
       WHERE l.org_id = ${orgId}
         AND l.deleted_at IS NULL
         AND NOT EXISTS (SELECT FROM staged s WHERE s.external_key = l.external_key AND s.is_valid)
    ), reached AS (
      SELECT t.key, 1 AS level, t.changed_line
        FROM tree t
        LEFT JOIN tree p ON p.key = t.parent_key
       WHERE p.key IS NULL
      UNION
      SELECT t.key, r.level + 1, coalesce(t.changed_line, r.changed_line)
        FROM reached r JOIN tree t ON t.parent_key = r.key
       WHERE r.level <= ${levelsMax}
    )
    SELECT t.line, t.key, t.parent_key, false AS is_deep
      FROM tree t WHERE NOT EXISTS (SELECT FROM reached r WHERE r.key = t.key)
    UNION ALL
    SELECT r.changed_line, NULL, NULL, true
      FROM reached r
     WHERE r.level > ${levelsMax} AND r.changed_line IS NOT NULL
     GROUP BY r.changed_line`;
  const deep = rows.flatMap(({ line, is_deep: isDeep }) =>
    isDeep ? [{ line: line ?? 0, column: 'parent_external_key' as const, message: tooDeep }] : [],
  );
  const circling = rows.filter((row) => !row.is_deep);
  const parents = new Map(circling.map(({ key, parent_key: parent }) => [key, parent]));
  const inCircle = keysInCircles(parents);
  const circles = circling
    .filter(({ line, key }) => line !== null && inCircle.has(key))
    .map(({ line, key, parent_key: parent }) => ({
      line: line ?? 0,
      column: 'parent_external_key' as const,
      message:
        key === parent
          ? `parent_external_key "${parent}" would create a self-referential cycle`
          : `parent_external_key "${parent}" would create a cycle through location ${key}`,
    }));
  return [...circles, ...deep].sort((a, b) => a.line - b.line);
}

/** Visits each key once: a path ends at a visited key, and has found a cycle if that key is its own. */
export function keysInCircles(parents: ReadonlyMap<string, string | null>): Set<string> {
  const seenBy = new Map<string, string>();
  const found = new Set<string>();
  for (const start of parents.keys()) {
    let key: string | null | undefined = start;
    while (key !== null && key !== undefined && parents.has(key) && !seenBy.has(key)) {
      seenBy.set(key, start);
      key = parents.get(key);
    }
    if (key === null || key === undefined || seenBy.get(key) !== start) continue;
    for (let member: string | null | undefined = key; member && !found.has(member); member = parents.get(member)) {
      found.add(member);
    }
  }
  return found;
}
