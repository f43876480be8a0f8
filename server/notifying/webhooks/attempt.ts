import {
  type AttemptRecord,
  type ClaimedDelivery,
  claimMs,
  type Endpoint,
  type ExpiredClaim,
} from './claim-queries.js';
import type { AttemptResult, WebhookSender } from './send.js';
import { messageId, signedHeaders } from './sign.js';

/** A finished attempt that is not stored yet. */
export type FinishedAttempt = {
  delivery: ClaimedDelivery;
  result: AttemptResult;
  /** When it began, in epoch milliseconds. */
  attemptedAtMs: number;
};

/** Signs a delivery with the endpoint's secrets and sends it. Never rejects. */
export async function sendDelivery(
  sender: WebhookSender,
  { endpoint, delivery, signal }: { endpoint: Endpoint; delivery: ClaimedDelivery; signal: AbortSignal },
): Promise<FinishedAttempt> {
  const attemptedAtMs = Date.now();
  const { event_key: eventKey, body } = delivery;
  const headers = signedHeaders({ id: messageId(eventKey), atMs: attemptedAtMs, body }, endpoint.secrets);
  return { delivery, attemptedAtMs, result: await sender.send({ url: endpoint.url, headers, body }, signal) };
}

/**
 * Returns the attempt of a process that was lost. It counts as an attempt, so that a delivery that crashes its process
 * is not repeated forever.
 */
export function lostAttempt({ claimed_at: attemptedAtMs, ...delivery }: ExpiredClaim): AttemptRecord {
  const error = 'The attempt did not end: its process was lost';
  const result = { statusCode: null, error, answer: null, durationMs: claimMs, retryAfterMs: null };
  return recordOf({ delivery, result, attemptedAtMs });
}

type Attempt = Pick<FinishedAttempt, 'attemptedAtMs'> & {
  delivery: Pick<ClaimedDelivery, 'id' | 'attempts'>;
  result: Omit<AttemptResult, 'isAborted'>;
};

/** Decides the consequence of an attempt: delivered, a retry after a delay, or failed for good. */
export function recordOf({ delivery, result, attemptedAtMs }: Attempt): AttemptRecord {
  const { statusCode, error, answer, durationMs, retryAfterMs } = result;
  const attempts = delivery.attempts + 1;
  const common = { deliveryId: delivery.id, attemptedAtMs, durationMs, statusCode, answer, attempts };
  if (statusCode !== null && statusCode >= 200 && statusCode < 300) {
    return { ...common, error: null, status: 'delivered', delayMs: 0 };
  }
  const delayMs = delayBeforeNext({ attempts, retryAfterMs, random: Math.random() });
  const isOver = delayMs === undefined || statusCode === 410;
  return {
    ...common,
    error: error ?? `The endpoint answered ${statusCode}`,
    status: isOver ? 'failed' : 'pending',
    delayMs: delayMs ?? 0,
  };
}

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

/** The delay before each attempt; the first one is due at once. */
const delaysMs = [0, 5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 10 * hour];

/** The longest delay that a receiver can ask for. */
const retryAfterMaxMs = 24 * hour;

export type NextAttempt = {
  /** Attempts that were made, the last one included. */
  attempts: number;
  retryAfterMs: number | null;
  /** From 0 to 1, for the jitter. */
  random: number;
};

/**
 * Returns how long to wait before the next attempt, or undefined after the last one. Adds up to a tenth, so that
 * deliveries that failed together are not repeated together. `Retry-After` makes the delay longer, never shorter.
 */
export function delayBeforeNext({ attempts, retryAfterMs, random }: NextAttempt): number | undefined {
  const delayMs = delaysMs[attempts];
  if (delayMs === undefined) return undefined;
  const jittered = delayMs * (1 + random / 10);
  return Math.round(Math.max(jittered, Math.min(retryAfterMs ?? 0, retryAfterMaxMs)));
}
