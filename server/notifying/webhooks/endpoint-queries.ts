import { Prisma } from '../../../generated/prisma/client.js';
import type { Queries, TransactionClient } from '../../kernel/database/client.js';
import { currentInstant, inNaturalOrder, nextInstant, timestamp } from '../../kernel/database/columns.js';
import { isInTrash, isPastTrash } from '../../kernel/database/trash-days.js';
import { refusal } from '../../kernel/errors.js';
import type { EventType } from '../events/event-types.js';
import type { EndpointChanges, NewEndpoint } from './schemas.js';

/** `gone`: it answered 410. `failing`: no attempt succeeded for five days. `user`: an administrator did it. */
export type DisabledReason = 'gone' | 'failing' | 'user';

/** An endpoint without its secrets. */
export type EndpointRow = {
  id: number;
  name: string;
  url: string;
  event_types: EventType[];
  is_enabled: boolean;
  disabled_at: string | null;
  disabled_reason: DisabledReason | null;
  failing_since: string | null;
  last_success_at: string | null;
  previous_secret_until: string | null;
  dropped_count: number;
  last_dropped_at: string | null;
  created_at: string;
  updated_at: string;
  /** Deliveries that are not done, and the bytes of their bodies. */
  pending_count: number;
  pending_bytes: number;
};

const endpointColumns = Prisma.sql`
  w.id, w.name, w.url, w.event_types, w.is_enabled, w.disabled_reason, w.dropped_count::float8 AS dropped_count,
  w.pending_count, w.pending_bytes::float8 AS pending_bytes,
  ${timestamp('w.disabled_at')} AS disabled_at, ${timestamp('w.failing_since')} AS failing_since,
  ${timestamp('w.last_success_at')} AS last_success_at, ${timestamp('w.last_dropped_at')} AS last_dropped_at,
  ${timestamp('w.previous_secret_until')} AS previous_secret_until,
  ${timestamp('w.created_at')} AS created_at, ${timestamp('w.updated_at')} AS updated_at`;

/** Returns an organization's endpoints by name; there are at most `endpointsMax`. */
export async function findEndpoints(db: Queries, orgId: number): Promise<EndpointRow[]> {
  return db.$queryRaw<EndpointRow[]>`
    SELECT ${endpointColumns} FROM webhook_endpoints w
     WHERE w.org_id = ${orgId}::int AND w.deleted_at IS NULL
     ORDER BY ${inNaturalOrder('w.name')}, w.id`;
}

export async function findEndpoint(db: Queries, orgId: number, id: number): Promise<EndpointRow | undefined> {
  const rows = await db.$queryRaw<EndpointRow[]>`
    SELECT ${endpointColumns} FROM webhook_endpoints w
     WHERE w.org_id = ${orgId}::int AND w.id = ${id}::int AND w.deleted_at IS NULL`;
  return rows[0];
}

/**
 * Inserts an endpoint. Returns undefined if the organization already has `max`. The caller holds the lock `alerting`.
 */
export async function insertEndpoint(
  tx: TransactionClient,
  orgId: number,
  { endpoint, secret, max }: { endpoint: NewEndpoint; secret: string; max: number },
): Promise<number | undefined> {
  const rows = await tx.$queryRaw<{ id: number }[]>`
    INSERT INTO webhook_endpoints (org_id, name, url, event_types, secret, created_at, updated_at)
    SELECT ${orgId}::int, ${endpoint.name}, ${endpoint.url}, ${endpoint.event_types}::text[], ${secret},
           ${currentInstant}, ${currentInstant}
     WHERE (SELECT count(*) FROM webhook_endpoints WHERE org_id = ${orgId}::int AND deleted_at IS NULL) < ${max}::int
    RETURNING id`;
  return rows[0]?.id;
}

/**
 * Changes an endpoint. Enabling it clears the reason why it was disabled. Returns whether there was such an endpoint.
 */
export async function changeEndpoint(
  tx: TransactionClient,
  orgId: number,
  { id, changes }: { id: number; changes: EndpointChanges },
): Promise<boolean> {
  const sets = [Prisma.sql`updated_at = ${nextInstant('updated_at')}`];
  if (changes.name !== undefined) sets.push(Prisma.sql`name = ${changes.name}`);
  if (changes.url !== undefined) sets.push(Prisma.sql`url = ${changes.url}`);
  if (changes.event_types !== undefined) sets.push(Prisma.sql`event_types = ${changes.event_types}::text[]`);
  if (changes.is_enabled === true) {
    sets.push(Prisma.sql`is_enabled = true, disabled_at = NULL, disabled_reason = NULL`);
  }
  // Failures of another address, or from before the endpoint was disabled, do not predict further attempts.
  if (changes.url !== undefined) sets.push(Prisma.sql`failing_since = NULL`);
  else if (changes.is_enabled === true)
    sets.push(Prisma.sql`failing_since = CASE WHEN is_enabled THEN failing_since END`);
  const changed = await tx.$executeRaw`
    UPDATE webhook_endpoints SET ${Prisma.join(sets, ', ')} WHERE org_id = ${orgId}::int AND id = ${id}::int`;
  if (changed > 0 && changes.is_enabled === false) await disableEndpoint(tx, { orgId, id, reason: 'user' });
  return changed > 0;
}

