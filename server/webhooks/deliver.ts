import type { Database } from '../database/client.js';
import type { Task } from '../jobs/job-workers.js';
import { addJobs } from '../jobs/queue-queries.js';
import type { Log } from '../log.js';
import { type FinishedAttempt, sendDelivery } from './attempt.js';
import { type ClaimedDelivery, type Endpoint, findDueEndpoints } from './claim-queries.js';
import { createRequestSlots } from './request-slots.js';
import type { WebhookSender } from './send.js';
import { takeTurn, type Turn, type TurnOptions } from './turn.js';
import { wakeJob, wakeJobAt } from './wake.js';

export type DelivererOptions = { db: Database; sender: WebhookSender; log: Log; isMailConfigured: boolean };

/** Of this process since its start. */
export type DeliveryStats = { underWay: number; delivered: number; failedAttempts: number };

/**
 * Sends deliveries. A job only starts requests; nothing waits in a worker for an answer. So a receiver that does not
 * answer holds its own requests, and no worker that others need.
 */
export type Deliverer = {
  /** The task of the job queue: starts what is due to one endpoint. */
  task: Task;
  /** Starts no more requests, gives those under way `finishMs`, and returns the claims of the rest. */
  stop(finishMs: number): Promise<void>;
  stats(): DeliveryStats;
};

/** What this process does for one endpoint. */
type Channel = {
  underWay: number;
  /** Attempts that are to be stored. */
  finished: FinishedAttempt[];
  /** Whether something new may be due. */
  isWoken: boolean;
  turn: Promise<void> | undefined;
  timer: NodeJS.Timeout | undefined;
  /** Turns in a row in which all attempts had failed, and until when nothing is sent therefore. */
  failures: number;
  restUntilMs: number;
};

/** Answers that arrive together are stored together. */
const gatherMs = 5;
/** After the database failed. */
const retryMs = 1000;
/** An endpoint whose attempts fail rests after each turn, twice as long each time: what is due to it may be much. */
const restMinMs = 250;
const restMaxMs = 10_000;
/** The job queue looks for jobs of later every five seconds; what is due sooner than this has a timer beside its job. */
const timedMs = 60_000;

