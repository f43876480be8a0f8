import { createHash, randomUUID } from 'node:crypto';
import { Prisma } from '../../../generated/prisma/client.js';
import type { Database, Queries } from '../../kernel/database/client.js';
import { currentInstant } from '../../kernel/database/columns.js';
import { trashDays } from '../../kernel/database/trash-days.js';
import type { ResourceKind } from '../../kernel/fields.js';
import type { Author } from './author.js';

// Changes that were made together have one batch id in the activity log. A single change has none: its entry is enough to undo it.

/** What made the changes of a batch; `undo` took back other changes. */
export type BatchKind = 'edit' | 'deletion' | 'import' | 'placement' | 'undo';

export type BatchAuthor = Author & { batchId: string };

/** Returns the author of changes that are made together. */
export function inBatch(author: Author): BatchAuthor {
  return { ...author, batchId: randomUUID() };
}

/** Returns the author of the undo of a batch; its parts are one batch, whoever makes them. */
export function undoingBatch(author: Author, batchId: string): BatchAuthor {
  const hex = createHash('sha256').update(`undo ${batchId}`).digest('hex');
  const lengths = [8, 4, 4, 4, 12];
  let at = 0;
  const groups = lengths.map((length) => hex.slice(at, (at += length)));
  return { ...author, batchId: groups.join('-') };
}

/** `fields` are the columns that an edit changed. */
type NewBatch = { kind: BatchKind; objectKind: ResourceKind; fields?: readonly string[]; count: number };

/**
 * Stores that changes were made together, after they were; adds to the batch if it is stored already. Stores nothing if the
 * activity log has no entry of the batch.
 */
export async function recordBatch(
  tx: Queries,
  { orgId, author }: { orgId: number; author: BatchAuthor },
  { kind, objectKind, fields = [], count }: NewBatch,
): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO change_batches AS b (org_id, id, kind, object_kind, fields, created_at, count, entry_id)
    SELECT ${orgId}::int, ${author.batchId}::uuid, ${kind}, ${objectKind}, ${[...fields]}::text[], ${currentInstant}, ${count}::int, l.id
      FROM activity_log l
     WHERE l.org_id = ${orgId} AND l.batch_id = ${author.batchId}::uuid
     ORDER BY l.occurred_at DESC, l.id DESC
     LIMIT 1
    ON CONFLICT (org_id, id) DO UPDATE
       SET created_at = excluded.created_at, count = b.count + excluded.count, entry_id = excluded.entry_id`;
}

/** Returns the condition that the batch `b` can be undone: it was not, and is not older than the trash. */
export const isUndoable = Prisma.raw(
  `(b.undone_at IS NULL AND b.created_at > clock_timestamp() - interval '${trashDays} days')`,
);

/** Deletes batches whose entries are no longer kept. */
export async function removeOldBatches(db: Pick<Database, '$executeRaw'>, retentionDays: number): Promise<void> {
  await db.$executeRaw`DELETE FROM change_batches WHERE created_at < clock_timestamp() - make_interval(days => ${retentionDays}::int)`;
}
