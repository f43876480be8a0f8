import type { Database, TransactionClient } from '../database/client.js';
import { addJobs } from '../jobs/queue-queries.js';
import { endpointMailJobs } from '../mail/endpoint-disabled.js';
import { type FinishedAttempt, recordOf } from './attempt.js';
import {
  claimDue,
  type ClaimedDelivery,
  type Endpoint,
  holdEndpoint,
  nextDueMs,
  noteEndpointHealth,
  perEndpointMax,
  perFailingEndpointMax,
  recordAttempts,
  returnClaims,
} from './claim-queries.js';
import { disableEndpoint } from './endpoint-queries.js';
import { recordDisabled } from './record-change.js';

export type TurnOptions = {
  db: Database;
  isMailConfigured: boolean;
  endpointId: number;
  /** Attempts to store. */
  finished: readonly FinishedAttempt[];
  /** Takes up to `wanted` slots for requests to the endpoint, and returns how many; `isFailing` after `finished`. */
  takeSlots: (state: { orgId: number; wanted: number; isFailing: boolean }) => number;
};

export type Turn = {
  /** Undefined where the endpoint is gone. */
  endpoint: Endpoint | undefined;
  /** What is to be sent now. */
  deliveries: ClaimedDelivery[];
  slotsTaken: number;
  /** Whether more was wanted than there were slots for. */
  isShortOfSlots: boolean;
  /** When the first delivery is due that is not due yet, in epoch milliseconds; not looked up where something is sent now. */
  nextDueMs: number | undefined;
};

/**
 * Stores what became of an endpoint's attempts, and claims what is due to it, in one transaction. The endpoint's row is
 * locked meanwhile, so that processes count each other's claims.
 */
export function takeTurn(options: TurnOptions): Promise<Turn> {
  const { db, endpointId, takeSlots } = options;
  return db.$transaction(async (tx): Promise<Turn> => {
    const endpoint = await holdEndpoint(tx, endpointId);
    const none: Turn = { endpoint, deliveries: [], slotsTaken: 0, isShortOfSlots: false, nextDueMs: undefined };
    if (!endpoint) return none;
    const { isEnabled, isFailing } = await store(tx, endpoint, options);
    if (!isEnabled) return none;
    const wanted = isFailing ? perFailingEndpointMax : perEndpointMax;
    const slotsTaken = takeSlots({ orgId: endpoint.org_id, wanted, isFailing });
    const limits = { perEndpoint: wanted, now: slotsTaken };
    const deliveries = slotsTaken > 0 ? await claimDue(tx, endpoint, limits) : [];
    const isShortOfSlots = slotsTaken < wanted && deliveries.length === slotsTaken;
    const dueMs = deliveries.length === 0 ? await nextDueMs(tx, endpoint) : undefined;
    return { endpoint, deliveries, slotsTaken, isShortOfSlots, nextDueMs: dueMs };
  });
}

/** Stores attempts, and disables the endpoint where that follows from them. Returns the state of the endpoint after it. */
async function store(
  tx: TransactionClient,
  endpoint: Endpoint,
  { finished, isMailConfigured }: TurnOptions,
): Promise<{ isEnabled: boolean; isFailing: boolean }> {
  const { id, org_id: orgId, name, is_enabled: isEnabled, is_failing: isFailing } = endpoint;
  const records = finished.filter(({ result }) => !result.isAborted).map(recordOf);
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
