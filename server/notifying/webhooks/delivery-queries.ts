import { Prisma } from '../../../generated/prisma/client.js';
import type { Queries, TransactionClient } from '../../kernel/database/client.js';
import { currentInstant, timestamp } from '../../kernel/database/columns.js';
import { refusal } from '../../kernel/errors.js';
import type { DeliveryFilter, DeliveryStatus } from './schemas.js';

/** A delivery in the log, without its body. */
export type DeliveryRow = {
  id: number;
  endpoint_id: number;
  event_id: string;
  event_type: string;
  status: DeliveryStatus;
  attempts: number;
  /** Null if there is no further attempt. */
  next_attempt_at: string | null;
  created_at: string;
  finished_at: string | null;
  last_status_code: number | null;
  last_error: string | null;
  /** The duration of the last attempt. */
  last_duration_ms: number | null;
};

const deliveryColumns = Prisma.sql`
  d.id::float8 AS id, d.endpoint_id, d.event_key::text AS event_id, d.event_type, d.status, d.attempts,
  CASE WHEN d.status = 'pending' THEN ${timestamp('d.next_attempt_at')} END AS next_attempt_at,
  ${timestamp('d.created_at')} AS created_at, ${timestamp('d.finished_at')} AS finished_at, d.last_status_code, d.last_error,
  (SELECT t.duration_ms FROM webhook_attempts t WHERE t.delivery_id = d.id ORDER BY t.id DESC LIMIT 1) AS last_duration_ms`;

/** Returns a page of an endpoint's deliveries, newest first. */
export async function findDeliveries(db: Queries, orgId: number, filter: DeliveryFilter): Promise<DeliveryRow[]> {
  const { endpoint_id: endpointId, status, before_id: beforeId, limit } = filter;
  return db.$queryRaw<DeliveryRow[]>`
    SELECT ${deliveryColumns}
      FROM webhook_deliveries d
     WHERE d.org_id = ${orgId}::int AND d.endpoint_id = ${endpointId}::int
       ${beforeId === undefined ? Prisma.empty : Prisma.sql`AND d.id < ${beforeId}::int8`}
       ${status === undefined ? Prisma.empty : Prisma.sql`AND d.status = ${status}`}
     ORDER BY d.id DESC
     LIMIT ${limit}::int`;
}

type AttemptRow = {
  attempted_at: string;
  duration_ms: number;
  status_code: number | null;
  error: string | null;
  answer: string | null;
};

type WholeDelivery = DeliveryRow & { body: string; attempt_rows: AttemptRow[] };

/** Returns a delivery with its body and its attempts, in their order. */
export async function findDelivery(db: Queries, orgId: number, id: number): Promise<WholeDelivery | undefined> {
  const rows = await db.$queryRaw<WholeDelivery[]>`
    SELECT ${deliveryColumns}, d.body,
           (SELECT coalesce(json_agg(json_build_object(
                     'attempted_at', ${timestamp('t.attempted_at')}, 'duration_ms', t.duration_ms,
                     'status_code', t.status_code, 'error', t.error, 'answer', t.answer) ORDER BY t.id), '[]')
              FROM webhook_attempts t WHERE t.delivery_id = d.id) AS attempt_rows
      FROM webhook_deliveries d
     WHERE d.org_id = ${orgId}::int AND d.id = ${id}::int8`;
  return rows[0];
}

/**
 * Makes a finished delivery due again, for a new round of attempts with the same id and body. Returns its endpoint.
 *
 * @throws ContractError `not_found`, or `conflict` while it is pending or its endpoint is disabled
 */
export async function resendDelivery(tx: TransactionClient, orgId: number, id: number): Promise<number> {
  // The endpoint is locked first, as everywhere.
  const [endpoint] = await tx.$queryRaw<{ id: number; is_enabled: boolean }[]>`
    SELECT w.id, w.is_enabled
      FROM webhook_endpoints w
     WHERE w.id = (SELECT d.endpoint_id FROM webhook_deliveries d WHERE d.org_id = ${orgId}::int AND d.id = ${id}::int8)
       FOR NO KEY UPDATE`;
  const [found] = await tx.$queryRaw<{ status: DeliveryStatus }[]>`
    SELECT d.status FROM webhook_deliveries d WHERE d.org_id = ${orgId}::int AND d.id = ${id}::int8 FOR NO KEY UPDATE`;
  if (!endpoint || !found) throw refusal('not_found', { what: 'Delivery' });
  if (!endpoint.is_enabled) throw refusal('endpoint_disabled');
  if (found.status === 'pending') throw refusal('delivery_pending');
  await tx.$executeRaw`
    UPDATE webhook_deliveries
       SET status = 'pending', attempts = 0, next_attempt_at = ${currentInstant}, finished_at = NULL, claimed_until = NULL
     WHERE id = ${id}::int8`;
  return endpoint.id;
}

export type NewDelivery = { orgId: number; endpointId: number; eventKey: string; eventType: string; body: string };

/**
 * Queues deliveries, due at once. Skips deliveries that are stored already, so an event that is routed twice is
 * delivered once. Returns the ids of the new deliveries.
 */
export async function insertDeliveries(tx: TransactionClient, deliveries: readonly NewDelivery[]): Promise<number[]> {
  if (deliveries.length === 0) return [];
  const rows = await tx.$queryRaw<{ id: number }[]>`
    INSERT INTO webhook_deliveries (org_id, endpoint_id, event_key, event_type, body, next_attempt_at, created_at)
    SELECT g.org_id, g.endpoint_id, g.event_key, g.event_type, g.body, ${currentInstant}, ${currentInstant}
      FROM unnest(${deliveries.map(({ orgId }) => orgId)}::int[], ${deliveries.map(({ endpointId }) => endpointId)}::int[],
                  ${deliveries.map(({ eventKey }) => eventKey)}::uuid[],
                  ${deliveries.map(({ eventType }) => eventType)}::text[], ${deliveries.map(({ body }) => body)}::text[])
           WITH ORDINALITY AS g (org_id, endpoint_id, event_key, event_type, body, no)
      JOIN webhook_endpoints w ON w.org_id = g.org_id AND w.id = g.endpoint_id AND w.is_enabled
     ORDER BY g.no
    ON CONFLICT (endpoint_id, event_key) DO NOTHING
    RETURNING id::float8 AS id`;
  return rows.map(({ id }) => id);
}
