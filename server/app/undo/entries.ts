import { Prisma } from '../../../generated/prisma/client.js';
import type { UndoneKind } from '../../people/activity/batches.js';
import type { Queries } from '../../kernel/database/client.js';
import { epochMs, instant } from '../../kernel/database/columns.js';
import { trashDays } from '../../kernel/database/trash-days.js';

/**
 * Actions that can be taken back, in the order in which they are: what was put in is out before its container is deleted, and what was
 * deleted is restored before others are moved, put or placed there again. Locations are moved out of those that were created or
 * restored before these are deleted. The deletion frees tags for the assets that they were detached from, and tags that were attached
 * are detached before they are attached elsewhere.
 */
export const undoneActions = [
  'put_in',
  'deleted',
  'updated',
  'created',
  'restored',
  'taken_out',
  'tag_attached',
  'tag_detached',
  'placed',
] as const;

export type UndoneAction = (typeof undoneActions)[number];

/** An entry of the activity log, by its key in it. */
export type EntryKey = { occurredAtMs: number; id: string };

/** An entry with the asset or location that it is about. */
export type Entry = EntryKey & { rowId: number; name: string };

/** Selects entries by their keys, as the table `l`. */
export function entriesOf(orgId: number, keys: readonly EntryKey[]): Prisma.Sql {
  return Prisma.sql`
    unnest(${keys.map(({ occurredAtMs }) => occurredAtMs)}::float8[], ${keys.map(({ id }) => id)}::text[]) AS k (ms, id)
      JOIN activity_log l
        ON l.org_id = ${orgId} AND l.occurred_at = to_timestamp(k.ms / 1000) AND l.id = k.id::bigint`;
}

type EntryRow = { ms: number; id: string; row_id: number; object_name: string };

const entryColumns = Prisma.sql`${epochMs('l.occurred_at')} AS ms, l.id::text AS id, l.object_id::int AS row_id, l.object_name`;

function viewEntry({ ms, id, row_id: rowId, object_name: name }: EntryRow): Entry {
  return { occurredAtMs: ms, id, rowId, name };
}

type Wanted = { batchId: string; kind: UndoneKind; action: UndoneAction; after: EntryKey | undefined; limit: number };

/** Returns the entries of a batch with an action, after a given one, newest first: a later change was made on top of the earlier ones. */
export async function findBatchEntries(
  db: Queries,
  orgId: number,
  { batchId, kind, action, after, limit }: Wanted,
): Promise<Entry[]> {
  const rows = await db.$queryRaw<EntryRow[]>`
    SELECT ${entryColumns}
      FROM activity_log l
     WHERE l.org_id = ${orgId} AND l.batch_id = ${batchId}::uuid AND l.kind = ${kind} AND l.action = ${action}
       AND ${after ? Prisma.sql`(l.occurred_at, l.id) < (${instant(after.occurredAtMs)}, ${after.id}::bigint)` : Prisma.sql`true`}
     ORDER BY l.occurred_at DESC, l.id DESC
     LIMIT ${limit}`;
  return rows.map(viewEntry);
}

export type ActedEntry = Entry & { kind: UndoneKind; action: string };

/** Returns the entries of assets and locations of the last 30 days with the given keys. */
export async function findEntries(db: Queries, orgId: number, keys: readonly EntryKey[]): Promise<ActedEntry[]> {
  const rows = await db.$queryRaw<(EntryRow & { kind: UndoneKind; action: string })[]>`
    SELECT ${entryColumns}, l.kind, l.action
      FROM ${entriesOf(orgId, keys)}
     WHERE l.kind IN ('asset', 'location') AND l.occurred_at > clock_timestamp() - make_interval(days => ${trashDays}::int)
     ORDER BY l.occurred_at, l.id`;
  return rows.map((row) => ({ ...viewEntry(row), kind: row.kind, action: row.action }));
}
