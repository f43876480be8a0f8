import type { Queries, TransactionClient } from '../../kernel/database/client.js';
import { currentInstant } from '../../kernel/database/columns.js';
import type { EventType } from '../events/event-types.js';
import type { NewDelivery } from './delivery-queries.js';

/** An enabled endpoint for routing. */
export type Subscriber = { id: number; org_id: number; event_types: EventType[] };

/** Returns the enabled endpoints of some organizations. */
export async function findSubscribers(db: Queries, orgIds: readonly number[]): Promise<Subscriber[]> {
  return db.$queryRaw<Subscriber[]>`
    SELECT w.id, w.org_id, w.event_types
      FROM webhook_endpoints w
     WHERE w.org_id = ANY(${orgIds}::int[]) AND w.is_enabled
     ORDER BY w.id`;
}

/** Pending deliveries of one organization, and the bytes of their bodies. */
export const backlogMax = 100_000;
export const backlogBytesMax = 256 * 1024 * 1024;

/**
 * Returns the deliveries that still fit into the backlog of their organization, and counts the others with their endpoints,
 * where the app shows it. The endpoints of the organizations stay locked until the end of the transaction, so several
 * processes keep the bound together.
 */
export async function withinBacklog(tx: TransactionClient, deliveries: readonly NewDelivery[]): Promise<NewDelivery[]> {
  if (deliveries.length === 0) return [];
  const space = await readSpace(tx, [...new Set(deliveries.map(({ orgId }) => orgId))]);
  const dropped = new Map<number, number>();
  const accepted = deliveries.filter(({ orgId, endpointId, body }) => {
    const left = space.get(orgId);
    const bytes = Buffer.byteLength(body);
    if (!left || left.count < 1 || left.bytes < bytes) {
      dropped.set(endpointId, (dropped.get(endpointId) ?? 0) + 1);
      return false;
    }
    left.count -= 1;
    left.bytes -= bytes;
    return true;
  });
  if (dropped.size > 0) {
    await tx.$executeRaw`
      UPDATE webhook_endpoints w
         SET dropped_count = dropped_count + g.n, last_dropped_at = ${currentInstant}
        FROM unnest(${[...dropped.keys()]}::int[], ${[...dropped.values()]}::int[]) AS g (id, n)
       WHERE w.id = g.id`;
  }
  return accepted;
}

type Space = { count: number; bytes: number };

/** Locks the endpoints of organizations, and returns how much still fits into the backlog of each organization. */
async function readSpace(tx: TransactionClient, orgIds: readonly number[]): Promise<Map<number, Space>> {
  const rows = await tx.$queryRaw<{ org_id: number; pending_count: number; pending_bytes: number }[]>`
    SELECT w.org_id, w.pending_count, w.pending_bytes::float8 AS pending_bytes
      FROM webhook_endpoints w
     WHERE w.org_id = ANY(${orgIds}::int[])
     ORDER BY w.id
       FOR NO KEY UPDATE`;
  const space = new Map<number, Space>();
  for (const { org_id: orgId, pending_count: count, pending_bytes: bytes } of rows) {
    const left = space.get(orgId) ?? { count: backlogMax, bytes: backlogBytesMax };
    space.set(orgId, { count: left.count - count, bytes: left.bytes - bytes });
  }
  return space;
}
