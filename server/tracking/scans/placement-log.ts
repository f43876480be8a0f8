import type { TransactionClient } from '../../kernel/database/client.js';
import { currentInstant } from '../../kernel/database/columns.js';
import { inBatch, recordBatch } from '../../people/activity/batches.js';
import type { Placed } from './place-by-hand.js';

type Logged = {
  placed: ReadonlyMap<number, Placed>;
  locationId: number;
  userId: number;
  /** A batch that the caller records. */
  batchId: string | undefined;
};

/** Writes an entry of the activity log for each asset that a person placed elsewhere without a scan. */
export async function logPlacements(
  tx: TransactionClient,
  orgId: number,
  { placed, locationId, userId, batchId }: Logged,
): Promise<void> {
  const moved = [...placed].filter(([, { from, staysAt }]) => staysAt === undefined && from !== locationId);
  if (moved.length === 0) return;
  const author = inBatch({ entryPoint: 'app', actor: `user:${userId}` });
  await tx.$executeRaw`
    INSERT INTO activity_log (org_id, occurred_at, kind, object_id, object_name, action, entry_point, actor, batch_id, before, after)
    SELECT ${orgId}::int, ${currentInstant}, 'asset', a.id::text, a.name, 'placed', ${author.entryPoint}, ${author.actor},
           ${batchId ?? (moved.length === 1 ? null : author.batchId)}::uuid,
           CASE WHEN f.id IS NOT NULL THEN json_build_object('location', f.name || ' (' || f.external_key || ')', 'location_id', f.id) END,
           json_build_object('location', t.name || ' (' || t.external_key || ')', 'location_id', t.id)
      FROM unnest(${moved.map(([id]) => id)}::int[], ${moved.map(([, { from }]) => from)}::int[]) AS g (asset_id, from_id)
      JOIN assets a ON a.org_id = ${orgId} AND a.id = g.asset_id
      JOIN locations t ON t.org_id = ${orgId} AND t.id = ${locationId}::int
      LEFT JOIN locations f ON f.org_id = ${orgId} AND f.id = g.from_id
     ORDER BY a.id`;
  if (batchId === undefined && moved.length > 1) {
    await recordBatch(tx, { orgId, author }, { kind: 'placement', objectKind: 'asset', count: moved.length });
  }
}
