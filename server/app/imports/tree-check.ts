import type { TransactionClient } from '../../kernel/database/client.js';
import { lockStatement } from '../../kernel/database/locks.js';
import { levelsMax, tooDeep } from '../../things/locations/tree.js';
import type { Problem } from './row-reader.js';
import type { Job } from './staging.js';

/**
 * Locks the tree until the end of the transaction, and checks it with the rows of the import in it. The import was
 * checked against the tree before, and has written its rows without the lock; this finds what others moved or deleted
 * meanwhile. The lock is held for one scan of the tree and the commit.
 */
export async function lockAndCheckTree(tx: TransactionClient, { orgId }: Job): Promise<Problem[]> {
  await tx.$queryRaw(lockStatement('tree', orgId));
  const rows = await tx.$queryRaw<{ line: number; is_deep: boolean }[]>`
    WITH RECURSIVE written AS MATERIALIZED (
      SELECT coalesce(id, new_id) AS id, line FROM staged WHERE id IS NULL OR row_changes
    ), live AS MATERIALIZED (
      SELECT l.id, l.parent_id, w.line
        FROM locations l
        LEFT JOIN written w ON w.id = l.id
       WHERE l.org_id = ${orgId} AND l.deleted_at IS NULL
    ), tree AS (
      SELECT id, 1 AS level, line FROM live WHERE parent_id IS NULL
      UNION ALL
      SELECT c.id, t.level + 1, coalesce(c.line, t.line) FROM tree t JOIN live c ON c.parent_id = t.id
    )
    SELECT line, true AS is_deep FROM tree WHERE level > ${levelsMax} AND line IS NOT NULL
    UNION
    SELECT w.line, false FROM written w WHERE NOT EXISTS (SELECT FROM tree t WHERE t.id = w.id)
     ORDER BY line`;
  return rows.map(({ line, is_deep: isDeep }) => ({
    line,
    column: 'parent_external_key',
    message: isDeep ? tooDeep : 'the parent was moved or deleted after the check',
  }));
}
