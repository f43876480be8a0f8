import { Prisma } from '../../../generated/prisma/client.js';
import { type Author, authoredBy } from '../../people/activity/author.js';
import type { Database, TransactionClient } from '../../kernel/database/client.js';
import { currentInstant, epochMs, instant } from '../../kernel/database/columns.js';
import { ofLiveAsset } from '../../kernel/database/position-order.js';
import type { EntryKey } from '../trash/change-queries.js';
import type { TrashKind } from '../trash/list-queries.js';
import { type ImportRow, isUndoable } from './view.js';

/** An import that was applied; `finishedMs` is epoch milliseconds. */
export type AppliedImport = { importId: string; kind: TrashKind; finishedMs: number };

export type UndoneAction = 'created' | 'tag_attached' | 'tag_detached' | 'updated';

/** An entry that an import wrote, with the asset or location of it. */
export type ImportEntry = EntryKey & { rowId: number; name: string };

/** An import writes its entries in its last transaction, which takes at most 30 minutes. */
const writtenWithin = Prisma.raw(`interval '31 minutes'`);

/** Returns the entries of an action that an import wrote, after a given one, oldest first. */
export async function findImportEntries(
  db: Pick<Database, '$queryRaw'>,
  orgId: number,
  options: { applied: AppliedImport; action: UndoneAction; after: EntryKey | undefined; limit: number },
): Promise<ImportEntry[]> {
  const { applied, action, after, limit } = options;
  const finished = instant(applied.finishedMs);
  const rows = await db.$queryRaw<{ ms: number; id: string; row_id: number; object_name: string }[]>`
    SELECT ${epochMs('l.occurred_at')} AS ms, l.id::text AS id, l.object_id::int AS row_id, l.object_name
      FROM activity_log l
     WHERE l.org_id = ${orgId} AND l.occurred_at BETWEEN ${finished} - ${writtenWithin} AND ${finished}
       AND l.import_id = ${applied.importId}::uuid AND l.kind = ${applied.kind} AND l.action = ${action}
       AND ${after ? Prisma.sql`(l.occurred_at, l.id) > (${instant(after.occurredAtMs)}, ${after.id}::bigint)` : Prisma.sql`true`}
     ORDER BY l.occurred_at, l.id
     LIMIT ${limit}`;
  return rows.map(({ ms, id, row_id: rowId, object_name: name }) => ({ occurredAtMs: ms, id, rowId, name }));
}

/**
 * Returns whether an import can be undone: it was applied in the last 30 days, was not undone, and the log has a change of it. Changes
 * of imports before undo existed do not name their import.
 */
export async function canUndo(db: Pick<Database, '$queryRaw'>, orgId: number, row: ImportRow): Promise<boolean> {
  if (!isUndoable(row) || row.finished_at === null) return false;
  const finished = instant(row.finished_at);
  const [{ found }] = await db.$queryRaw<[{ found: boolean }]>`
    SELECT EXISTS (
             SELECT FROM activity_log l
              WHERE l.org_id = ${orgId} AND l.occurred_at BETWEEN ${finished} - ${writtenWithin} AND ${finished}
                AND l.import_id = ${row.id}::uuid AND l.action IN ('created', 'updated', 'tag_attached', 'tag_detached')
           ) AS found`;
  return found;
}

const tagColumns = { asset: Prisma.raw('asset_id'), location: Prisma.raw('location_id') };
const tables = { asset: Prisma.raw('assets'), location: Prisma.raw('locations') };

function tagsOfEntries(orgId: number, side: 'before' | 'after', keys: readonly EntryKey[]): Prisma.Sql {
  const tag = Prisma.raw(`(l.${side} ->> 'tag')`);
  return Prisma.sql`
    SELECT l.id AS entry_id, l.object_id::int AS row_id, split_part(${tag}, ':', 1) AS tag_type,
           substr(${tag}, strpos(${tag}, ':') + 1) AS value
      FROM unnest(${keys.map(({ occurredAtMs }) => occurredAtMs)}::float8[], ${keys.map(({ id }) => id)}::text[]) AS k (ms, id)
      JOIN activity_log l
        ON l.org_id = ${orgId} AND l.occurred_at = to_timestamp(k.ms / 1000) AND l.id = k.id::bigint`;
}

