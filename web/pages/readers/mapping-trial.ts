import { t } from '@lingui/core/macro';
import type { ReaderValues } from './reader-form.js';

const shownMax = 5;

type Found = Record<string, string>;

/** Returns what the paths find in a message, of the first few items; or why they find nothing. */
export function findings(message: string, mapping: ReaderValues['mapping']): Found[] | string {
  const root = parse(message);
  if (root === undefined) return t`This message is not JSON.`;
  const roots = Array.isArray(root) ? (root as unknown[]) : [root];
  const items = roots.flatMap((one) => (mapping.list === '' ? [one] : listOf(at(one, mapping.list))));
  if (items.length === 0) return t`Nothing found at ${mapping.list}.`;
  const found = items.slice(0, shownMax).map((item) => partsOf(item, mapping));
  return found.some(({ tag }) => tag !== 'nothing') ? found : t`Nothing found at ${mapping.value}.`;
}

function partsOf(item: unknown, { value, antenna, rssi, time }: ReaderValues['mapping']): Found {
  return {
    tag: shown(at(item, value)),
    ...(antenna !== '' && { antenna: shown(at(item, antenna)) }),
    ...(rssi !== '' && { rssi: shown(at(item, rssi)) }),
    ...(time !== '' && { time: shown(at(item, time)) }),
  };
}

function parse(message: string): unknown {
  try {
    return JSON.parse(message) as unknown;
  } catch {
    return undefined;
  }
}

function listOf(value: unknown): unknown[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
}

function at(root: unknown, path: string): unknown {
  let value = root;
  for (const key of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}

function shown(value: unknown): string {
  if (value === undefined || value === null) return t`nothing`;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
