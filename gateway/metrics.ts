import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** From an answer from memory to the longest time that a client may wait. */
const durationBucketsSeconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** An answered request. Every value must come from a small fixed set, since each combination is kept. */
export type AnsweredRequest = {
  /** The operation id of the route, never the path. */
  operation: string;
  method: string;
  status: number;
  durationMs: number;
};

/** The name of a metric, and its labels. */
export type MetricOptions<Label extends string> = { name: string; help: string; labels?: readonly Label[] };

export type Labels<Label extends string> = Readonly<Partial<Record<Label, string | number>>>;

export type LabeledValue<Label extends string> = { labels: Labels<Label>; value: number };

/**
 * The metrics of one process, in their own registry. The metrics of the server and the broker are created here too, and
 * `service.ts` passes them on, so that server and broker do not depend on the gateway.
 */
export type Metrics = {
  observeRequest(request: AnsweredRequest): void;
  /** Adds a counter that is kept elsewhere, and read at each scrape. */
  total(options: MetricOptions<never>, read: () => number): void;
  /** Adds a gauge that is read at each scrape. */
  gauge(options: MetricOptions<never>, read: () => number): void;
  /** Adds a gauge with one value for each combination of its labels, which are read at each scrape. */
  gauges<Label extends string>(options: MetricOptions<Label>, read: () => Promise<LabeledValue<Label>[]>): void;
  /** Returns the page in Prometheus' text format with its content type. */
  page(): Promise<{ contentType: string; body: string }>;
};

let processRegistry: Registry | undefined;

/**
 * Returns the only registry of the process's own metrics. `prom-client` observes garbage collection until the process
 * ends, and keeps the registry and everything that its gauges read. So this registry must not be the registry of a
 * service.
 */
function registryOfProcess(): Registry {
  if (!processRegistry) {
    processRegistry = new Registry();
    collectDefaultMetrics({ register: processRegistry });
  }
  return processRegistry;
}

/** @param options.processMetrics also reports the process's processor time, memory, event loop and garbage collection */
export function createMetrics(options: { processMetrics: boolean }): Metrics {
  const registry = new Registry();
  const published = options.processMetrics ? [registryOfProcess(), registry] : [registry];
  const registers = [registry];
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the arrival of a request to the end of its answer',
    labelNames: ['operation', 'method', 'status'] as const,
    buckets: durationBucketsSeconds,
    registers,
  });

  return {
    observeRequest({ operation, method, status, durationMs }) {
      durations.observe({ operation, method, status }, durationMs / 1000);
    },
    total({ name, help }, read) {
      new Counter({
        name,
        help,
        registers,
        collect() {
          this.reset();
          this.inc(read());
        },
      });
    },
    gauge({ name, help }, read) {
      new Gauge({
        name,
        help,
        registers,
        collect() {
          this.set(read());
        },
      });
    },
    gauges<Label extends string>(
      { name, help, labels = [] }: MetricOptions<Label>,
      read: () => Promise<LabeledValue<Label>[]>,
    ) {
      new Gauge<Label>({
        name,
        help,
        labelNames: labels,
        registers,
        async collect() {
          const values = await read();
          this.reset();
          for (const { labels: of, value } of values) this.set(of, value);
        },
      });
    },
    async page() {
      const bodies = await Promise.all(published.map(async (each) => each.metrics()));
      return { contentType: registry.contentType, body: bodies.join('\n') };
    },
  };
}
