import type { TransactionClient } from '../../kernel/database/client.js';
import { epochMs } from '../../kernel/database/columns.js';
import { lockClasses } from '../../kernel/database/locks.js';
import type { EventType } from './event-types.js';

/** An event as stored by its transaction. */
export type OutboxEvent = {
  id: number;
  org_id: number;
  key: string;
  type: EventType;
  /** Epoch milliseconds. */
  occurred_at: number;
  asset_id: number | null;
  location_id: number | null;
  reader_id: number | null;
  /** Of a change of an asset or a location: its recorded states `before` and `after`. */
  data: Record<string, unknown>;
};

/**
 * Turns are round-robin over organizations, each turn with at most this many events, so that an import of one
 * organization does not delay others.
 */
const orgsMax = 20;
const eventsPerOrgMax = 500;

/**
 * Takes the turns of organizations with waiting events. Locks each until the end of the transaction, so that its events
 * are routed in order by one process at a time. `isBusy` is true if another process has locked one of the organizations.
 */
export async function takeTurns(tx: TransactionClient): Promise<{ orgIds: number[]; isBusy: boolean }> {
  const rows = await tx.$queryRaw<{ org_id: number; is_locked: boolean }[]>`
    WITH RECURSIVE waiting AS (
      (SELECT e.org_id, 1 AS n FROM outbox_events e ORDER BY e.org_id LIMIT 1)
      UNION ALL
      SELECT next.org_id, w.n + 1
        FROM waiting w
       CROSS JOIN LATERAL (
         SELECT e.org_id FROM outbox_events e
          WHERE e.org_id > w.org_id
          ORDER BY e.org_id
          LIMIT 1
       ) next
       WHERE w.n < 1000
    )
    SELECT t.org_id, pg_try_advisory_xact_lock(${lockClasses.eventRouting}::int, t.org_id) AS is_locked
      FROM (SELECT w.org_id FROM waiting w ORDER BY random() LIMIT ${orgsMax}::int) t`;
  return {
    orgIds: rows.filter(({ is_locked }) => is_locked).map(({ org_id }) => org_id),
    isBusy: rows.some(({ is_locked }) => !is_locked),
  };
}

/** Returns the oldest waiting events of organizations that an earlier statement has locked. */
export async function readOutbox(tx: TransactionClient, orgIds: readonly number[]): Promise<OutboxEvent[]> {
  return tx.$queryRaw<OutboxEvent[]>`
    SELECT e.id::float8 AS id, e.org_id, e.key, e.type, ${epochMs('e.occurred_at')} AS occurred_at,
           e.asset_id, e.location_id, e.reader_id, e.data
      FROM unnest(${orgIds}::int[]) AS o (org_id)
     CROSS JOIN LATERAL (
       SELECT * FROM outbox_events q
        WHERE q.org_id = o.org_id
        ORDER BY q.id
        LIMIT ${eventsPerOrgMax}::int
     ) e
     ORDER BY e.id`;
}

/** Deletes routed events. */
export async function removeFromOutbox(tx: TransactionClient, ids: readonly number[]): Promise<void> {
  await tx.$executeRaw`DELETE FROM outbox_events WHERE id = ANY(${ids}::int8[])`;
}
