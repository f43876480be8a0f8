import { plural } from '@lingui/core/macro';
import { formats } from './formats.js';

const sizes = [
  ['GB', 1e9],
  ['MB', 1e6],
  ['kB', 1e3],
] as const;

/** Returns a size in bytes, in a suitable unit: `812 bytes`, `3.4 MB`. */
export function dataSize(bytes: number): string {
  const [unit, least] = sizes.find(([, size]) => bytes >= size) ?? [];
  return unit ? `${formats().number.format(Math.round((10 * bytes) / least) / 10)} ${unit}` : quantity(bytes, 'byte');
}

/** Returns a number in the person's format: `12,345`. */
export function numberText(n: number): string {
  return formats().number.format(n);
}

/** The nouns that the app counts. Each has its own text, since languages form plurals differently. */
const countTexts = {
  alert: (count: number, number: string) => plural(count, { one: `${number} alert`, other: `${number} alerts` }),
  antenna: (count: number, number: string) => plural(count, { one: `${number} antenna`, other: `${number} antennas` }),
  asset: (count: number, number: string) => plural(count, { one: `${number} asset`, other: `${number} assets` }),
  attempt: (count: number, number: string) => plural(count, { one: `${number} attempt`, other: `${number} attempts` }),
  byte: (count: number, number: string) => plural(count, { one: `${number} byte`, other: `${number} bytes` }),
  change: (count: number, number: string) => plural(count, { one: `${number} change`, other: `${number} changes` }),
  day: (count: number, number: string) => plural(count, { one: `${number} day`, other: `${number} days` }),
  email: (count: number, number: string) => plural(count, { one: `${number} email`, other: `${number} emails` }),
  event: (count: number, number: string) => plural(count, { one: `${number} event`, other: `${number} events` }),
  item: (count: number, number: string) => plural(count, { one: `${number} item`, other: `${number} items` }),
  label: (count: number, number: string) => plural(count, { one: `${number} label`, other: `${number} labels` }),
  line: (count: number, number: string) => plural(count, { one: `${number} line`, other: `${number} lines` }),
  location: (count: number, number: string) =>
    plural(count, { one: `${number} location`, other: `${number} locations` }),
  problem: (count: number, number: string) => plural(count, { one: `${number} problem`, other: `${number} problems` }),
  read: (count: number, number: string) => plural(count, { one: `${number} read`, other: `${number} reads` }),
  reader: (count: number, number: string) => plural(count, { one: `${number} reader`, other: `${number} readers` }),
  row: (count: number, number: string) => plural(count, { one: `${number} row`, other: `${number} rows` }),
  scan: (count: number, number: string) => plural(count, { one: `${number} scan`, other: `${number} scans` }),
  tag: (count: number, number: string) => plural(count, { one: `${number} tag`, other: `${number} tags` }),
  time: (count: number, number: string) => plural(count, { one: `${number} time`, other: `${number} times` }),
  value: (count: number, number: string) => plural(count, { one: `${number} value`, other: `${number} values` }),
  visit: (count: number, number: string) => plural(count, { one: `${number} visit`, other: `${number} visits` }),
  warning: (count: number, number: string) => plural(count, { one: `${number} warning`, other: `${number} warnings` }),
  webhook: (count: number, number: string) => plural(count, { one: `${number} webhook`, other: `${number} webhooks` }),
  'new alert': (count: number, number: string) =>
    plural(count, { one: `${number} new alert`, other: `${number} new alerts` }),
  'new move': (count: number, number: string) =>
    plural(count, { one: `${number} new move`, other: `${number} new moves` }),
  'rejected message': (count: number, number: string) =>
    plural(count, { one: `${number} rejected message`, other: `${number} rejected messages` }),
  'silent reader': (count: number, number: string) =>
    plural(count, { one: `${number} silent reader`, other: `${number} silent readers` }),
  'unknown tag': (count: number, number: string) =>
    plural(count, { one: `${number} unknown tag`, other: `${number} unknown tags` }),
  'unrecognized message': (count: number, number: string) =>
    plural(count, { one: `${number} unrecognized message`, other: `${number} unrecognized messages` }),
  'more location': (count: number, number: string) =>
    plural(count, { one: `${number} more location`, other: `${number} more locations` }),
  'other location': (count: number, number: string) =>
    plural(count, { one: `${number} other location`, other: `${number} other locations` }),
  member: (count: number, number: string) => plural(count, { one: `${number} member`, other: `${number} members` }),
  invitation: (count: number, number: string) =>
    plural(count, { one: `${number} invitation`, other: `${number} invitations` }),
  key: (count: number, number: string) => plural(count, { one: `${number} key`, other: `${number} keys` }),
  message: (count: number, number: string) => plural(count, { one: `${number} message`, other: `${number} messages` }),
  sheet: (count: number, number: string) => plural(count, { one: `${number} sheet`, other: `${number} sheets` }),
  audit: (count: number, number: string) => plural(count, { one: `${number} audit`, other: `${number} audits` }),
} as const;

export type Counted = keyof typeof countTexts;

/** Returns a number of things: `1 asset`, `12,345 assets`. */
export function quantity(n: number, counted: Counted): string {
  return countTexts[counted](n, numberText(n));
}
