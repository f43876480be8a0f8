import { Prisma } from '../../../generated/prisma/client.js';
import type { EntryPoint } from '../../people/activity/author.js';
import { actorNameOf } from '../../people/activity/list-queries.js';
import type { Database } from '../../kernel/database/client.js';
import { epochMs, instant } from '../../kernel/database/columns.js';
import { resourceTables } from '../../kernel/database/resource-tables.js';
import { isInTrash } from '../../kernel/database/trash-days.js';
import type { ResourceKind } from '../../kernel/fields.js';

/** A deleted asset or location; `deleted_at` is epoch milliseconds. */
export type DeletedRow = {
  kind: ResourceKind;
  id: number;
  external_key: string;
  name: string;
  deleted_at: number;
  /** The entry point and the author of the deletion; null if the activity log does not have them. */
  entry_point: EntryPoint | null;
  actor: string | null;
  actor_name: string | null;
};

/** A position in the trash: the instant of a deletion in epoch milliseconds, the kind and the id. */
export type TrashCursor = { deletedAt: number; kind: ResourceKind; id: number };

/** Returns the rows that were deleted in the last 30 days, from the cursor on, the latest deletion first. */
export async function findDeleted(
  db: Pick<Database, '$queryRaw'>,
  orgId: number,
  { before, limit }: { before: TrashCursor | undefined; limit: number },
): Promise<DeletedRow[]> {
  const rowsOf = (kind: ResourceKind) => Prisma.sql`
    (SELECT ${kind}::text AS kind, r.id, r.external_key, r.name, r.deleted_at
       FROM ${resourceTables[kind].table} r
      WHERE r.org_id = ${orgId} AND ${isInTrash('r')} AND ${isBefore(kind, before)}
      ORDER BY r.deleted_at DESC, r.id DESC
      LIMIT ${limit})`;
  return db.$queryRaw<DeletedRow[]>`
    SELECT d.kind, d.id, d.external_key, d.name, ${epochMs('d.deleted_at')} AS deleted_at,
           e.entry_point, e.actor, ${actorNameOf(orgId)} AS actor_name
      FROM (SELECT * FROM (${rowsOf('asset')} UNION ALL ${rowsOf('location')}) both_kinds
             ORDER BY deleted_at DESC, kind DESC, id DESC
             LIMIT ${limit}) d
      LEFT JOIN LATERAL (
        SELECT l.entry_point, l.actor
          FROM activity_log l
         WHERE l.org_id = ${orgId} AND l.kind = d.kind AND l.object_id = d.id::text AND l.action = 'deleted'
         ORDER BY l.occurred_at DESC, l.id DESC
         LIMIT 1
      ) e ON true
     ORDER BY d.deleted_at DESC, d.kind DESC, d.id DESC`;
}

function isBefore(kind: ResourceKind, cursor: TrashCursor | undefined): Prisma.Sql {
  if (!cursor) return Prisma.sql`true`;
  const at = instant(cursor.deletedAt);
  if (kind === cursor.kind) return Prisma.sql`(r.deleted_at, r.id) < (${at}, ${cursor.id}::int)`;
  // At the same instant, locations come first.
  return kind === 'asset' ? Prisma.sql`r.deleted_at <= ${at}` : Prisma.sql`r.deleted_at < ${at}`;
}
