import type { Core } from '../server/index.js';
import type { Metrics } from './metrics.js';

/** The broker's statistics, if this process has one. */
export type BrokerStats = {
  connections: number;
  messagesUnderWay: number;
  droppedMessages: number;
  strayMessages?: number;
};

type Sources = Pick<Core, 'ingestion' | 'queueStats' | 'liveStats' | 'jobStats' | 'overdueExchanges'> & {
  brokerStats: (() => BrokerStats | undefined) | undefined;
};

/** The help of each metric and its value, by its name without the prefix. */
type Readings = Readonly<Record<string, readonly [help: string, read: () => number]>>;

/**
 * Publishes the statistics of ingestion, requests, live views, jobs and the broker as metrics. Waiting jobs and deliveries
 * are counted for all processes together; all others are of this process.
 */
export function publishServiceMetrics(metrics: Metrics, sources: Sources): void {
  const { ingestion, queueStats, liveStats, jobStats, overdueExchanges, brokerStats } = sources;
  publish(metrics, {
    gauges: {
      ingest_waiting_messages: ['Messages not stored yet', () => ingestion.stats().waitingMessages],
      requests_on_connections: ['Statements of requests that have a database connection', () => queueStats().running],
      requests_waiting: ['Statements of requests that wait for a database connection', () => queueStats().waiting],
      live_streams: ['Live streams open', () => liveStats().streams],
      live_organizations: ['Organizations with open live streams', () => liveStats().organizations],
      live_listening: [
        '1 while notifications of changed positions are received from the database',
        () => liveStats().listening,
      ],
      jobs_waiting: ['Jobs that are due and not done, of all processes', () => jobStats().waiting],
      jobs_oldest_seconds: ['Age of the job that has been due for longest', () => jobStats().oldestSeconds],
      jobs_given_up: ['Jobs that failed for good, kept for a week', () => jobStats().failed],
      events_waiting: ['Events not turned into alerts and deliveries yet', () => jobStats().waitingEvents],
      webhook_deliveries_pending: ['Webhook deliveries not done, of all processes', () => jobStats().pendingDeliveries],
      webhook_pending_bytes: ['Bytes of the webhook deliveries not done', () => jobStats().pendingDeliveryBytes],
      webhook_requests_under_way: ['Requests to webhook endpoints under way', () => jobStats().deliveries.underWay],
      overdue_exchanges: [
        'Exchanges with webhook receivers and other services under way for longer than 60 seconds',
        overdueExchanges,
      ],
    },
    totals: {
      ingest_messages: ['Messages of readers that were stored', () => ingestion.stats().messages],
      ingest_reads: ['Reads in them', () => ingestion.stats().reads],
      ingest_events: ['Scan events stored', () => ingestion.stats().events],
      ingest_thinned_reads: ['Reads dropped by deduplication', () => ingestion.stats().deduplicatedReads],
      ingest_weak_reads: ['Reads below the RSSI threshold of their antenna', () => ingestion.stats().weakReads],
      ingest_unknown_reads: [
        'Reads of tags that are not attached to an asset or a location',
        () => ingestion.stats().unknownReads,
      ],
      ingest_rejected_messages: ['Messages that could not be parsed', () => ingestion.stats().rejectedMessages],
      ingest_batches: ['Batches stored', () => ingestion.stats().batches],
      ingest_retries: ['Batches that had to be stored again', () => ingestion.stats().retries],
      requests_refused: ['Statements of requests that waited too long and were refused', () => queueStats().rejected],
      live_overflows: [
        'Times a live stream was too slow and had to load everything again',
        () => liveStats().overflows,
      ],
      jobs_failed: ['Failures of jobs in this process', () => jobStats().errors],
      webhook_deliveries: ['Webhook deliveries that were accepted', () => jobStats().deliveries.delivered],
      webhook_failed_attempts: ['Webhook requests that failed', () => jobStats().deliveries.failedAttempts],
    },
  });
  if (!brokerStats) return;
  publish(metrics, {
    gauges: {
      broker_connections: [
        'Readers connected; of an external broker 1 while it is connected',
        () => brokerStats()?.connections ?? 0,
      ],
      broker_messages_under_way: [
        'Messages received and not acknowledged yet',
        () => brokerStats()?.messagesUnderWay ?? 0,
      ],
    },
    totals: {
      broker_dropped_messages: [
        'QoS 0 messages dropped because a memory limit was reached',
        () => brokerStats()?.droppedMessages ?? 0,
      ],
      broker_stray_messages: [
        'Messages of an external broker that belong to no reader',
        () => brokerStats()?.strayMessages ?? 0,
      ],
    },
  });
}

function publish(metrics: Metrics, { gauges, totals }: { gauges: Readings; totals: Readings }): void {
  for (const [name, [help, read]] of Object.entries(gauges)) metrics.gauge({ name: `whereabouts_${name}`, help }, read);
  for (const [name, [help, read]] of Object.entries(totals)) {
    metrics.total({ name: `whereabouts_${name}_total`, help }, read);
  }
}
