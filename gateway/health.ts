import { type Core, type Log, RedisAwayError, type SharedRedis } from '../server/index.js';
import { createMetrics, type Metrics } from './metrics.js';
import { createProbes, type Probes } from './probes.js';
import { type BrokerStats, publishServiceMetrics } from './service-metrics.js';

export type HealthOptions = {
  core: Core;
  log: Log;
  /** Missing if this is the only process. */
  redis?: SharedRedis | undefined;
  probes: { brokerListening(): boolean; brokerStats?: () => BrokerStats | undefined };
};

const probeTimeoutMs = 2000;

/** Creates health checks and metrics of a process, whatever entry points it runs. Called once for each process. */
export function createHealth({ core, log, redis, probes }: HealthOptions): { metrics: Metrics; health: Probes } {
  const metrics = createMetrics({ processMetrics: true });
  publishServiceMetrics(metrics, {
    ingestion: core.ingestion,
    liveStats: core.liveStats,
    queueStats: core.queueStats,
    jobStats: core.jobStats,
    brokerStats: probes.brokerStats,
  });
  if (redis) {
    metrics.gauge({ name: 'whereabouts_redis_up', help: '1 while Redis is there' }, () => (redis.isAway() ? 0 : 1));
  }
  const health = createProbes({
    checks: { database: core.checkDatabase, broker: brokerCheck(probes) },
    ...(redis && { dispensable: { redis: redisCheck(redis) } }),
    timeoutMs: probeTimeoutMs,
    metrics,
    onFailure: (check, error) => log.warn({ err: error, check }, 'not ready'),
  });
  return { metrics, health };
}

function brokerCheck(probes: HealthOptions['probes']) {
  return async () => {
    if (!probes.brokerListening()) throw new Error('the broker is not listening');
  };
}

function redisCheck(redis: SharedRedis) {
  return async () => {
    if (redis.isAway()) throw new RedisAwayError();
  };
}
