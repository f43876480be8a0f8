import { type Author, authoredBy } from '../activity/author.js';
import type { Database } from '../database/client.js';
import { currentInstant, nextInstant } from '../database/columns.js';

/** The result of one call for many assets: those found, and those that changed. */
export type BulkOutcome = { found: ReadonlySet<number>; changed: ReadonlySet<number> };

type IdRow = { id: number };

/** Activates or deactivates live assets together; unchanged ones keep their `updated_at`. */
export async function setActive(
  db: Database,
  orgId: number,
  { ids, isActive, author }: { ids: readonly number[]; isActive: boolean; author: Author },
): Promise<BulkOutcome> {
  // Locked in the order of the ids, so that two calls never deadlock.
  return db.$transaction(async (tx) => {
    const found = await tx.$queryRaw<IdRow[]>`
      SELECT id
        FROM assets
       WHERE org_id = ${orgId} AND id = ANY(${ids}::int[]) AND deleted_at IS NULL
       ORDER BY id
         FOR NO KEY UPDATE`;
    const changed = await tx.$queryRaw<IdRow[]>`
      UPDATE assets
         SET is_active = ${isActive}, updated_at = ${nextInstant('updated_at')}
       WHERE org_id = ${orgId} AND id = ANY(${ids}::int[]) AND deleted_at IS NULL AND is_active <> ${isActive}
         AND ${authoredBy(author)}
      RETURNING id`;
    return { found: idsOf(found), changed: idsOf(changed) };
  });
}

/** Retires live assets together with their tags, as deleting each of them would. */
export async function retireAssets(
  db: Database,
  orgId: number,
  { ids, author }: { ids: readonly number[]; author: Author },
): Promise<BulkOutcome> {
  const gone = await db.$transaction(async (tx) => {
    await tx.$queryRaw`
      SELECT id
        FROM assets
       WHERE org_id = ${orgId} AND id = ANY(${ids}::int[]) AND deleted_at IS NULL
       ORDER BY id
         FOR UPDATE`;
    return tx.$queryRaw<IdRow[]>`
      WITH gone AS (
        UPDATE assets SET deleted_at = ${currentInstant}
         WHERE org_id = ${orgId} AND id = ANY(${ids}::int[]) AND deleted_at IS NULL AND ${authoredBy(author)}
        RETURNING id, deleted_at
      ), retired AS (
        UPDATE tags t SET deleted_at = gone.deleted_at FROM gone WHERE t.org_id = ${orgId} AND t.asset_id = gone.id
      )
      SELECT id FROM gone`;
  });
  return { found: idsOf(gone), changed: idsOf(gone) };
}

function idsOf(rows: readonly IdRow[]): ReadonlySet<number> {
  return new Set(rows.map(({ id }) => id));
}
