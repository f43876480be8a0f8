import type { Database, TransactionClient } from '../database/client.js';
import type { Task } from '../jobs/lanes.js';
import { addJobs } from '../jobs/queue-queries.js';
import { endpointMailJobs } from '../mail/endpoint-disabled.js';
import { delayBeforeNext } from './backoff.js';
import {
  type AttemptRecord,
  type Claim,
  claimDeliveries,
  type ClaimedDelivery,
  findDueEndpoints,
  nextDueMs,
  noteEndpointHealth,
  recordAttempts,
  returnClaims,
} from './claim-queries.js';
import { disableEndpoint } from './endpoint-queries.js';
import { messageId } from './message.js';
import type { AttemptResult, WebhookSender } from './send.js';
import { signedHeaders } from './sign.js';
import { deliveryTasks, wakeJob } from './wake.js';

type Deliveries = { db: Database; sender: WebhookSender; isMailConfigured: boolean };

/** After so many rounds an endpoint with much to send lets others have the worker. */
const roundsMax = 50;

/**
 * Creates the tasks that send what is due to an endpoint. Endpoints whose last attempt failed have a task, and a lane of
 * workers, of their own: waiting for them takes no worker from those that answer.
 */
export function createDeliveryTasks(options: Deliveries): {
  usual: Record<string, Task>;
  failing: Record<string, Task>;
} {
  const task =
    (rounds: number): Task =>
    (payload, signal) =>
      deliverTo((payload as { endpoint_id: number }).endpoint_id, { ...options, rounds, signal });
  return { usual: { [deliveryTasks.usual]: task(roundsMax) }, failing: { [deliveryTasks.failing]: task(1) } };
}

/** Adds jobs for endpoints with something due that no job knows of, as after the death of a process. */
export async function wakeDueEndpoints(db: Database): Promise<void> {
  const endpoints = await findDueEndpoints(db);
  await addJobs(
    db,
    endpoints.map(({ id, is_failing: isFailing }) => wakeJob(id, isFailing)),
  );
}

type Drain = Deliveries & { rounds: number; signal: AbortSignal };

async function deliverTo(endpointId: number, drain: Drain): Promise<void> {
  const { db, rounds, signal } = drain;
  let isFailing = rounds === 1;
  for (let round = 0; round < rounds && !signal.aborted; round += 1) {
    const claim = await claimDeliveries(db, endpointId);
    if (!claim || claim.deliveries.length === 0) break;
    isFailing = await deliverClaim(claim, drain);
    if (isFailing) break;
  }
  await scheduleNext(db, endpointId, isFailing);
}

/** Adds the job for what remains: at once where something is due, else when it will be. */
async function scheduleNext(db: Database, endpointId: number, isFailing: boolean): Promise<void> {
  const dueMs = await nextDueMs(db, endpointId);
  if (dueMs === undefined) return;
  const job = wakeJob(endpointId, isFailing);
  if (dueMs <= Date.now()) await addJobs(db, [job]);
  else await addJobs(db, [{ ...job, key: `${job.key}:later`, runAtMs: dueMs }]);
}

/** Sends what was claimed, all at once, and stores what became of it. Returns whether the endpoint fails. */
async function deliverClaim(claim: Claim, { db, sender, isMailConfigured, signal }: Drain): Promise<boolean> {
  const { endpoint, deliveries } = claim;
  const attempts = await Promise.all(
    deliveries.map(async (delivery) => {
      const atMs = Date.now();
      const { body } = delivery;
      const headers = signedHeaders({ id: messageId(delivery.event_key), atMs, body }, endpoint.secrets);
      return { delivery, atMs, result: await sender.send({ url: endpoint.url, headers, body }, signal) };
    }),
  );
  const made = attempts.filter(({ result }) => !result.isAborted);
  const records = made.map(({ delivery, atMs, result }) => recordOf(delivery, result, atMs));
  const health = {
    succeeded: records.some(({ status }) => status === 'delivered'),
    failed: records.some(({ status }) => status !== 'delivered'),
    isGone: records.some(({ statusCode }) => statusCode === 410),
  };
  await db.$transaction(async (tx: TransactionClient) => {
    const reason = records.length > 0 ? await noteEndpointHealth(tx, endpoint.id, health) : undefined;
    await recordAttempts(tx, records);
    await returnClaims(
      tx,
      attempts.filter(({ result }) => result.isAborted).map(({ delivery }) => delivery.id),
    );
    if (reason === undefined || !(await disableEndpoint(tx, { orgId: endpoint.org_id, id: endpoint.id, reason })))
      return;
    if (isMailConfigured) await addJobs(tx, await endpointMailJobs(tx, endpoint.org_id, endpoint.id));
  });
  return health.failed && !health.succeeded;
}

function recordOf(delivery: ClaimedDelivery, result: AttemptResult, attemptedAtMs: number): AttemptRecord {
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