/** Creates what sends deliveries. Nothing runs before the first job. */
export function createDeliverer({ db, sender, log, isMailConfigured }: DelivererOptions): Deliverer {
  const slots = createRequestSlots();
  const channels = new Map<number, Channel>();
  /** Endpoints with something due for which there was no slot, and their organizations. */
  const waiting = new Map<number, number>();
  const timers = new Map<number, NodeJS.Timeout>();
  const requests = new Set<Promise<void>>();
  const stopping = new AbortController();
  let isStopping = false;
  let delivered = 0;
  let failedAttempts = 0;

  function channelOf(endpointId: number): Channel {
    const known = channels.get(endpointId);
    if (known) return known;
    const channel: Channel = {
      ...{ underWay: 0, finished: [], isWoken: false, turn: undefined, timer: undefined, failures: 0, restUntilMs: 0 },
    };
    channels.set(endpointId, channel);
    return channel;
  }

  /** Resolves once what is due has been started. Rejects where the database fails. */
  async function wake(endpointId: number): Promise<void> {
    const channel = channelOf(endpointId);
    channel.isWoken = true;
    await channel.turn?.catch(() => {});
    if (restMsOf(channel) > 0) schedule(endpointId, channel, restMsOf(channel));
    else await run(endpointId, channel);
  }

  function run(endpointId: number, channel: Channel): Promise<void> {
    clearTimeout(channel.timer);
    channel.timer = undefined;
    channel.turn ??= turn(endpointId, channel).finally(() => {
      channel.turn = undefined;
      if (channel.finished.length > 0 || channel.isWoken) schedule(endpointId, channel, gatherMs);
      else if (channel.underWay === 0) channels.delete(endpointId);
    });
    return channel.turn;
  }

  function schedule(endpointId: number, channel: Channel, afterMs: number): void {
    channel.timer ??= setTimeout(() => {
      run(endpointId, channel).catch((error: unknown) =>
        log.warn({ err: error, endpointId }, 'deliveries could not be stored; trying again'),
      );
    }, afterMs).unref();
  }

  async function turn(endpointId: number, channel: Channel): Promise<void> {
    const finished = channel.finished.splice(0);
    channel.isWoken = false;
    const slotsOf = { orgId: 0, taken: 0 };
    const takeSlots: TurnOptions['takeSlots'] = ({ orgId, wanted, isFailing }) => {
      if (finished.length > 0) rest(channel, isFailing);
      const isClosed = isStopping || restMsOf(channel) > 0;
      slotsOf.orgId = orgId;
      slotsOf.taken = isClosed ? 0 : slots.take(orgId, { wanted, underWay: channel.underWay });
      return slotsOf.taken;
    };
    let taken: Turn;
    try {
      taken = await takeTurn({ db, isMailConfigured, endpointId, finished, takeSlots });
    } catch (error) {
      slots.release(slotsOf.orgId, slotsOf.taken);
      channel.finished.unshift(...finished);
      channel.isWoken = true;
      schedule(endpointId, channel, retryMs);
      throw error;
    }
    slots.release(slotsOf.orgId, slotsOf.taken - taken.deliveries.length);
    begin(endpointId, channel, taken);
    if (restMsOf(channel) > 0) {
      channel.isWoken = true;
      schedule(endpointId, channel, restMsOf(channel));
    } else if (taken.isShortOfSlots) waiting.set(endpointId, slotsOf.orgId);
    else if (taken.nextDueMs !== undefined && !isStopping) await prepareNext(endpointId, taken.nextDueMs);
  }

  function begin(endpointId: number, channel: Channel, { endpoint, deliveries }: Turn): void {
    if (!endpoint) return;
    for (const delivery of deliveries) {
      channel.underWay += 1;
      const request = send(endpoint, delivery).then((finished) => {
        requests.delete(request);
        channel.underWay -= 1;
        channel.finished.push(finished);
        slots.release(endpoint.org_id, 1);
        wakeWaiting();
        clearTimeout(channel.timer);
        channel.timer = undefined;
        schedule(endpointId, channel, channel.underWay === 0 ? 0 : gatherMs);
      });
      requests.add(request);
    }
  }

  async function send(endpoint: Endpoint, delivery: ClaimedDelivery): Promise<FinishedAttempt> {
    const finished = await sendDelivery(sender, { endpoint, delivery, signal: stopping.signal });
    const { statusCode, isAborted } = finished.result;
    if (statusCode !== null && statusCode >= 200 && statusCode < 300) delivered += 1;
    else if (!isAborted) failedAttempts += 1;
    return finished;
  }

  /** Gives the slot that became free to an endpoint that may use it. */
  function wakeWaiting(): void {
    for (const [endpointId, orgId] of waiting) {
      if (!slots.hasFree(orgId)) continue;
      waiting.delete(endpointId);
      const channel = channelOf(endpointId);
      channel.isWoken = true;
      schedule(endpointId, channel, 0);
      return;
    }
  }

  /** Makes sure that the next attempt is made in time, by this process or, should it end, by another one. */
  async function prepareNext(endpointId: number, dueMs: number): Promise<void> {
    await addJobs(db, [wakeJobAt(endpointId, dueMs)]);
    const inMs = dueMs - Date.now();
    if (inMs > timedMs) return;
    clearTimeout(timers.get(endpointId));
    const timer = setTimeout(() => {
      timers.delete(endpointId);
      wake(endpointId).catch((error: unknown) =>
        log.warn({ err: error, endpointId }, 'deliveries could not be claimed'),
      );
    }, inMs);
    timers.set(endpointId, timer.unref());
  }

  return {
    task: (payload) => wake((payload as { endpoint_id: number }).endpoint_id),
    async stop(finishMs) {
      isStopping = true;
      for (const timer of timers.values()) clearTimeout(timer);
      const patience = setTimeout(() => stopping.abort(), finishMs).unref();
      while (requests.size > 0) await Promise.all(requests);
      clearTimeout(patience);
      const left = [...channels].map(async ([endpointId, channel]) => {
        await channel.turn?.catch(() => {});
        if (channel.finished.length > 0) await run(endpointId, channel);
        clearTimeout(channel.timer);
      });
      const outcomes = await Promise.allSettled(left);
      const failed = outcomes.find((outcome) => outcome.status === 'rejected');
      if (failed) log.warn({ err: failed.reason }, 'deliveries could not be stored; others will repeat them');
      for (const { timer } of channels.values()) clearTimeout(timer);
    },
    stats: () => ({ underWay: slots.underWay(), delivered, failedAttempts }),
  };
}

/** Begins the rest of an endpoint whose attempts have all failed; ends it once one succeeds. */
function rest(channel: Channel, isFailing: boolean): void {
  channel.failures = isFailing ? channel.failures + 1 : 0;
  channel.restUntilMs = isFailing ? Date.now() + Math.min(restMaxMs, restMinMs * 2 ** (channel.failures - 1)) : 0;
}

function restMsOf({ restUntilMs }: Channel): number {
  return Math.max(0, restUntilMs - Date.now());
}

/** Adds jobs for endpoints with something due that no job knows of, as after the death of a process. */
export async function wakeDueEndpoints(db: Database): Promise<void> {
  const endpoints = await findDueEndpoints(db);
  await addJobs(
    db,
    endpoints.map((id) => wakeJob(id)),
  );
}
