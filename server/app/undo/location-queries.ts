import { Prisma } from '../../../generated/prisma/client.js';
import type { TransactionClient } from '../../kernel/database/client.js';
import { ofLiveAsset } from '../../kernel/database/position-order.js';
import { ContractError } from '../../kernel/errors.js';
import { isInSubtree, rejectTooDeep } from '../../things/locations/tree-queries.js';
import type { ChangeState } from './change-queries.js';
import type { Obstruction } from './outcome.js';

/** Whether nothing is in the location `l`. */
function isEmpty(orgId: number): Prisma.Sql {
  return Prisma.sql`NOT (
             EXISTS (SELECT FROM locations c WHERE c.org_id = ${orgId} AND c.parent_id = l.id AND c.deleted_at IS NULL)
             OR EXISTS (SELECT FROM asset_positions p
                         WHERE p.org_id = ${orgId} AND p.location_id = l.id AND ${ofLiveAsset('p')}))`;
}

/** Returns which of the locations are live, and whether something is in them. */
export async function occupancyOf(
  tx: TransactionClient,
  orgId: number,
  ids: readonly number[],
): Promise<{ id: number; is_empty: boolean }[]> {
  return tx.$queryRaw<{ id: number; is_empty: boolean }[]>`
    SELECT l.id, ${isEmpty(orgId)} AS is_empty
      FROM locations l
     WHERE l.org_id = ${orgId} AND l.id = ANY(${[...ids]}::int[]) AND l.deleted_at IS NULL
     ORDER BY l.id`;
}

/**
 * Returns the live locations that nothing is in, among the given ones and among the locations above deleted ones, if the batch created
 * or restored these. The caller has locked the tree.
 */
export async function findEmpty(
  tx: TransactionClient,
  orgId: number,
  { ids, batchId }: { ids: readonly number[]; batchId: string | undefined },
): Promise<number[]> {
  const rows = await tx.$queryRaw<{ id: number }[]>`
    WITH RECURSIVE up AS (
      SELECT l.id, l.parent_id, l.deleted_at IS NULL AS is_live
        FROM locations l
       WHERE l.org_id = ${orgId} AND l.id = ANY(${[...ids]}::int[])
      UNION
      SELECT a.id, a.parent_id, a.deleted_at IS NULL
        FROM up
        JOIN locations a ON a.org_id = ${orgId} AND a.id = up.parent_id
       WHERE NOT up.is_live
         AND EXISTS (SELECT FROM activity_log w
                      WHERE w.org_id = ${orgId} AND w.kind = 'location' AND w.object_id = a.id::text
                        AND w.batch_id = ${batchId ?? null}::uuid AND w.action IN ('created', 'restored'))
    )
    SELECT l.id FROM up l WHERE l.is_live AND ${isEmpty(orgId)}`;
  return rows.map(({ id }) => id);
}

/** Returns why a moved location cannot be below its former parent again; the caller holds the tree. */
export async function obstacleAbove(
  tx: TransactionClient,
  orgId: number,
  { row_id: locationId, moved, former_parent_id: parentId }: ChangeState,
): Promise<Obstruction | undefined> {
  if (!moved || parentId === null) return undefined;
  const [parent] = await tx.$queryRaw<{ name: string; is_live: boolean }[]>`
    SELECT name, deleted_at IS NULL AS is_live FROM locations WHERE org_id = ${orgId} AND id = ${parentId}`;
  const by = { kind: 'location' as const, id: parentId, name: parent?.name ?? '' };
  if (!parent?.is_live) return { status: 'failed', reason: 'parent_deleted', by };
  if (await isInSubtree(tx, orgId, { locationId, candidateId: parentId })) {
    return { status: 'failed', reason: 'parent_below', by };
  }
  try {
    await rejectTooDeep(tx, orgId, { parentId, locationId });
    return undefined;
  } catch (error) {
    if (error instanceof ContractError && error.type === 'conflict') return { status: 'failed', reason: 'too_deep' };
    throw error;
  }
}
