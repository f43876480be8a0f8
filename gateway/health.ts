import type { Core, Log, Settings, SharedRedis } from '../server/index.js';
import { createMetrics, type Metrics } from './metrics.js';
import { createProbes, type Handler } from './probes.js';
import { type BrokerStats, publishServiceMetrics } from './service-metrics.js';

export type HealthOptions = {
  core: Core;
  settings: Pick<Settings, 'role' | 'metricsPort' | 'metricsToken'>;
  log: Log;
  /** Missing if this is the only process. */
  redis?: SharedRedis | undefined;
  probes: {
    brokerListening(): boolean;
    brokerStats?: () => BrokerStats | undefined;
    /** Whether the disk of the embedded database has little space left; undefined if the database is elsewhere. */
    isDiskLow?: (() => boolean) | undefined;
  };
};

/** Health and metrics of one process, with the handlers of the ports that show them. */
export type Health = {
  readonly metrics: Metrics;
  /** Handlers of the main port by path: `/healthz`, `/servez`, `/readyz`, and `/metrics` where it has no port of its own. */
  readonly handlers: ReadonlyMap<string, Handler>;
  /** Handlers of the port that only has `/metrics`. */
  readonly metricsHandlers: ReadonlyMap<string, Handler>;
  /** Makes `/readyz` and `/servez` report that the process stops, and each response end its connection. */
  beginDraining(): void;
  isDraining(): boolean;
};

const probeTimeoutMs = 2000;

/**
 * Creates the health checks and metrics of a process, whatever entry points it has. Call this once for each process.
 */
export function createHealth({ core, settings, log, redis, probes }: HealthOptions): Health {
  const { role, metricsPort, metricsToken } = settings;
  let isDraining = false;
  const metrics = createMetrics({ processMetrics: true });
  publishServiceMetrics(metrics, { ...core, brokerStats: probes.brokerStats });
  if (redis) {
    metrics.gauge({ name: 'whereabouts_redis_up', help: '1 while Redis is there' }, () =>
      redis.isUnavailable() ? 0 : 1,
    );
  }
  const answers = createProbes({
    checks: {
      database: core.checkDatabase,
      broker: failingIf(() => !probes.brokerListening(), 'the broker is not listening'),
    },
    dispensable: {
      ...(redis && { redis: failingIf(() => redis.isUnavailable(), 'Redis is unavailable') }),
      ...(probes.isDiskLow && { disk: failingIf(probes.isDiskLow, 'less than 5 % of the disk is free') }),
    },
    timeoutMs: probeTimeoutMs,
    metrics,
    role,
    metricsToken,
    isDraining: () => isDraining,
    onFailure: (check, error) => log.warn({ err: error, check }, 'not ready'),
  });
  const handlers = new Map(Object.entries(answers).map(([name, handler]) => [`/${name}`, handler]));
  if (metricsPort !== undefined) handlers.delete('/metrics');
  return {
    metrics,
    handlers,
    metricsHandlers: new Map([['/metrics', answers.metrics]]),
    beginDraining() {
      isDraining = true;
    },
    isDraining: () => isDraining,
  };
}

/** Returns a check that fails while `isSo` returns true. */
function failingIf(isSo: () => boolean, why: string) {
  return async () => {
    if (isSo()) throw new Error(why);
  };
}
