import { markdownTable } from '../markdown-table.js';
import type { BatchFigures } from './batch-insert.js';
import type { Measured } from './measure.js';

const LOAD_COLUMNS = [
  'load',
  'reads/s stored',
  'ack p50 ms',
  'ack p99 ms',
  'ack max ms',
  'service CPU ms',
  'database CPU ms',
  'readers CPU ms',
  'reads dropped',
];

/** CPU times are of 10,000 reads. */
export function loadTable(rows: readonly { name: string; qos: 0 | 1; measured: Measured }[]): string {
  return markdownTable(
    LOAD_COLUMNS,
    rows.map(({ name, qos, measured: { rate, ack, processor, droppedReads } }) => [
      name,
      rate.toFixed(0),
      ...[ack.p50Ms, ack.p99Ms, ack.maxMs].map((ms) => (qos === 1 ? ms.toFixed(1) : '')),
      ...[processor.service, processor.database, processor.readers].map(wholeMs),
      qos === 1 ? '' : droppedReads.toFixed(0),
    ]),
  );
}

const YARDSTICK_COLUMNS = ['yardstick', 'rows/s', 'client CPU ms', 'database CPU ms'];

export interface YardstickRow {
  readonly name: string;
  readonly figures: BatchFigures;
}

/** CPU times are of 10,000 rows. */
export function yardstickTable(rows: readonly YardstickRow[]): string {
  return markdownTable(
    YARDSTICK_COLUMNS,
    rows.map(({ name, figures: { rate, clientMs, databaseMs } }) => [
      name,
      rate.toFixed(0),
      wholeMs(clientMs),
      wholeMs(databaseMs),
    ]),
  );
}

function wholeMs(ms: number | undefined): string {
  return ms === undefined ? '' : ms.toFixed(0);
}
