import { type Author, authoredBy } from '../../people/activity/author.js';
import type { TransactionClient } from '../../kernel/database/client.js';
import { currentInstant } from '../../kernel/database/columns.js';

type IdRow = { id: number };

/**
 * Retires live assets together with their tags, with the same effect as deleting them one by one. Returns their ids.
 */
export async function retireAssets(
  tx: TransactionClient,
  orgId: number,
  { ids, author }: { ids: readonly number[]; author: Author },
): Promise<ReadonlySet<number>> {
  // Locked in the order of the ids, so that two calls never deadlock.
  await tx.$queryRaw`
    SELECT id
      FROM assets
     WHERE org_id = ${orgId} AND id = ANY(${ids}::int[]) AND deleted_at IS NULL
     ORDER BY id
       FOR UPDATE`;
  const gone = await tx.$queryRaw<IdRow[]>`
    WITH gone AS (
      UPDATE assets SET deleted_at = ${currentInstant}
       WHERE org_id = ${orgId} AND id = ANY(${ids}::int[]) AND deleted_at IS NULL AND ${authoredBy(author)}
      RETURNING id, deleted_at
    ), retired AS (
      UPDATE tags t SET deleted_at = gone.deleted_at FROM gone WHERE t.org_id = ${orgId} AND t.asset_id = gone.id
    )
    SELECT id FROM gone`;
  return new Set(gone.map(({ id }) => id));
}
