import { Prisma } from '../../../generated/prisma/client.js';
import type { ResourceKind } from '../../kernel/fields.js';
import type { Queries } from '../../kernel/database/client.js';
import { epochMs, instant } from '../../kernel/database/columns.js';
import { trashDays } from '../../kernel/database/trash-days.js';

/** Actions that can be taken back. */
export const undoneActions = [
  'created',
  'updated',
  'deleted',
  'restored',
  'tag_attached',
  'tag_detached',
  'put_in',
  'taken_out',
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

type BatchPage = { batchId: string; kind: ResourceKind; after: EntryKey | undefined; limit: number };

function pageOfBatch({ after, limit }: BatchPage): { isAfter: Prisma.Sql; order: Prisma.Sql } {
  return {
    isAfter: after
      ? Prisma.sql`(l.occurred_at, l.id) < (${instant(after.occurredAtMs)}, ${after.id}::bigint)`
      : Prisma.sql`true`,
    order: Prisma.sql`ORDER BY l.occurred_at DESC, l.id DESC LIMIT ${limit}`,
  };
}

/** Returns the entries of a batch after a given one, newest first: a later change was made on top of the earlier ones. */
export async function findBatchEntries(
  db: Queries,
  orgId: number,
  page: BatchPage,
): Promise<(Entry & { action: UndoneAction })[]> {
  const { isAfter, order } = pageOfBatch(page);
  const rows = await db.$queryRaw<(EntryRow & { action: UndoneAction })[]>`
    SELECT ${entryColumns}, l.action
      FROM activity_log l
     WHERE l.org_id = ${orgId} AND l.batch_id = ${page.batchId}::uuid AND l.kind = ${page.kind}
       AND l.action = ANY(${[...undoneActions]}::text[]) AND ${isAfter}
     ${order}`;
  return rows.map((row) => ({ ...viewEntry(row), action: row.action }));
}

/** Returns the entries of a batch, after a given one, that created or restored a location which is live. */
export async function findStillLive(db: Queries, orgId: number, page: BatchPage): Promise<Entry[]> {
  const { isAfter, order } = pageOfBatch(page);
  const rows = await db.$queryRaw<EntryRow[]>`
    SELECT ${entryColumns}
      FROM activity_log l
      JOIN locations r ON r.org_id = l.org_id AND r.id = l.object_id::int AND r.deleted_at IS NULL
     WHERE l.org_id = ${orgId} AND l.batch_id = ${page.batchId}::uuid AND l.kind = 'location' AND l.action IN ('created', 'restored')
       AND ${isAfter}
     ${order}`;
  return rows.map(viewEntry);
}

export type ActedEntry = Entry & { kind: ResourceKind; action: string };

/** Returns the entries of assets and locations of the last 30 days with the given keys. */
export async function findEntries(db: Queries, orgId: number, keys: readonly EntryKey[]): Promise<ActedEntry[]> {
  const rows = await db.$queryRaw<(EntryRow & { kind: ResourceKind; action: string })[]>`
    SELECT ${entryColumns}, l.kind, l.action
      FROM ${entriesOf(orgId, keys)}
     WHERE l.kind IN ('asset', 'location') AND l.occurred_at > clock_timestamp() - make_interval(days => ${trashDays}::int)
     ORDER BY l.occurred_at, l.id`;
  return rows.map((row) => ({ ...viewEntry(row), kind: row.kind, action: row.action }));
}
