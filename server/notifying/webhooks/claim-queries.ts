import { Prisma } from '../../../generated/prisma/client.js';
import type { Queries, TransactionClient } from '../../kernel/database/client.js';
import { currentInstant, epochMs, instant } from '../../kernel/database/columns.js';
import type { DisabledReason } from './endpoint-queries.js';
import { logBytesMax } from './retention.js';
import { sendTimeoutMs } from './send.js';

/** Concurrent requests of all processes to one endpoint: while it answers, and while its attempts fail. */
export const perEndpointMax = 8;
export const perFailingEndpointMax = 2;

/**
 * A claim expires after this time, in case its process died: the time limit of an attempt, and the same time to store
 * its outcome.
 */
export const claimMs = 2 * sendTimeoutMs + 5000;
const claimSeconds = claimMs / 1000;

/** A delivery that this process sends now. */
export type ClaimedDelivery = { id: number; event_key: string; body: string; attempts: number };

export type Endpoint = {
  id: number;
  org_id: number;
  name: string;
  url: string;
  /** The present secret, and the previous one while it is valid. */
  secrets: string[];
  is_enabled: boolean;
  is_failing: boolean;
  /** Whether the delivery logs of the organization have more bytes than they may. */
  is_log_full: boolean;
  has_expired_claims: boolean;
  /** When it was locked, in epoch milliseconds of the database's clock. */
  locked_at: number;
};

/** Whether the process that had claimed a delivery has not stored an outcome in time. */
const hasExpired = Prisma.sql`d.claimed_until IS NOT NULL AND d.claimed_until <= clock_timestamp()`;

/**
 * Locks the row of an endpoint and returns it, so that processes count each other's claims. Undefined if it was
 * deleted.
 */
export async function lockEndpoint(tx: TransactionClient, id: number): Promise<Endpoint | undefined> {
  const [endpoint] = await tx.$queryRaw<Endpoint[]>`
    SELECT w.id, w.org_id, w.name, w.url, w.is_enabled, ${epochMs('clock_timestamp()')} AS locked_at,
           w.failing_since IS NOT NULL AS is_failing,
           (SELECT sum(o.log_bytes) FROM webhook_endpoints o WHERE o.org_id = w.org_id) > ${logBytesMax}::int8 AS is_log_full,
           EXISTS (SELECT FROM webhook_deliveries d
                    WHERE d.endpoint_id = w.id AND d.status = 'pending' AND ${hasExpired}) AS has_expired_claims,
           CASE WHEN w.previous_secret_until > clock_timestamp() THEN ARRAY[w.secret, w.previous_secret]
                ELSE ARRAY[w.secret] END AS secrets
      FROM webhook_endpoints w
     WHERE w.id = ${id}::int
       FOR NO KEY UPDATE OF w`;
  return endpoint;
}

/** A delivery whose attempt began, and whose process was lost before it could store the outcome. */
export type ExpiredClaim = Pick<ClaimedDelivery, 'id' | 'attempts'> & {
  /** In epoch milliseconds. */
  claimed_at: number;
};

/** Returns the deliveries to an endpoint whose claims have expired. */
export async function findExpiredClaims(tx: TransactionClient, endpointId: number): Promise<ExpiredClaim[]> {
  return tx.$queryRaw<ExpiredClaim[]>`
    SELECT d.id::float8 AS id, d.attempts,
           ${epochMs(`d.claimed_until - interval '${claimSeconds} seconds'`)} AS claimed_at
      FROM webhook_deliveries d
     WHERE d.endpoint_id = ${endpointId}::int AND d.status = 'pending' AND ${hasExpired}`;
}

/**
 * Claims deliveries that were due to an endpoint when it was locked: at most `now`, and at most `perEndpoint` including
 * the deliveries that are already claimed.
 */
export async function claimDue(
  tx: TransactionClient,
  { id: endpointId, locked_at: lockedAtMs }: Endpoint,
  { perEndpoint, now }: { perEndpoint: number; now: number },
): Promise<ClaimedDelivery[]> {
  return tx.$queryRaw<ClaimedDelivery[]>`
    UPDATE webhook_deliveries d
       SET claimed_until = clock_timestamp() + make_interval(secs => ${claimSeconds}::int)
     WHERE d.id IN (
             SELECT c.id
               FROM webhook_deliveries c
              WHERE c.endpoint_id = ${endpointId}::int AND c.status = 'pending'
                AND c.next_attempt_at <= ${instant(lockedAtMs)}
                AND c.claimed_until IS NULL
              ORDER BY c.next_attempt_at
              LIMIT greatest(0, least(${now}::int, ${perEndpoint}::int - (
                      SELECT count(*) FROM webhook_deliveries u
                       WHERE u.endpoint_id = ${endpointId}::int AND u.claimed_until IS NOT NULL
                         AND u.claimed_until > clock_timestamp()))))
    RETURNING d.id::float8 AS id, d.event_key::text AS event_key, d.body, d.attempts`;
}

