import { markdownTable, verdict } from '../markdown-table.js';
import type { ReceiversReport } from './receivers.js';

const fromReadP95MsMax = 1000;
const deliveriesPerSecondMin = 200;
/** With receivers that do not answer; the usual value is a fraction of it. */
const besideP95MsMax = 1000;

export type LatencyRow = {
  readonly name: string;
  readonly eventsPerSecond: number;
  /** Events that did not arrive. */
  readonly missing?: number;
  readonly report: ReceiversReport;
};

export type ThroughputRow = {
  readonly name: string;
  readonly deliveries: number;
  readonly rate: number;
  /** Processor time of one delivery. */
  readonly serviceMs: number | undefined;
  readonly databaseMs: number | undefined;
};

export type AlertsResults = {
  readonly latencies: readonly LatencyRow[];
  readonly throughput: readonly ThroughputRow[];
  readonly neighbors: readonly LatencyRow[];
};

const latencyColumns = ['p50 ms', 'p95 ms', 'p99 ms', 'max ms'];

function latencyCells({ p50Ms, p95Ms, p99Ms, maxMs }: ReceiversReport): string[] {
  return [p50Ms, p95Ms, p99Ms, maxMs].map((ms) => ms.toFixed(0));
}

/** Everything measured, as Markdown tables and a line for each target. */
export function alertsReport({ latencies, throughput, neighbors }: AlertsResults): string {
  const parts: string[] = [];
  if (latencies.length > 0) {
    parts.push(
      markdownTable(
        ['from the read to the first attempt', 'moves/s', ...latencyColumns],
        latencies.map(({ name, eventsPerSecond, report }) => [
          name,
          eventsPerSecond.toFixed(1),
          ...latencyCells(report),
        ]),
      ),
    );
  }
  if (throughput.length > 0) {
    parts.push(
      markdownTable(
        ['deliveries to', 'deliveries', 'deliveries/s', 'service CPU ms', 'database CPU ms'],
        throughput.map(({ name, deliveries, rate, serviceMs, databaseMs }) => [
          name,
          ...[deliveries, rate].map((number) => number.toFixed(0)),
          ...[serviceMs, databaseMs].map((ms) => ms?.toFixed(2) ?? ''),
        ]),
      ),
    );
  }
  if (neighbors.length > 0) {
    parts.push(
      markdownTable(
        ['a healthy receiver beside', 'events/s', 'missing', ...latencyColumns],
        neighbors.map(({ name, eventsPerSecond, missing = 0, report }) => [
          name,
          eventsPerSecond.toFixed(1),
          String(missing),
          ...latencyCells(report),
        ]),
      ),
    );
  }
  const targets = [
    ...latencies.map(({ report }) => verdict(report.p95Ms < fromReadP95MsMax, `p95 < ${fromReadP95MsMax} ms:`)),
    ...throughput.map(({ name, rate }) =>
      verdict(rate >= deliveriesPerSecondMin, `≥ ${deliveriesPerSecondMin} deliveries/s to ${name}:`),
    ),
    ...(neighbors.length > 0
      ? [
          verdict(
            neighbors.every(({ missing, report }) => missing === 0 && report.p95Ms < besideP95MsMax),
            `nothing missing and p95 < ${besideP95MsMax} ms beside each of them:`,
          ),
        ]
      : []),
  ];
  return [...parts, targets.join('\n')].join('\n\n');
}
