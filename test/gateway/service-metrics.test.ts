import { expect, test } from 'vitest';
import { createMetrics } from '../../gateway/metrics.js';
import { publishServiceMetrics } from '../../gateway/service-metrics.js';

test('what ingestion, live views and the broker count is read anew whenever somebody looks', async () => {
  const stats = {
    messages: 1,
    reads: 10,
    events: 7,
    deduplicatedReads: 3,
    weakReads: 0,
    unknownReads: 0,
    rejectedMessages: 0,
    batches: 1,
    retries: 0,
    waitingMessages: 4,
  };
  const metrics = createMetrics({ processMetrics: false });
  publishServiceMetrics(metrics, {
    ingestion: { stats: () => stats, ingest: () => Promise.resolve() },
    queueStats: () => ({ running: 12, waiting: 13, rejected: 14 }),
    liveStats: () => ({ streams: 9, organizations: 3, listening: 1, overflows: 11 }),
    jobStats: () => ({
      waiting: 15,
      oldestSeconds: 16.5,
      failed: 17,
      waitingEvents: 19,
      errors: 20,
      pendingDeliveries: 18,
      pendingDeliveryBytes: 24,
      deliveries: { underWay: 21, delivered: 22, failedAttempts: 23 },
    }),
    overdueExchanges: () => 25,
    brokerStats: () => ({ connections: 2, messagesUnderWay: 5, droppedMessages: 6, strayMessages: 7 }),
  });

  expect((await metrics.page()).body).toContain('whereabouts_ingest_thinned_reads_total 3\n');
  stats.deduplicatedReads = 8;
  const { body } = await metrics.page();
  expect(body).toContain('whereabouts_ingest_thinned_reads_total 8\n');
  expect(body).toContain('whereabouts_ingest_waiting_messages 4\n');
  expect(body).toContain('whereabouts_live_streams 9\n');
  expect(body).toContain('whereabouts_live_overflows_total 11\n');
  for (const line of [
    'jobs_waiting 15',
    'jobs_oldest_seconds 16.5',
    'jobs_given_up 17',
    'webhook_deliveries_pending 18',
    'webhook_pending_bytes 24',
    'events_waiting 19',
    'jobs_failed_total 20',
    'webhook_requests_under_way 21',
    'webhook_deliveries_total 22',
    'webhook_failed_attempts_total 23',
    'overdue_exchanges 25',
  ]) {
    expect(body).toContain(`whereabouts_${line}\n`);
  }
  expect(body).toContain('whereabouts_broker_dropped_messages_total 6\n');
  expect(body).toContain('whereabouts_broker_stray_messages_total 7\n');
  expect(body).toContain('# TYPE whereabouts_broker_connections gauge');
});
