import type { Database } from '../../kernel/database/client.js';
import type { Task } from '../../kernel/jobs/job-workers.js';
import { addJobs } from '../../kernel/jobs/queue-queries.js';
import type { Log } from '../../kernel/log.js';
import { type FinishedAttempt, sendDelivery } from './attempt.js';
import { type ClaimedDelivery, type Endpoint, findDueEndpoints } from './claim-queries.js';
import { type Round, type RoundOptions, runRound } from './delivery-round.js';
import { createRequestLimiter } from './request-limiter.js';
import { trimLog } from './retention.js';
import type { WebhookSender } from './send.js';
import { wakeJob } from './wake.js';

export type DelivererOptions = { db: Database; sender: WebhookSender; log: Log; isMailConfigured: boolean };

/** The totals of this process since its start. */
export type DeliveryStats = { underWay: number; delivered: number; failedAttempts: number };

/**
 * Sends deliveries. A job only starts requests and no worker waits for an answer, so a receiver that does not answer
 * occupies only its own requests.
 */
export type Deliverer = {
  /** The task of the job queue: starts the due deliveries of one endpoint. */
  task: Task;
  /** Starts no more requests, gives those in progress `finishMs`, and releases the claims of the rest. */
  stop(finishMs: number): Promise<void>;
  stats(): DeliveryStats;
};

/** The work of this process for one endpoint. */
type Channel = {
  underWay: number;
  /** Attempts that are to be stored. */
  finished: FinishedAttempt[];
  /** Whether something new may be due. */
  isWoken: boolean;
  round: Promise<void> | undefined;
  timer: NodeJS.Timeout | undefined;
  /** Rounds in a row in which all attempts failed, and the end of the pause that follows from them. */
  failures: number;
  pausedUntilMs: number;
};

const idleChannel = { underWay: 0, isWoken: false, failures: 0, pausedUntilMs: 0, round: undefined, timer: undefined };

/** Answers that arrive together are stored together. */
const gatherMs = 5;
/** The pause after a failure of the database. */
const retryMs = 1000;
/** After a failed round an endpoint pauses, twice as long each time, since many deliveries may be due to it. */
const pauseMinMs = 250;
const pauseMaxMs = 10_000;
/** The job queue looks for delayed jobs every five seconds; anything due sooner has a timer besides its job. */
const timedMs = 60_000;

