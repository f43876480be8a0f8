import { Prisma } from '../../generated/prisma/client.js';
import type { Database, TransactionClient } from '../database/client.js';
import { currentInstant, epochMs, inNaturalOrder, nextInstant } from '../database/columns.js';
import type { EventType } from '../events/event-types.js';
import type { EndpointChanges, NewEndpoint } from './schemas.js';

type Queryable = Pick<Database, '$queryRaw'>;

/** `gone`: it answered 410. `failing`: no attempt succeeded for five days. `user`: an administrator did it. */
export type DisabledReason = 'gone' | 'failing' | 'user';

/** An endpoint without its secrets; instants are epoch milliseconds. */
export type EndpointRow = {
  id: number;
  name: string;
  url: string;
  event_types: EventType[];
  is_enabled: boolean;
  disabled_at: number | null;
  disabled_reason: DisabledReason | null;
  failing_since: number | null;
  last_success_at: number | null;
  last_failure_at: number | null;
  previous_secret_until: number | null;
  dropped_count: number;
  last_dropped_at: number | null;
  created_at: number;
  updated_at: number;
  /** Deliveries that are not done, and the bytes of their bodies. */
  pending_count: number;
  pending_bytes: number;
};

const endpointColumns = Prisma.sql`
  w.id, w.name, w.url, w.event_types, w.is_enabled, w.disabled_reason, w.dropped_count::float8 AS dropped_count,
  w.pending_count, w.pending_bytes::float8 AS pending_bytes,
  ${Prisma.join(
    [
      'disabled_at',
      'failing_since',
      'last_success_at',
      'last_failure_at',
      'previous_secret_until',
      'last_dropped_at',
      'created_at',
      'updated_at',
    ].map((name) => Prisma.sql`${epochMs(`w.${name}`)} AS ${Prisma.raw(name)}`),
    ', ',
  )}`;

/** Returns an organization's endpoints by name; there are at most `endpointsMax`. */
export async function findEndpoints(db: Queryable, orgId: number): Promise<EndpointRow[]> {
  return db.$queryRaw<EndpointRow[]>`
    SELECT ${endpointColumns} FROM webhook_endpoints w WHERE w.org_id = ${orgId}::int ORDER BY ${inNaturalOrder('w.name')}, w.id`;
}

export async function findEndpoint(db: Queryable, orgId: number, id: number): Promise<EndpointRow | undefined> {
  const rows = await db.$queryRaw<EndpointRow[]>`
    SELECT ${endpointColumns} FROM webhook_endpoints w WHERE w.org_id = ${orgId}::int AND w.id = ${id}::int`;
  return rows[0];
}

/** Inserts an endpoint unless the organization has `max`; then returns undefined. The caller holds the lock `alerting`. */
export async function insertEndpoint(
  tx: TransactionClient,
  orgId: number,
  { endpoint, secret, max }: { endpoint: NewEndpoint; secret: string; max: number },
): Promise<number | undefined> {
  const rows = await tx.$queryRaw<{ id: number }[]>`
    INSERT INTO webhook_endpoints (org_id, name, url, event_types, secret, created_at, updated_at)
    SELECT ${orgId}::int, ${endpoint.name}, ${endpoint.url}, ${endpoint.event_types}::text[], ${secret},
           ${currentInstant}, ${currentInstant}
     WHERE (SELECT count(*) FROM webhook_endpoints WHERE org_id = ${orgId}::int) < ${max}::int
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
  // Failures of another address, or from before it was disabled, say nothing about further attempts.
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
  await tx.$executeRaw`
    UPDATE webhook_deliveries
       SET status = 'failed', finished_at = ${currentInstant}, claimed_until = NULL, last_error = 'The endpoint was disabled'
     WHERE endpoint_id = ${id}::int AND status = 'pending'`;
  return true;
}

/** Deletes an endpoint with its deliveries, and removes it from rules. */
export async function deleteEndpointRow(tx: TransactionClient, orgId: number, id: number): Promise<void> {
  await tx.$executeRaw`
    DELETE FROM webhook_endpoints WHERE org_id = ${orgId}::int AND id = ${id}::int`;
  await tx.$executeRaw`
    UPDATE alert_rules SET endpoint_ids = array_remove(endpoint_ids, ${id}::int)
     WHERE org_id = ${orgId}::int AND ${id}::int = ANY(endpoint_ids)`;
}

/** How long the old secret stays valid beside the new one. */
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