/** Disables an endpoint and gives up its pending deliveries. Returns false if it is disabled already. */
export async function disableEndpoint(
  tx: TransactionClient,
  { orgId, id, reason }: { orgId: number; id: number; reason: DisabledReason },
): Promise<boolean> {
  const disabled = await tx.$executeRaw`
    UPDATE webhook_endpoints
       SET is_enabled = false, disabled_at = ${currentInstant}, disabled_reason = ${reason},
           updated_at = ${nextInstant('updated_at')}
     WHERE org_id = ${orgId}::int AND id = ${id}::int AND is_enabled`;
  if (disabled === 0) return false;
  await giveUpPending(tx, id);
  return true;
}

async function giveUpPending(tx: TransactionClient, id: number): Promise<void> {
  await tx.$executeRaw`
    UPDATE webhook_deliveries
       SET status = 'failed', finished_at = ${currentInstant}, claimed_until = NULL, last_error = 'The endpoint was disabled'
     WHERE endpoint_id = ${id}::int AND status = 'pending'`;
}

/**
 * The most deleted endpoints of an organization that are kept. If there are more, the endpoints that were deleted first
 * are deleted for good.
 */
export const deletedEndpointsMax = 50;

/**
 * Deletes an endpoint: gives up its pending deliveries, removes it from rules, and keeps the row, so that it can be restored. The
 * caller holds the lock `alerting`.
 */
export async function retireEndpoint(tx: TransactionClient, orgId: number, id: number): Promise<void> {
  await tx.$executeRaw`
    UPDATE webhook_endpoints
       SET deleted_at = ${currentInstant}, is_enabled = false, updated_at = ${nextInstant('updated_at')},
           former_rule_ids = ARRAY(SELECT r.id FROM alert_rules r
                                    WHERE r.org_id = ${orgId}::int AND ${id}::int = ANY(r.endpoint_ids) ORDER BY r.id)
     WHERE org_id = ${orgId}::int AND id = ${id}::int`;
  await giveUpPending(tx, id);
  await tx.$executeRaw`
    UPDATE alert_rules SET endpoint_ids = array_remove(endpoint_ids, ${id}::int)
     WHERE org_id = ${orgId}::int AND ${id}::int = ANY(endpoint_ids)`;
  await tx.$executeRaw`
    DELETE FROM webhook_endpoints
     WHERE id IN (SELECT w.id FROM webhook_endpoints w
                   WHERE w.org_id = ${orgId}::int AND w.deleted_at IS NOT NULL
                   ORDER BY w.deleted_at DESC, w.id DESC
                  OFFSET ${deletedEndpointsMax}::int)`;
}

/**
 * Restores an endpoint that was deleted in the last 30 days, as it was, and adds it to the rules that sent to it. The caller holds the
 * lock `alerting`.
 *
 * @throws ContractError `not_found` if there is no such deleted endpoint, `conflict` if there are `max` other endpoints
 */
export async function restoreEndpointRow(
  tx: TransactionClient,
  orgId: number,
  { id, max }: { id: number; max: number },
): Promise<void> {
  const [row] = await tx.$queryRaw<{ former_rule_ids: number[]; live: number }[]>`
    SELECT w.former_rule_ids,
           (SELECT count(*)::int FROM webhook_endpoints o
             WHERE o.org_id = ${orgId}::int AND o.deleted_at IS NULL) AS live
      FROM webhook_endpoints w
     WHERE w.org_id = ${orgId}::int AND w.id = ${id}::int AND ${isInTrash('w')}
       FOR NO KEY UPDATE OF w`;
  if (!row) throw refusal('not_found', { what: 'Endpoint' });
  if (row.live >= max) throw refusal('limit_reached', { max, what: 'endpoints' });
  // Only an endpoint that was disabled before its deletion has the instant at which it was disabled.
  await tx.$executeRaw`
    UPDATE webhook_endpoints
       SET deleted_at = NULL, is_enabled = disabled_at IS NULL, former_rule_ids = '{}', updated_at = ${nextInstant('updated_at')}
     WHERE org_id = ${orgId}::int AND id = ${id}::int`;
  await tx.$executeRaw`
    UPDATE alert_rules SET endpoint_ids = array_append(endpoint_ids, ${id}::int)
     WHERE org_id = ${orgId}::int AND id = ANY(${row.former_rule_ids}::int[]) AND NOT ${id}::int = ANY(endpoint_ids)`;
}

/** Deletes endpoints for good that can no longer be restored, with their deliveries and secrets. */
export async function removeDeletedEndpoints(db: Queries): Promise<void> {
  await db.$executeRaw`DELETE FROM webhook_endpoints w WHERE ${isPastTrash('w')}`;
}

/** How long the old secret stays valid in addition to the new one. */
const overlapHours = 24;

/** Gives an endpoint a new secret; the previous one stays valid for 24 hours. */
export async function rotateSecretOf(
  tx: TransactionClient,
  orgId: number,
  { id, secret }: { id: number; secret: string },
): Promise<void> {
  await tx.$executeRaw`
    UPDATE webhook_endpoints
       SET previous_secret = secret, secret = ${secret}, updated_at = ${nextInstant('updated_at')},
           previous_secret_until = ${currentInstant} + make_interval(hours => ${overlapHours}::int)
     WHERE org_id = ${orgId}::int AND id = ${id}::int`;
}
