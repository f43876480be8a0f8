import type { Database, TransactionClient } from '../database/client.js';
import { currentInstant } from '../database/columns.js';
import type { EventType } from '../events/event-types.js';

/** An enabled endpoint, as routing sees it. */
export type Subscriber = { id: number; org_id: number; event_types: EventType[] };

/** The enabled endpoints of some organizations. */
export async function findSubscribers(
  db: Pick<Database, '$queryRaw'>,
  orgIds: readonly number[],
): Promise<Subscriber[]> {
  return db.$queryRaw<Subscriber[]>`
    SELECT w.id, w.org_id, w.event_types
      FROM webhook_endpoints w
     WHERE w.org_id = ANY(${orgIds}::int[]) AND w.is_enabled
     ORDER BY w.id`;
}

/** Pending deliveries of one organization. What comes beyond is counted with the endpoint, and not delivered. */
export const backlogMax = 100_000;

/**
 * Returns what still fits into the backlog of its organization, and counts the rest with its endpoint, where the app shows
 * it. An organization's events are routed by one process at a time, so the bound holds.
 */
export async function withinBacklog<Item>(
  tx: TransactionClient,
  items: readonly Item[],
  subscriberOf: (item: Item) => Subscriber,
): Promise<Item[]> {
  if (items.length === 0) return [];
  const orgIds = [...new Set(items.map((item) => subscriberOf(item).org_id))];
  const rows = await tx.$queryRaw<{ org_id: number; room: number }[]>`
    SELECT o.org_id,
           ${backlogMax}::int - (SELECT count(*)
              FROM (SELECT FROM webhook_deliveries d
                     WHERE d.org_id = o.org_id AND d.status = 'pending' LIMIT ${backlogMax}::int) p)::int AS room
      FROM unnest(${orgIds}::int[]) AS o (org_id)`;
  const room = new Map(rows.map((row) => [row.org_id, row.room]));
  const dropped = new Map<number, number>();
  const accepted: Item[] = [];
  for (const item of items) {
    const { id, org_id: orgId } = subscriberOf(item);
    const left = room.get(orgId) ?? 0;
    if (left > 0) accepted.push(item);
    else dropped.set(id, (dropped.get(id) ?? 0) + 1);
    room.set(orgId, left - 1);
  }
  if (dropped.size > 0) {
    await tx.$executeRaw`
      UPDATE webhook_endpoints w
         SET dropped_count = dropped_count + g.n, last_dropped_at = ${currentInstant}
        FROM unnest(${[...dropped.keys()]}::int[], ${[...dropped.values()]}::int[]) AS g (id, n)
       WHERE w.id = g.id`;
  }
  return accepted;
}
