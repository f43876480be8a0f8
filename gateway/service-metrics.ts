import type { Core } from '../server/index.js';
import type { Metrics } from './metrics.js';

/** The broker's statistics, if this process has one. */
export type BrokerStats = {
  connections: number;
  messagesUnderWay: number;
  droppedMessages: number;
  strayMessages?: number;
};

type Sources = {
  overdueExchanges: Core['overdueExchanges'];
  clockJumps: Core['clockJumps'];
  ingestion: Core['ingestion'];
  liveStats: Core['liveStats'];
  queueStats: Core['queueStats'];
  jobStats: Core['jobStats'];
  brokerStats: (() => BrokerStats | undefined) | undefined;
};

/** Publishes the statistics of ingestion, live views and the broker as metrics. */
export function publishServiceMetrics(
  metrics: Metrics,
  { ingestion, liveStats, queueStats, jobStats, overdueExchanges, clockJumps, brokerStats }: Sources,
): void {
  const ingested = {
    messages: ['Messages of readers that were stored', 'messages'],
    reads: ['Reads in them', 'reads'],
    events: ['Scan events stored', 'events'],
    thinned_reads: ['Reads dropped by deduplication', 'deduplicatedReads'],
    weak_reads: ['Reads below the RSSI threshold of their antenna', 'weakReads'],
    unknown_reads: ['Reads of tags that are not attached to an asset or a location', 'unknownReads'],
    rejected_messages: ['Messages that could not be parsed', 'rejectedMessages'],
    batches: ['Batches stored', 'batches'],
    retries: ['Batches that had to be stored again', 'retries'],
  } as const;
  for (const [name, [help, key]] of Object.entries(ingested)) {
    metrics.total({ name: `whereabouts_ingest_${name}_total`, help }, () => ingestion.stats()[key]);
  }
  metrics.gauge(
    { name: 'whereabouts_ingest_waiting_messages', help: 'Messages not stored yet' },
    () => ingestion.stats().waitingMessages,
  );
  metrics.gauge(
    { name: 'whereabouts_requests_on_connections', help: 'Statements of requests that have a database connection' },
    () => queueStats().running,
  );
  metrics.gauge(
    { name: 'whereabouts_requests_waiting', help: 'Statements of requests that wait for a database connection' },
    () => queueStats().waiting,
  );
  metrics.total(
    {
      name: 'whereabouts_requests_refused_total',
      help: 'Statements of requests that waited too long and were refused',
    },
    () => queueStats().rejected,
  );
  metrics.gauge({ name: 'whereabouts_live_streams', help: 'Live streams open' }, () => liveStats().streams);
  metrics.gauge(
    { name: 'whereabouts_live_organizations', help: 'Organizations with open live streams' },
    () => liveStats().organizations,
  );
  metrics.gauge(
    {
      name: 'whereabouts_live_listening',
      help: '1 while notifications of changed positions are received from the database',
    },
    () => liveStats().listening,
  );
  metrics.total(
    {
      name: 'whereabouts_live_overflows_total',
      help: 'Times a live stream was too slow and had to load everything again',
    },
    () => liveStats().overflows,
  );
  publishJobMetrics(metrics, jobStats);
  metrics.gauge(
    {
      name: 'whereabouts_overdue_exchanges',
      help: 'Exchanges with webhook receivers and other services under way for longer than 60 seconds',
    },
    overdueExchanges,
  );
  metrics.total(
    { name: 'whereabouts_clock_jumps_total', help: 'Times the clock of the system was put forward or back' },
    clockJumps,
  );
  if (!brokerStats) return;
  metrics.gauge(
    {
      name: 'whereabouts_broker_connections',
      help: 'Readers connected; of an external broker 1 while it is connected',
    },
    () => brokerStats()?.connections ?? 0,
  );
  metrics.gauge(
    { name: 'whereabouts_broker_messages_under_way', help: 'Messages received and not acknowledged yet' },
    () => brokerStats()?.messagesUnderWay ?? 0,
  );
  metrics.total(
    {
      name: 'whereabouts_broker_dropped_messages_total',
      help: 'QoS 0 messages dropped because a memory limit was reached',
    },
    () => brokerStats()?.droppedMessages ?? 0,
  );
  metrics.total(
    {
      name: 'whereabouts_broker_stray_messages_total',
      help: 'Messages of an external broker that belong to no reader',
    },
    () => brokerStats()?.strayMessages ?? 0,
  );
}

/**
 * Publishes metrics of jobs. Waiting jobs and deliveries are counted for all processes together; failed and sent ones are
 * of this process.
 */
function publishJobMetrics(metrics: Metrics, jobStats: Core['jobStats']): void {
  const gauges = {
    jobs_waiting: ['Jobs that are due and not done, of all processes', () => jobStats().waiting],
    jobs_oldest_seconds: ['Age of the job that has been due for longest', () => jobStats().oldestSeconds],
    jobs_given_up: ['Jobs that failed for good, kept for a week', () => jobStats().failed],
    events_waiting: ['Events not turned into alerts and deliveries yet', () => jobStats().waitingEvents],
    webhook_deliveries_pending: ['Webhook deliveries not done, of all processes', () => jobStats().pendingDeliveries],
    webhook_pending_bytes: ['Bytes of the webhook deliveries not done', () => jobStats().pendingDeliveryBytes],
    webhook_requests_under_way: ['Requests to webhook endpoints under way', () => jobStats().deliveries.underWay],
  } as const;
  for (const [name, [help, read]] of Object.entries(gauges)) metrics.gauge({ name: `whereabouts_${name}`, help }, read);
  const totals = {
    jobs_failed: ['Failures of jobs in this process', () => jobStats().errors],
    webhook_deliveries: ['Webhook deliveries that were accepted', () => jobStats().deliveries.delivered],
    webhook_failed_attempts: ['Webhook requests that failed', () => jobStats().deliveries.failedAttempts],
  } as const;
  for (const [name, [help, read]] of Object.entries(totals)) {
    metrics.total({ name: `whereabouts_${name}_total`, help }, read);
  }
}
