import { Prisma } from '../../../generated/prisma/client.js';
import { type Author, authoredBy } from '../../people/activity/author.js';
import type { ResourceKind } from '../../kernel/fields.js';
import type { TransactionClient } from '../../kernel/database/client.js';
import { resourceTables } from '../../kernel/database/resource-tables.js';
import { tagsMax } from '../../things/tags/schemas.js';
import { entriesOf, type EntryKey } from './entries.js';

function tagsOfEntries(orgId: number, side: 'before' | 'after', keys: readonly EntryKey[]): Prisma.Sql {
  const tag = Prisma.raw(`(l.${side} ->> 'tag')`);
  return Prisma.sql`
    SELECT l.id AS entry_id, l.object_id::int AS row_id, l.batch_id, ${tag} AS tag,
           row_number() OVER (PARTITION BY l.object_id ORDER BY l.id) AS place,
           split_part(${tag}, ':', 1) AS tag_type, substr(${tag}, strpos(${tag}, ':') + 1) AS value
      FROM ${entriesOf(orgId, keys)}`;
}

type TagChange = { kind: ResourceKind; keys: readonly EntryKey[]; author: Author };

/** Detaches the tags that the entries attached, where they are still attached to these rows. Returns how many were. */
export async function detachAgain(
  tx: TransactionClient,
  orgId: number,
  { kind, keys, author }: TagChange,
): Promise<number> {
  return tx.$executeRaw`
    WITH g AS MATERIALIZED (${tagsOfEntries(orgId, 'after', keys)})
    DELETE FROM tags t
     USING g
     WHERE t.org_id = ${orgId} AND t.${resourceTables[kind].tagColumn} = g.row_id AND t.tag_type = g.tag_type AND t.value = g.value
       AND t.deleted_at IS NULL AND ${authoredBy(author)}`;
}

/**
 * Returns the ids of entries of a batch that detached a tag and attached it to another row, from which it was detached since by others
 * than the undo of the batch. Whether a row has the tag does not matter then.
 */
export async function overtakenTags(
  tx: TransactionClient,
  orgId: number,
  { keys, author: { batchId } }: Omit<TagChange, 'kind'>,
): Promise<ReadonlySet<string>> {
  if (batchId === undefined) return new Set();
  const rows = await tx.$queryRaw<{ entry_id: string }[]>`
    WITH g AS MATERIALIZED (${tagsOfEntries(orgId, 'before', keys)}), held AS MATERIALIZED (
      SELECT h.kind, h.object_id, t.tag, h.occurred_at, h.id
        FROM activity_log h
       CROSS JOIN LATERAL (
         SELECT h.after ->> 'tag' AS tag
          WHERE h.action = 'tag_attached'
         UNION ALL
         SELECT json_array_elements_text(h.after -> 'tags')
          WHERE h.action = 'created' AND json_typeof(h.after -> 'tags') = 'array'
       ) t
       WHERE h.org_id = ${orgId} AND h.batch_id = ANY(ARRAY(SELECT DISTINCT g.batch_id FROM g)) AND h.action IN ('tag_attached', 'created')
         AND t.tag = ANY(ARRAY(SELECT g.tag FROM g))
    )
    SELECT g.entry_id::text AS entry_id
      FROM g
      JOIN held h ON h.tag = g.tag
     WHERE (SELECT d.batch_id IS DISTINCT FROM ${batchId}::uuid
              FROM activity_log d
             WHERE d.org_id = ${orgId} AND d.kind = h.kind AND d.object_id = h.object_id AND d.action = 'tag_detached'
               AND d.before ->> 'tag' = h.tag AND (d.occurred_at, d.id) > (h.occurred_at, h.id)
             ORDER BY d.occurred_at DESC, d.id DESC
             LIMIT 1)`;
  return new Set(rows.map(({ entry_id: id }) => id));
}

/** A tag that is not attached again, and the row that has it by now; null if none has. */
export type MissingTag = {
  entry_id: string;
  value: string;
  kind: ResourceKind;
  id: number | null;
  name: string | null;
  /** Whether the row of the entry is deleted. */
  is_deleted: boolean;
};

/** Attaches the tags that the entries detached to live rows. Returns how many it attached, and the tags that these rows do not have. */
export async function attachAgain(
  tx: TransactionClient,
  orgId: number,
  { kind, keys, author, overtaken }: TagChange & { overtaken: ReadonlySet<string> },
): Promise<{ taken: number; missing: MissingTag[] }> {
  const free = keys.filter(({ id }) => !overtaken.has(id));
  const column = resourceTables[kind].tagColumn;
  const taken = await tx.$executeRaw`
    WITH g AS MATERIALIZED (${tagsOfEntries(orgId, 'before', free)})
    INSERT INTO tags (org_id, ${column}, tag_type, value)
    SELECT ${orgId}, g.row_id, g.tag_type, g.value
      FROM g
      JOIN ${resourceTables[kind].table} r ON r.org_id = ${orgId} AND r.id = g.row_id AND r.deleted_at IS NULL
      JOIN LATERAL (
        SELECT count(*) AS tags FROM tags t WHERE t.org_id = ${orgId} AND t.${column} = g.row_id
      ) present ON present.tags + g.place <= ${tagsMax}
     WHERE ${authoredBy(author)}
     ORDER BY g.tag_type, g.value
    ON CONFLICT (org_id, tag_type, value) WHERE deleted_at IS NULL DO NOTHING`;
  const missing = await tx.$queryRaw<MissingTag[]>`
    WITH g AS MATERIALIZED (${tagsOfEntries(orgId, 'before', keys)})
    SELECT g.entry_id::text AS entry_id, g.value, CASE WHEN t.asset_id IS NULL THEN 'location' ELSE 'asset' END AS kind,
           coalesce(a.id, l.id) AS id, coalesce(a.name, l.name) AS name, r.id IS NULL OR r.deleted_at IS NOT NULL AS is_deleted
      FROM g
      LEFT JOIN ${resourceTables[kind].table} r ON r.org_id = ${orgId} AND r.id = g.row_id
      LEFT JOIN tags t ON t.org_id = ${orgId} AND t.tag_type = g.tag_type AND t.value = g.value AND t.deleted_at IS NULL
      LEFT JOIN assets a ON a.org_id = t.org_id AND a.id = t.asset_id
      LEFT JOIN locations l ON l.org_id = t.org_id AND l.id = t.location_id
     WHERE t.${column} IS DISTINCT FROM g.row_id`;
  return { taken, missing };
}
