import type { Growth } from './growth.js';
import { markdownTable, verdict } from './markdown-table.js';
import type { Figures, Measured } from './measure.js';

const postGrowthMax = 1.5;
const residentMegabytesMax = 300;
const megabyte = 1024 * 1024;

const columns = [
  'operation',
  'requests/s',
  'baseline',
  'ratio',
  'p50 ms',
  'p99 ms',
  'CPU ms',
  'baseline',
  'database CPU ms',
  'baseline',
  'target',
] as const;

/** Returns all results, as a Markdown table and a line for each other target. */
export function report(results: {
  measured: readonly Measured[];
  growth: Growth | undefined;
  resident: { now: number; peak: number } | undefined;
}): string {
  const lines = [markdownTable(columns, results.measured.map(rowOf))];
  const { growth, resident } = results;
  if (growth) {
    const { smallMs, largeMs, ratio } = growth;
    const reached = verdict(ratio <= postGrowthMax, `≤ ${postGrowthMax}`);
    lines.push(
      `POST without a key: ${smallMs.toFixed(2)} ms at 100 live assets, ${largeMs.toFixed(2)} ms at all of them, ratio ${ratio.toFixed(2)}: ${reached}`,
    );
  }
  if (resident) {
    const now = resident.now / megabyte;
    const reached = verdict(now < residentMegabytesMax, `< ${residentMegabytesMax} MB`);
    lines.push(
      `Memory of the service: ${now.toFixed(0)} MB resident now, ${(resident.peak / megabyte).toFixed(0)} MB at most: ${reached}`,
    );
  }
  return lines.join('\n\n');
}

function rowOf({ operation, service, baseline, ratio }: Measured): string[] {
  return [
    operation.name,
    service.rate.toFixed(0),
    baseline.rate.toFixed(0),
    ratio.toFixed(2),
    service.p50Ms.toFixed(1),
    service.p99Ms.toFixed(1),
    processorText(service.ownMs),
    processorText(baseline.ownMs),
    processorText(service.databaseMs),
    processorText(baseline.databaseMs),
    verdictOf(operation.targets, service, ratio),
  ];
}

function processorText(ms: number | undefined): string {
  return ms === undefined ? '' : ms.toFixed(3);
}

function verdictOf(targets: Measured['operation']['targets'], { p99Ms }: Figures, ratio: number): string {
  const { ratioMin, p99MsMax } = targets;
  return [
    ...(ratioMin === undefined ? [] : [verdict(ratio >= ratioMin, `ratio ≥ ${ratioMin}`)]),
    ...(p99MsMax === undefined ? [] : [verdict(p99Ms < p99MsMax, `p99 < ${p99MsMax} ms`)]),
  ].join(', ');
}
