import type { ReaderFormat } from '../../server/index.js';
import type { FormatInput } from './format.js';
import { formats } from './index.js';

/**
 * Formats that can be recognized from a message alone; the last three in this order, as each has a field that the next
 * ones lack.
 */
const candidates = [
  'native',
  'csl_cs463',
  'zebra_iotc',
  'impinj_iot',
  'smartreader',
  'gl_s10',
  'moko_mk107',
  'minew_g1',
  'theengs',
  'ruuvi',
] as const satisfies readonly ReaderFormat[];

/** Returns the format that finds reads in a message, whatever its reader is set to; undefined if there is none. */
export function recognizeFormat(input: FormatInput): ReaderFormat | undefined {
  const onReadsTopic = { ...input, onReadsTopic: true };
  const findsReads = (format: ReaderFormat) => formats[format](onReadsTopic).kind === 'reads';
  return findsReads('auto') ? candidates.find(findsReads) : undefined;
}
