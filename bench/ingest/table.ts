import { markdownTable, verdict } from '../markdown-table.js';
import type { GetFigures } from './requests-beside.js';
import type { Measured } from './measure.js';
import type { BaselineFigures } from './twin.js';

const batchRatioMin = 0.42;
const newDatabaseRateMin = 12_000;
const siteMsMax = 500;
const overlappingRatioMin = 0.25;
const oneReaderRateMin = 2000;
const rulesRatioMin = 0.9;
const rowByRowRatioMin = 10;
const ackP99MsMax = 50;
const residentBytesMax = 320 * 1024 * 1024;
const quarterAckP99MsMax = 25;
const getP99MsMax = 40;
const reportP99MsMax = 50;
const megabyte = 1024 * 1024;

/** The results of the measured parts; parts that were left out are absent. */
export type Results = {
  readonly loads: readonly { readonly name: string; readonly qos: 0 | 1; readonly measured: Measured }[];
  readonly baselines: readonly { readonly name: string; readonly figures: BaselineFigures }[];
  readonly gets: readonly { readonly name: string; readonly figures: GetFigures }[];
  readonly targets: {
    /** Compared with the batches over one connection. */
    readonly batchRatio?: number | undefined;
    readonly rowByRowRatio?: number | undefined;
    /** Reads a second on a new database if each read is a move, in the first or in the last period. */
    readonly newDatabaseRate?: number | undefined;
    /** Processor time of service and database for 10,000 reads of parked tags. */
    readonly siteMs?: number | undefined;
    /** The rate if all readers receive the same tags, compared with the batches. */
    readonly overlappingRatio?: number | undefined;
    /** Reads a second of one reader at QoS 1 with one read per message. */
    readonly oneReaderRate?: number | undefined;
    /** Reads stored with ten alert rules, compared with reads stored without rules. */
    readonly rulesRatio?: number | undefined;
    readonly ackP99Ms?: number | undefined;
    readonly quarterAckP99Ms?: number | undefined;
    readonly getP99Ms?: number | undefined;
    /** First pages of the report while 4,000 assets are read every second. */
    readonly reportP99Ms?: number | undefined;
  };
  readonly resident: { readonly now: number; readonly peak: number } | undefined;
};

/**
 * Returns all results, as Markdown tables and a line for each target. Processor times are for 10,000 reads. `others` is
 * the share of the processors that unrelated processes used.
 */
export function ingestReport({ loads, baselines, gets, targets, resident }: Results): string {
  const tables = [
    markdownTable(
      [
        'load',
        'reads/s',
        'events a read',
        'visits a read',
        'ack p50 ms',
        'p99 ms',
        'max ms',
        'service CPU ms',
        'database CPU ms',
        'readers CPU ms',
        'reads dropped',
        'others %',
      ],
      loads.map(({ name, qos, measured }) => [
        name,
        measured.rate.toFixed(0),
        ...[measured.eventShare, measured.visitShare].map((share) => share.toFixed(2)),
        ...[measured.ackP50Ms, measured.ackP99Ms, measured.ackMaxMs].map((ms) => (qos === 1 ? ms.toFixed(1) : '')),
        ...[measured.serviceMs, measured.databaseMs, measured.readersMs].map(wholeMs),
        qos === 1 ? '' : measured.droppedReads.toFixed(0),
        measured.othersShare === undefined ? '' : (measured.othersShare * 100).toFixed(0),
      ]),
    ),
    markdownTable(
      ['baseline', 'rows/s', 'client CPU ms', 'database CPU ms'],
      baselines.map(({ name, figures }) => [
        name,
        figures.rate.toFixed(0),
        wholeMs(figures.clientMs),
        wholeMs(figures.databaseMs),
      ]),
    ),
    markdownTable(
      ['beside ingestion', 'requests/s', 'p50 ms', 'p99 ms'],
      gets.map(({ name, figures }) => [
        name,
        figures.rate.toFixed(0),
        figures.p50Ms.toFixed(1),
        figures.p99Ms.toFixed(1),
      ]),
    ),
  ];
  const filled = [loads, baselines, gets].flatMap((rows, table) => (rows.length > 0 ? [tables[table] ?? ''] : []));
  const memory = resident
    ? [
        `Memory of the service: ${megabytes(resident.now)} resident now, ${megabytes(resident.peak)} at most, ${verdict(resident.peak <= residentBytesMax, `≤ ${megabytes(residentBytesMax)}`)}`,
      ]
    : [];
  return [...filled, [...targetLines(targets), ...memory].join('\n')].join('\n\n');
}

function targetLines(targets: Results['targets']): string[] {
  const { batchRatio, rowByRowRatio, newDatabaseRate, siteMs, overlappingRatio, oneReaderRate, rulesRatio } = targets;
  const { ackP99Ms, quarterAckP99Ms, getP99Ms, reportP99Ms } = targets;
  const atLeast = (what: string, value: number | undefined, min: number) =>
    value === undefined ? [] : [`${what}: ${value.toFixed(2)}, ${verdict(value >= min, `≥ ${min}`)}`];
  const below = (what: string, ms: number | undefined, max: number) =>
    ms === undefined ? [] : [`${what}: p99 ${ms.toFixed(1)} ms, ${verdict(ms < max, `< ${max} ms`)}`];
  return [
    ...atLeast('Reads stored, of the same rows in batches over one connection', batchRatio, batchRatioMin),
    ...atLeast('Reads a second of a new database where each read is a move', newDatabaseRate, newDatabaseRateMin),
    ...(siteMs === undefined
      ? []
      : [
          `Processor time for 10,000 reads of parked tags: ${wholeMs(siteMs)} ms, ${verdict(siteMs <= siteMsMax, `≤ ${siteMsMax} ms`)}`,
        ]),
    ...atLeast('The same where all readers receive the same tags', overlappingRatio, overlappingRatioMin),
    ...atLeast('Reads stored, of those row by row', rowByRowRatio, rowByRowRatioMin),
    ...atLeast('Reads a second of one reader with one read a message', oneReaderRate, oneReaderRateMin),
    ...atLeast('Reads stored with ten alert rules, of those without', rulesRatio, rulesRatioMin),
    ...below('Acknowledgement at that load', ackP99Ms, ackP99MsMax),
    ...below('Acknowledgement at a quarter of it', quarterAckP99Ms, quarterAckP99MsMax),
    ...below('GET asset by id at half of it', getP99Ms, getP99MsMax),
    ...below('First page of the report beside a site', reportP99Ms, reportP99MsMax),
  ];
}

function wholeMs(ms: number | undefined): string {
  return ms === undefined ? '' : ms.toFixed(0);
}

function megabytes(bytes: number): string {
  return `${(bytes / megabyte).toFixed(0)} MB`;
}