/** Creates the deliverer. Nothing runs before the first job. */
export function createDeliverer({ db, sender, log, isMailConfigured }: DelivererOptions): Deliverer {
  const limiter = createRequestLimiter();
  const channels = new Map<number, Channel>();
  /** Endpoints with due deliveries that the limiter did not admit, and their organizations. */
  const waiting = new Map<number, number>();
  const timers = new Map<number, NodeJS.Timeout>();
  const requests = new Set<Promise<void>>();
  const stopping = new AbortController();
  let isStopping = false;
  let delivered = 0;
  let failedAttempts = 0;

  function channelOf(endpointId: number): Channel {
    const channel = channels.get(endpointId) ?? { ...idleChannel, finished: [] };
    channels.set(endpointId, channel);
    return channel;
  }

  /** Resolves once all due deliveries have been started. Rejects if the database fails. */
  async function wake(endpointId: number): Promise<void> {
    const channel = channelOf(endpointId);
    channel.isWoken = true;
    await channel.round?.catch(() => {});
    if (pauseMsOf(channel) > 0) schedule(endpointId, channel, pauseMsOf(channel));
    else await run(endpointId, channel);
  }

  function run(endpointId: number, channel: Channel): Promise<void> {
    clearTimeout(channel.timer);
    channel.timer = undefined;
    channel.round ??= round(endpointId, channel).finally(() => {
      channel.round = undefined;
      if (channel.finished.length > 0 || channel.isWoken) schedule(endpointId, channel, gatherMs);
      else if (channel.underWay === 0) channels.delete(endpointId);
    });
    return channel.round;
  }

  function schedule(endpointId: number, channel: Channel, afterMs: number): void {
    channel.timer ??= setTimeout(() => {
      run(endpointId, channel).catch((error: unknown) =>
        log.warn({ err: error, endpointId }, 'deliveries could not be stored; trying again'),
      );
    }, afterMs).unref();
  }

  async function round(endpointId: number, channel: Channel): Promise<void> {
    const finished = channel.finished.splice(0);
    channel.isWoken = false;
    const admission = { orgId: 0, taken: 0 };
    const admit: RoundOptions['admit'] = ({ orgId, wanted, isFailing }) => {
      if (finished.length > 0) pause(channel, isFailing);
      const isClosed = isStopping || pauseMsOf(channel) > 0;
      admission.orgId = orgId;
      admission.taken = isClosed ? 0 : limiter.take(orgId, { wanted, underWay: channel.underWay });
      return admission.taken;
    };
    let outcome: Round;
    try {
      outcome = await runRound({ db, isMailConfigured, endpointId, finished, admit });
    } catch (error) {
      limiter.release(admission.orgId, admission.taken);
      channel.finished.unshift(...finished);
      channel.isWoken = true;
      schedule(endpointId, channel, retryMs);
      throw error;
    }
    limiter.release(admission.orgId, admission.taken - outcome.deliveries.length);
    begin(endpointId, channel, outcome);
    if (pauseMsOf(channel) > 0) {
      channel.isWoken = true;
      schedule(endpointId, channel, pauseMsOf(channel));
    } else if (outcome.isLimited) waiting.set(endpointId, admission.orgId);
    else if (outcome.nextDueMs !== undefined && !isStopping) await prepareNext(endpointId, outcome.nextDueMs);
    if (outcome.endpoint?.is_log_full) await trimLog(db, outcome.endpoint.org_id);
  }

  function begin(endpointId: number, channel: Channel, { endpoint, deliveries }: Round): void {
    if (!endpoint) return;
    for (const delivery of deliveries) {
      channel.underWay += 1;
      const request = send(endpoint, delivery).then((finished) => {
        requests.delete(request);
        channel.underWay -= 1;
        channel.finished.push(finished);
        limiter.release(endpoint.org_id, 1);
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

  /** Gives a released request to an endpoint that may use it. */
  function wakeWaiting(): void {
    for (const [endpointId, orgId] of waiting) {
      if (!limiter.hasFree(orgId)) continue;
      waiting.delete(endpointId);
      const channel = channelOf(endpointId);
      channel.isWoken = true;
      schedule(endpointId, channel, 0);
      return;
    }
  }

  /** Schedules the next attempt, by a timer in this process and by a job in case the process ends. */
  async function prepareNext(endpointId: number, dueMs: number): Promise<void> {
    // A separate job, so that it does not delay deliveries that are due now.
    const job = wakeJob(endpointId);
    await addJobs(db, [{ ...job, key: `${job.key}:later`, runAtMs: dueMs }]);
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
      const abortTimer = setTimeout(() => stopping.abort(), finishMs).unref();
      while (requests.size > 0) await Promise.all(requests);
      clearTimeout(abortTimer);
      const left = [...channels].map(async ([endpointId, channel]) => {
        await channel.round?.catch(() => {});
        if (channel.finished.length > 0) await run(endpointId, channel);
        clearTimeout(channel.timer);
      });
      const outcomes = await Promise.allSettled(left);
      const failed = outcomes.find((outcome) => outcome.status === 'rejected');
      if (failed) log.warn({ err: failed.reason }, 'deliveries could not be stored; others will repeat them');
      for (const { timer } of channels.values()) clearTimeout(timer);
    },
    stats: () => ({ underWay: limiter.underWay(), delivered, failedAttempts }),
  };
}

/** Starts the pause of an endpoint whose attempts have all failed; ends it once one succeeds. */
function pause(channel: Channel, isFailing: boolean): void {
  channel.failures = isFailing ? channel.failures + 1 : 0;
  channel.pausedUntilMs = isFailing ? Date.now() + Math.min(pauseMaxMs, pauseMinMs * 2 ** (channel.failures - 1)) : 0;
}

function pauseMsOf({ pausedUntilMs }: Channel): number {
  return Math.max(0, pausedUntilMs - Date.now());
}

/** Adds jobs for endpoints with due deliveries but without a job, for example after a process died. */
export async function wakeDueEndpoints(db: Database): Promise<void> {
  const endpoints = await findDueEndpoints(db);
  await addJobs(db, endpoints.map(wakeJob));
}
