import type { Database, TransactionClient } from '../../kernel/database/client.js';
import { addJobs } from '../../kernel/jobs/queue-queries.js';
import { endpointMailJobs } from './endpoint-disabled-mail.js';
import { type FinishedAttempt, lostAttempt, recordOf } from './attempt.js';
import {
  claimDue,
  type ClaimedDelivery,
  type Endpoint,
  findExpiredClaims,
  lockEndpoint,
  nextDueMs,
  noteEndpointHealth,
  perEndpointMax,
  perFailingEndpointMax,
  recordAttempts,
  returnClaims,
} from './claim-queries.js';
import { disableEndpoint } from './endpoint-queries.js';
import { recordDisabled } from './record-change.js';

export type RoundOptions = {
  db: Database;
  isMailConfigured: boolean;
  endpointId: number;
  /** The attempts to store. */
  finished: readonly FinishedAttempt[];
  /**
   * Admits up to `wanted` requests to the endpoint, and returns how many; `isFailing` is the state after `finished`.
   */
  admit: (state: { orgId: number; wanted: number; isFailing: boolean }) => number;
};

export type Round = {
  /** Undefined if the endpoint was deleted. */
  endpoint: Endpoint | undefined;
  /** The deliveries to send now. */
  deliveries: ClaimedDelivery[];
  admitted: number;
  /** Whether the limiter admitted fewer requests than wanted. */
  isLimited: boolean;
  /** When the next delivery will be due, in epoch milliseconds; not looked up if deliveries are sent now. */
  nextDueMs: number | undefined;
};

/**
 * Stores the outcome of an endpoint's attempts, and claims what is due to it, in one transaction. The endpoint's row is
 * locked meanwhile, so that processes count each other's claims.
 */
export function runRound(options: RoundOptions): Promise<Round> {
  const { db, endpointId, admit } = options;
  return db.$transaction(async (tx): Promise<Round> => {
    const endpoint = await lockEndpoint(tx, endpointId);
    const none: Round = { endpoint, deliveries: [], admitted: 0, isLimited: false, nextDueMs: undefined };
    if (!endpoint) return none;
    const { isEnabled, isFailing } = await store(tx, endpoint, options);
    if (!isEnabled) return none;
    if (endpoint.has_expired_claims) {
      await recordAttempts(tx, (await findExpiredClaims(tx, endpoint.id)).map(lostAttempt));
    }
    const wanted = isFailing ? perFailingEndpointMax : perEndpointMax;
    const admitted = admit({ orgId: endpoint.org_id, wanted, isFailing });
    const limits = { perEndpoint: wanted, now: admitted };
    const deliveries = admitted > 0 ? await claimDue(tx, endpoint, limits) : [];
    const isLimited = admitted < wanted && deliveries.length === admitted;
    const dueMs = deliveries.length === 0 ? await nextDueMs(tx, endpoint) : undefined;
    return { endpoint, deliveries, admitted, isLimited, nextDueMs: dueMs };
  });
}

/** Stores attempts, and disables the endpoint if they require it. Returns the state of the endpoint afterwards. */
async function store(
  tx: TransactionClient,
  endpoint: Endpoint,
  { finished, isMailConfigured }: RoundOptions,
): Promise<{ isEnabled: boolean; isFailing: boolean }> {
  const { id, org_id: orgId, name, is_enabled: isEnabled, is_failing: isFailing } = endpoint;
  const records = finished
    .filter(({ result }) => !result.isAborted)
    .map(recordOf)
    // Pending deliveries are never deleted to free space, so their answers must not fill the log.
    .map((record) => (endpoint.is_log_full && record.status === 'pending' ? { ...record, answer: null } : record));
  await returnClaims(
    tx,
    finished.filter(({ result }) => result.isAborted).map(({ delivery }) => delivery.id),
  );
  if (records.length === 0) return { isEnabled, isFailing };
  const succeeded = records.some(({ status }) => status === 'delivered');
  const failed = records.some(({ status }) => status !== 'delivered');
  const isGone = records.some(({ statusCode }) => statusCode === 410);
  const reason = await noteEndpointHealth(tx, id, { succeeded, failed, isGone });
  await recordAttempts(tx, records);
  if (reason === undefined) return { isEnabled, isFailing: failed && !succeeded };
  if (await disableEndpoint(tx, { orgId, id, reason })) {
    await recordDisabled(tx, orgId, { id, name, reason });
    if (isMailConfigured) await addJobs(tx, await endpointMailJobs(tx, orgId, id));
  }
  return { isEnabled: false, isFailing: true };
}
