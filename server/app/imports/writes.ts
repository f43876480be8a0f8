import { Prisma } from '../../../generated/prisma/client.js';
import type { TransactionClient } from '../../kernel/database/client.js';
import { currentInstant, nextInstant } from '../../kernel/database/columns.js';
import { withDefault } from '../../kernel/database/field-sql.js';
import { fieldsFor } from '../../kernel/fields.js';
import { cellFields, changedCells, tableFields, tagTypesIn } from './columns.js';
import { createKinds } from './kinds.js';
import { targets } from './matching.js';
import type { Job } from './staging.js';

const idSequences = { assets: 'assets_id_seq', locations: 'locations_id_seq' } as const satisfies Record<
  Job['kind'],
  string
>;

/** Locks the rows whose keys are in the file until the end of the transaction, in the order of their ids. */
export async function lockTargets(tx: TransactionClient, { kind, orgId }: Job): Promise<void> {
  const { table } = targets[kind];
  await tx.$executeRaw`
    SELECT 1
      FROM ${table} t
     WHERE t.org_id = ${orgId}
       AND t.deleted_at IS NULL
       AND t.external_key IN (SELECT external_key FROM staged WHERE is_valid)
     ORDER BY t.id
       FOR NO KEY UPDATE`;
}

/**
 * Writes the staged rows into the tables. They have been matched and checked, and their keys are reserved. Counts
 * are kept in a shard that only imports use, so nobody waits for them until the commit.
 */
export async function writeStaged(tx: TransactionClient, job: Job): Promise<void> {
  // Plans of foreign keys and triggers that were made while the tables were small would read them completely for each
  // row.
  await tx.$executeRaw`DISCARD PLANS`;
  await tx.$executeRaw`SELECT set_config('whereabouts.count_shard', '16', true)`;
  await giveIds(tx, job);
  if (job.kind === 'locations') await resolveParents(tx, job);
  else await createKinds(tx, job);
  await detachTags(tx, job);
  await insertRowsAndTags(tx, job);
  await changeRows(tx, job);
}

/** Chooses the ids of new rows before any is stored, since rows of the file can refer to each other. */
async function giveIds(tx: TransactionClient, { kind }: Job): Promise<void> {
  await tx.$executeRaw`
    UPDATE staged s
       SET new_id = numbered.id
      FROM (SELECT line, nextval(${idSequences[kind]})::int AS id
              FROM (SELECT line FROM staged WHERE id IS NULL ORDER BY line) ordered) numbered
     WHERE s.line = numbered.line`;
}

async function resolveParents(tx: TransactionClient, { orgId }: Job): Promise<void> {
  await tx.$executeRaw`
    UPDATE staged s
       SET parent_id = coalesce(
             (SELECT coalesce(p.id, p.new_id) FROM staged p WHERE p.line = s.parent_line),
             (SELECT coalesce(p.id, p.new_id) FROM staged p WHERE p.external_key = s.parent_key),
             (SELECT l.id FROM locations l
               WHERE l.org_id = ${orgId} AND l.external_key = s.parent_key AND l.deleted_at IS NULL))
     WHERE s.parent_key IS NOT NULL OR s.parent_line IS NOT NULL`;
}

/** Detaches tags, in a statement before all others, since a tag may move from one row of the file to another. */
async function detachTags(tx: TransactionClient, { kind, orgId, columns }: Job): Promise<void> {
  const { tagParent } = targets[kind];
  await tx.$executeRaw`
    DELETE FROM tags t
     USING staged s
     WHERE s.tags_change
       AND t.org_id = ${orgId}
       AND t.${tagParent} = s.id
       AND t.deleted_at IS NULL
       AND t.tag_type = ANY(${tagTypesIn(columns)}::text[])
       AND NOT EXISTS (SELECT FROM staged_tags g WHERE g.line = s.line AND g.tag_type = t.tag_type AND g.value = t.value)`;
}

/**
 * Inserts rows before tags and both in the order of their natural keys, in one statement, so that the kept counts come
 * last. Tags get their ids in the order of the file.
 */
async function insertRowsAndTags(tx: TransactionClient, { kind, orgId }: Job): Promise<void> {
  const { table, tagParent } = targets[kind];
  const columns = fieldsFor(tableFields[kind], 'csv');
  const values = columns.map((column) => withDefault(tableFields[kind][column], Prisma.raw(`s.${column}`)));
  await tx.$executeRaw`
    WITH made AS (
      INSERT INTO ${table} (id, org_id, ${Prisma.raw(columns.join(', '))}, created_at, updated_at)
      SELECT s.new_id, ${orgId}, ${Prisma.join(values, ', ')}, clock.now, clock.now
        FROM staged s
       CROSS JOIN (SELECT ${currentInstant} AS now) clock
       WHERE s.id IS NULL
       ORDER BY s.external_key
    )
    INSERT INTO tags (id, org_id, ${tagParent}, tag_type, value)
    SELECT numbered.id, ${orgId}, numbered.parent_id, numbered.tag_type, numbered.value
      FROM (SELECT nextval('tags_id_seq')::int AS id, ordered.*
              FROM (SELECT coalesce(s.id, s.new_id) AS parent_id, g.tag_type, g.value
                      FROM staged_tags g
                      JOIN staged s ON s.line = g.line
                     WHERE s.id IS NULL
                        OR (s.tags_change
                            AND NOT EXISTS (SELECT FROM tags t
                                             WHERE t.org_id = ${orgId} AND t.${tagParent} = s.id AND t.deleted_at IS NULL
                                               AND t.tag_type = g.tag_type AND t.value = g.value))
                     ORDER BY g.line, g.ordinal) ordered) numbered
     ORDER BY numbered.tag_type, numbered.value`;
}

async function changeRows(tx: TransactionClient, { kind, orgId, columns }: Job): Promise<void> {
  const { table } = targets[kind];
  const values = changedCells(kind, columns).map((name) =>
    Prisma.raw(`${name} = ${cellFields[name].nullable ? `s.${name}` : `coalesce(s.${name}, t.${name})`}`),
  );
  const changes = [
    Prisma.sql`updated_at = ${nextInstant('t.updated_at')}`,
    ...values,
    ...(columns.includes('kind') ? [Prisma.sql`kind_id = s.kind_id`] : []),
    ...(columns.includes('belongs_to_external_key') ? [Prisma.sql`belongs_to_id = s.belongs_to_id`] : []),
    ...(columns.includes('parent_external_key') ? [Prisma.sql`parent_id = s.parent_id`] : []),
  ];
  await tx.$executeRaw`
    UPDATE ${table} t
       SET ${Prisma.join(changes, ', ')}
      FROM staged s
     WHERE t.org_id = ${orgId}
       AND t.id = s.id
       AND s.row_changes`;
}