/** The outcome of one attempt. */
export type AttemptRecord = {
  deliveryId: number;
  attemptedAtMs: number;
  durationMs: number;
  statusCode: number | null;
  error: string | null;
  answer: string | null;
  status: 'pending' | 'delivered' | 'failed';
  attempts: number;
  /** The delay before the next attempt, while the delivery is pending. */
  delayMs: number;
};

/** Stores attempts and their consequences, and releases their claims. */
export async function recordAttempts(tx: TransactionClient, records: readonly AttemptRecord[]): Promise<void> {
  if (records.length === 0) return;
  const of = <Value>(value: (record: AttemptRecord) => Value) => records.map(value);
  await tx.$executeRaw`
    WITH given AS MATERIALIZED (
      SELECT * FROM unnest(
        ${of(({ deliveryId }) => deliveryId)}::int8[], ${of(({ attemptedAtMs }) => attemptedAtMs)}::float8[],
        ${of(({ durationMs }) => durationMs)}::int[], ${of(({ statusCode }) => statusCode)}::int[],
        ${of(({ error }) => error)}::text[], ${of(({ answer }) => answer)}::text[], ${of(({ status }) => status)}::text[],
        ${of(({ attempts }) => attempts)}::int[], ${of(({ delayMs }) => delayMs)}::float8[]
      ) AS g (delivery_id, at, duration_ms, status_code, error, answer, status, attempts, delay_ms)
    ), changed AS (
      UPDATE webhook_deliveries d
         SET status = g.status, attempts = g.attempts, claimed_until = NULL, last_status_code = g.status_code,
             last_error = g.error, answer_bytes = d.answer_bytes + coalesce(octet_length(g.answer), 0),
             next_attempt_at = ${currentInstant} + make_interval(secs => g.delay_ms / 1000),
             finished_at = CASE WHEN g.status <> 'pending' THEN ${currentInstant} END
        FROM given g
       -- A delivery that was given up meanwhile, as its endpoint was disabled, stays so unless it arrived.
       WHERE d.id = g.delivery_id AND (d.status = 'pending' OR g.status = 'delivered')
      RETURNING d.id
    )
    INSERT INTO webhook_attempts (delivery_id, attempted_at, duration_ms, status_code, error, answer)
    SELECT d.id, to_timestamp(g.at / 1000), g.duration_ms, g.status_code, g.error, g.answer
      FROM given g
      JOIN webhook_deliveries d ON d.id = g.delivery_id`;
}

/** Releases claims without an attempt. */
export async function returnClaims(tx: TransactionClient, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await tx.$executeRaw`UPDATE webhook_deliveries SET claimed_until = NULL WHERE id = ANY(${ids}::int8[])`;
}

const disabledAfterDays = 5;

/** Stores whether attempts to an endpoint succeed. If the endpoint has to be disabled now, returns why. */
export async function noteEndpointHealth(
  tx: TransactionClient,
  endpointId: number,
  { succeeded, failed, isGone }: { succeeded: boolean; failed: boolean; isGone: boolean },
): Promise<Exclude<DisabledReason, 'user'> | undefined> {
  const [row] = await tx.$queryRaw<{ is_failing_for_long: boolean }[]>`
    UPDATE webhook_endpoints
       SET last_success_at = CASE WHEN ${succeeded} THEN ${currentInstant} ELSE last_success_at END,
           failing_since = CASE WHEN ${succeeded} THEN NULL WHEN ${failed} THEN coalesce(failing_since, ${currentInstant})
                                ELSE failing_since END
     WHERE id = ${endpointId}::int
    RETURNING coalesce(failing_since < clock_timestamp() - make_interval(days => ${disabledAfterDays}::int), false)
              AS is_failing_for_long`;
  if (isGone) return 'gone';
  return failed && row?.is_failing_for_long ? 'failing' : undefined;
}

/**
 * Returns when the next delivery is due, in epoch milliseconds, without the deliveries that were due when the endpoint
 * was locked.
 */
export async function nextDueMs(
  tx: TransactionClient,
  { id: endpointId, locked_at: lockedAtMs }: Endpoint,
): Promise<number | undefined> {
  const [row] = await tx.$queryRaw<{ at: number }[]>`
    SELECT ${epochMs('d.next_attempt_at')} AS at
      FROM webhook_deliveries d
     WHERE d.endpoint_id = ${endpointId}::int AND d.status = 'pending' AND d.next_attempt_at > ${instant(lockedAtMs)}
       AND (d.claimed_until IS NULL OR d.claimed_until <= clock_timestamp())
     ORDER BY d.next_attempt_at
     LIMIT 1`;
  return row?.at;
}

/** Returns the enabled endpoints with a due delivery that no process has claimed. */
export async function findDueEndpoints(db: Queries): Promise<number[]> {
  const rows = await db.$queryRaw<{ id: number }[]>`
    SELECT w.id
      FROM webhook_endpoints w
     WHERE w.is_enabled
       AND EXISTS (SELECT FROM webhook_deliveries d
                    WHERE d.endpoint_id = w.id AND d.status = 'pending' AND d.next_attempt_at <= clock_timestamp()
                      AND (d.claimed_until IS NULL OR d.claimed_until <= clock_timestamp()))
     ORDER BY w.id
     LIMIT 1000`;
  return rows.map(({ id }) => id);
}
