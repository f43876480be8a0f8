import type { Growth } from './growth.js';
import type { Figures, Measured } from './measure.js';

const POST_GROWTH_MAX = 1.5;
const RESIDENT_MEGABYTES_MAX = 300;
const MEGABYTE = 1024 * 1024;

const columns = [
  'operation',
  'requests/s',
  'yardstick',
  'ratio',
  'p50 ms',
  'p99 ms',
  'CPU ms',
  'yardstick',
  'database CPU ms',
  'yardstick',
  'target',
] as const;

/** Everything measured, as a Markdown table and a line for each other target. */
export function report(results: {
  measured: readonly Measured[];
  growth: Growth | undefined;
  resident: { now: number; peak: number } | undefined;
}): string {
  const lines = [table(results.measured)];
  const { growth, resident } = results;
  if (growth) {
    const { smallMs, largeMs, ratio } = growth;
    const verdict = told(ratio <= POST_GROWTH_MAX, `≤ ${POST_GROWTH_MAX}`);
    lines.push(
      `POST without a key: ${smallMs.toFixed(2)} ms at 100 live assets, ${largeMs.toFixed(2)} ms at all of them, ratio ${ratio.toFixed(2)}: ${verdict}`,
    );
  }
  if (resident) {
    const now = resident.now / MEGABYTE;
    const verdict = told(now < RESIDENT_MEGABYTES_MAX, `< ${RESIDENT_MEGABYTES_MAX} MB`);
    lines.push(
      `Memory of the service: ${now.toFixed(0)} MB resident now, ${(resident.peak / MEGABYTE).toFixed(0)} MB at most: ${verdict}`,
    );
  }
  return lines.join('\n\n');
}

function table(measured: readonly Measured[]): string {
  const rows = [[...columns], ...measured.map(rowOf)];
  const widths = columns.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0))).join(' | ')} |`;
  const [head = [], ...body] = rows;
  const rule = `|${widths.map((width, column) => `${'-'.repeat(width + 1)}${column === 0 ? '-' : ':'}`).join('|')}|`;
  return [line(head), rule, ...body.map(line)].join('\n');
}

function rowOf({ operation, service, yardstick, ratio }: Measured): string[] {
  return [
    operation.name,
    service.rate.toFixed(0),
    yardstick.rate.toFixed(0),
    ratio.toFixed(2),
    service.p50Ms.toFixed(1),
    service.p99Ms.toFixed(1),
    processorText(service.ownMs),
    processorText(yardstick.ownMs),
    processorText(service.databaseMs),
    processorText(yardstick.databaseMs),
    verdictOf(operation.targets, service, ratio),
  ];
}

function processorText(ms: number | undefined): string {
  return ms === undefined ? '' : ms.toFixed(3);
}

function verdictOf(targets: Measured['operation']['targets'], { p99Ms }: Figures, ratio: number): string {
  const { ratioMin, p99MsMax } = targets;
  return [
    ...(ratioMin === undefined ? [] : [told(ratio >= ratioMin, `ratio ≥ ${ratioMin}`)]),
    ...(p99MsMax === undefined ? [] : [told(p99Ms < p99MsMax, `p99 < ${p99MsMax} ms`)]),
  ].join(', ');
}

function told(reached: boolean, target: string): string {
  return `${target} ${reached ? 'reached' : 'MISSED'}`;
}
