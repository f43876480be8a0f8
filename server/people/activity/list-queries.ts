import { Prisma } from '../../../generated/prisma/client.js';
import type { Queries } from '../../kernel/database/client.js';
import { epochMs, instant } from '../../kernel/database/columns.js';
import { allOf } from '../../kernel/lists.js';
import type { EntryPoint } from './author.js';
import type { ResourceKind } from '../../kernel/fields.js';
import { type BatchKind, isUndoable } from './batches.js';
import type { ActivityAction, ActivityKind } from './kinds.js';
import type { Facts } from './record.js';

/** A stored entry; `occurred_at` is epoch milliseconds. */
export type EntryRow = {
  id: string;
  occurred_at: number;
  kind: ActivityKind;
  object_id: string;
  object_name: string;
  action: ActivityAction;
  entry_point: EntryPoint;
  actor: string | null;
  before: Facts | null;
  after: Facts | null;
  /** The present name of the user or the API key; null if it no longer exists. */
  actor_name: string | null;
  /** The batch that the entry stands for; null for a single change, and in a list of all entries. */
  batch: EntryBatch | null;
};

type EntryBatch = {
  id: string;
  kind: BatchKind;
  object_kind: ResourceKind;
  fields: string[];
  count: number;
  is_undoable: boolean;
  is_undone: boolean;
};

/** A position in the log: an entry's instant in epoch milliseconds and its id. */
export type Cursor = { occurredAt: number; id: string };

export type EntryFilter = {
  kinds: readonly ActivityKind[];
  objectId?: string | undefined;
  actor?: string | undefined;
  entryPoint?: EntryPoint | undefined;
  fromMs?: number | undefined;
  toMs?: number | undefined;
  /** Whether changes that were made together are one entry. */
  isGrouped?: boolean | undefined;
};

export type EntryWindow = { filter: EntryFilter; before: Cursor | undefined; limit: number };

/**
 * At most this many entries are examined for one page, to limit the cost of a filter that few entries match. The page
 * then ends early, and its cursor continues from there.
 */
export const examinedMax = 20_000;

/** Does the same where a batch is one entry, since an import has many entries. */
const groupedExaminedMax = 200_000;

function examinedMaxOf({ isGrouped = false }: EntryFilter): number {
  return isGrouped ? groupedExaminedMax : examinedMax;
}

/** Returns the present name of the author of the entry `e`; null if the user or the API key no longer exists. */
export function actorNameOf(orgId: number): Prisma.Sql {
  return Prisma.sql`
    CASE split_part(e.actor, ':', 1)
      WHEN 'user' THEN (SELECT u.name FROM users u WHERE u.id = split_part(e.actor, ':', 2)::int)
      WHEN 'key' THEN (SELECT k.name FROM api_keys k
                        WHERE k.org_id = ${orgId} AND k.id = split_part(e.actor, ':', 2)::uuid)
    END`;
}

const batchOfEntry = Prisma.sql`LEFT JOIN change_batches b ON b.org_id = l.org_id AND b.id = l.batch_id`;

const batch = Prisma.sql`
  CASE WHEN b.id IS NOT NULL
       THEN json_build_object('id', b.id, 'kind', b.kind, 'object_kind', b.object_kind, 'fields', b.fields, 'count', b.count,
                              'is_undoable', ${isUndoable}, 'is_undone', b.undone_at IS NOT NULL)
  END`;

/** Returns the newest matching entries among the `examinedMax` entries before the cursor. */
export async function findEntries(
  db: Queries,
  orgId: number,
  { filter, before, limit }: EntryWindow,
): Promise<EntryRow[]> {
  return db.$queryRaw<EntryRow[]>`
    SELECT e.id::text AS id, ${epochMs('e.occurred_at')} AS occurred_at, e.kind, e.object_id, e.object_name, e.action,
           e.entry_point, e.actor, e.before, e.after,
           ${actorNameOf(orgId)} AS actor_name, e.batch
      FROM (
        SELECT l.*, ${filter.isGrouped ? batch : Prisma.sql`NULL::json`} AS batch
          FROM (
            SELECT *
              FROM activity_log
             WHERE ${examined(orgId, filter, before)}
             ORDER BY occurred_at DESC, id DESC
             LIMIT ${examinedMaxOf(filter)}
          ) l
          ${filter.isGrouped ? batchOfEntry : Prisma.empty}
         WHERE ${matching(filter)}
         ORDER BY l.occurred_at DESC, l.id DESC
         LIMIT ${limit}
      ) e
     ORDER BY e.occurred_at DESC, e.id DESC`;
}

/**
 * Returns the position of the last entry that `findEntries` examines, or undefined if it examines all remaining
 * entries.
 */
export async function lastExamined(
  db: Queries,
  orgId: number,
  { filter, before }: EntryWindow,
): Promise<Cursor | undefined> {
  const rows = await db.$queryRaw<{ occurred_at: number; id: string }[]>`
    SELECT ${epochMs('occurred_at')} AS occurred_at, id::text AS id
      FROM activity_log
     WHERE ${examined(orgId, filter, before)}
     ORDER BY occurred_at DESC, id DESC
    OFFSET ${examinedMaxOf(filter) - 1}
     LIMIT 1`;
  return rows[0] && { occurredAt: rows[0].occurred_at, id: rows[0].id };
}

/** Returns the conditions that an index covers: the organization, one object, and the time. */
function examined(orgId: number, filter: EntryFilter, before: Cursor | undefined): Prisma.Sql {
  return allOf([
    Prisma.sql`org_id = ${orgId}`,
    filter.objectId === undefined
      ? undefined
      : Prisma.sql`kind = ${filter.kinds[0] ?? ''} AND object_id = ${filter.objectId}`,
    filter.fromMs === undefined ? undefined : Prisma.sql`occurred_at >= ${instant(filter.fromMs)}`,
    filter.toMs === undefined ? undefined : Prisma.sql`occurred_at < ${instant(filter.toMs)}`,
    before && Prisma.sql`(occurred_at, id) < (${instant(before.occurredAt)}, ${before.id}::bigint)`,
  ]);
}

function matching({ kinds, actor, entryPoint, isGrouped = false }: EntryFilter): Prisma.Sql {
  const ofKind = Prisma.sql`l.kind = ANY(${[...kinds]}::text[])`;
  return allOf([
    isGrouped ? Prisma.sql`(${ofKind} OR b.object_kind = ANY(${[...kinds]}::text[]))` : ofKind,
    isGrouped ? Prisma.sql`(b.id IS NULL OR b.entry_id = l.id)` : undefined,
    actor === undefined ? undefined : Prisma.sql`l.actor = ${actor}`,
    entryPoint === undefined ? undefined : Prisma.sql`l.entry_point = ${entryPoint}`,
  ]);
}