/** Locks assets or locations against changes of their tags until the end of the transaction. */
export async function lockTagParents(
  tx: TransactionClient,
  orgId: number,
  { kind, ids }: { kind: TrashKind; ids: readonly number[] },
): Promise<void> {
  await tx.$executeRaw`
    SELECT r.id FROM ${tables[kind]} r WHERE r.org_id = ${orgId} AND r.id = ANY(${ids}::int[]) ORDER BY r.id FOR NO KEY UPDATE`;
}

type TagChange = { kind: TrashKind; keys: readonly EntryKey[]; author: Author };

/** Detaches the tags that the entries attached, where they are still attached to these rows. */
export async function detachAgain(
  tx: TransactionClient,
  orgId: number,
  { kind, keys, author }: TagChange,
): Promise<void> {
  await tx.$executeRaw`
    WITH g AS MATERIALIZED (${tagsOfEntries(orgId, 'after', keys)})
    DELETE FROM tags t
     USING g
     WHERE t.org_id = ${orgId} AND t.${tagColumns[kind]} = g.row_id AND t.tag_type = g.tag_type AND t.value = g.value
       AND t.deleted_at IS NULL AND ${authoredBy(author)}`;
}

/** Attaches the tags that the entries detached to live rows. Returns the ids of the entries whose tag is elsewhere by now. */
export async function attachAgain(
  tx: TransactionClient,
  orgId: number,
  { kind, keys, author }: TagChange,
): Promise<Set<string>> {
  const column = tagColumns[kind];
  await tx.$executeRaw`
    WITH g AS MATERIALIZED (${tagsOfEntries(orgId, 'before', keys)})
    INSERT INTO tags (org_id, ${column}, tag_type, value)
    SELECT ${orgId}, g.row_id, g.tag_type, g.value
      FROM g
      JOIN ${tables[kind]} r ON r.org_id = ${orgId} AND r.id = g.row_id AND r.deleted_at IS NULL
     WHERE ${authoredBy(author)}
     ORDER BY g.tag_type, g.value
    ON CONFLICT (org_id, tag_type, value) WHERE deleted_at IS NULL DO NOTHING`;
  const missing = await tx.$queryRaw<{ id: string }[]>`
    WITH g AS MATERIALIZED (${tagsOfEntries(orgId, 'before', keys)})
    SELECT g.entry_id::text AS id
      FROM g
     WHERE NOT EXISTS (
       SELECT FROM tags t
        WHERE t.org_id = ${orgId} AND t.tag_type = g.tag_type AND t.value = g.value AND t.${column} = g.row_id AND t.deleted_at IS NULL)`;
  return new Set(missing.map(({ id }) => id));
}

/** Returns which of the locations are live, and whether something is in them. */
export async function occupancyOf(
  tx: TransactionClient,
  orgId: number,
  ids: readonly number[],
): Promise<{ id: number; is_empty: boolean }[]> {
  return tx.$queryRaw<{ id: number; is_empty: boolean }[]>`
    SELECT l.id, NOT (
             EXISTS (SELECT FROM locations c WHERE c.org_id = ${orgId} AND c.parent_id = l.id AND c.deleted_at IS NULL)
             OR EXISTS (SELECT FROM asset_positions p
                         WHERE p.org_id = ${orgId} AND p.location_id = l.id AND ${ofLiveAsset('p')})) AS is_empty
      FROM locations l
     WHERE l.org_id = ${orgId} AND l.id = ANY(${[...ids]}::int[]) AND l.deleted_at IS NULL
     ORDER BY l.id`;
}

/** Notes that an import was undone. Returns false if it was already. */
export async function noteUndone(tx: TransactionClient, orgId: number, importId: string): Promise<boolean> {
  const noted = await tx.$executeRaw`
    UPDATE imports SET undone_at = ${currentInstant}
     WHERE org_id = ${orgId} AND id = ${importId}::uuid AND undone_at IS NULL`;
  return noted > 0;
}
