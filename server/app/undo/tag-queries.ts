import { Prisma } from '../../../generated/prisma/client.js';
import { type Author, authoredBy } from '../../people/activity/author.js';
import type { UndoneKind } from '../../people/activity/batches.js';
import type { TransactionClient } from '../../kernel/database/client.js';
import { entriesOf, type EntryKey } from './entries.js';

const tagColumns = { asset: Prisma.raw('asset_id'), location: Prisma.raw('location_id') };
const tables = { asset: Prisma.raw('assets'), location: Prisma.raw('locations') };

function tagsOfEntries(orgId: number, side: 'before' | 'after', keys: readonly EntryKey[]): Prisma.Sql {
  const tag = Prisma.raw(`(l.${side} ->> 'tag')`);
  return Prisma.sql`
    SELECT l.id AS entry_id, l.object_id::int AS row_id, split_part(${tag}, ':', 1) AS tag_type,
           substr(${tag}, strpos(${tag}, ':') + 1) AS value
      FROM ${entriesOf(orgId, keys)}`;
}

/** Locks assets or locations against changes of their tags until the end of the transaction. */
export async function lockTagParents(
  tx: TransactionClient,
  orgId: number,
  { kind, ids }: { kind: UndoneKind; ids: readonly number[] },
): Promise<void> {
  await tx.$executeRaw`
    SELECT r.id FROM ${tables[kind]} r WHERE r.org_id = ${orgId} AND r.id = ANY(${ids}::int[]) ORDER BY r.id FOR NO KEY UPDATE`;
}

type TagChange = { kind: UndoneKind; keys: readonly EntryKey[]; author: Author };

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
     WHERE t.org_id = ${orgId} AND t.${tagColumns[kind]} = g.row_id AND t.tag_type = g.tag_type AND t.value = g.value
       AND t.deleted_at IS NULL AND ${authoredBy(author)}`;
}

/** A tag that is not attached again: to what it is attached by now, or null if the row of the entry is deleted. */
export type MissingTag = { entry_id: string; value: string; kind: UndoneKind; id: number | null; name: string | null };

/** Attaches the tags that the entries detached to live rows. Returns how many it attached, and the tags that are elsewhere by now. */
export async function attachAgain(
  tx: TransactionClient,
  orgId: number,
  { kind, keys, author }: TagChange,
): Promise<{ taken: number; missing: MissingTag[] }> {
  const column = tagColumns[kind];
  const taken = await tx.$executeRaw`
    WITH g AS MATERIALIZED (${tagsOfEntries(orgId, 'before', keys)})
    INSERT INTO tags (org_id, ${column}, tag_type, value)
    SELECT ${orgId}, g.row_id, g.tag_type, g.value
      FROM g
      JOIN ${tables[kind]} r ON r.org_id = ${orgId} AND r.id = g.row_id AND r.deleted_at IS NULL
     WHERE ${authoredBy(author)}
     ORDER BY g.tag_type, g.value
    ON CONFLICT (org_id, tag_type, value) WHERE deleted_at IS NULL DO NOTHING`;
  const missing = await tx.$queryRaw<MissingTag[]>`
    WITH g AS MATERIALIZED (${tagsOfEntries(orgId, 'before', keys)})
    SELECT g.entry_id::text AS entry_id, g.value, CASE WHEN t.asset_id IS NULL THEN 'location' ELSE 'asset' END AS kind,
           coalesce(a.id, l.id) AS id, coalesce(a.name, l.name) AS name
      FROM g
      LEFT JOIN tags t ON t.org_id = ${orgId} AND t.tag_type = g.tag_type AND t.value = g.value AND t.deleted_at IS NULL
      LEFT JOIN assets a ON a.org_id = t.org_id AND a.id = t.asset_id
      LEFT JOIN locations l ON l.org_id = t.org_id AND l.id = t.location_id
     WHERE t.${column} IS DISTINCT FROM g.row_id`;
  return { taken, missing };
}
