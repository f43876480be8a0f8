import { t } from '@lingui/core/macro';
import { evaluate } from './expressions.js';
import type { ReaderValues } from './reader-form.js';

const shownMax = 5;

type Found = Record<string, string>;

/** Returns what the expressions find in the first few items of a message, or why they find nothing. */
export function findings(message: string, mapping: ReaderValues['mapping'], topic = ''): Found[] | string {
  const root = parse(message) ?? message.trim();
  const roots = Array.isArray(root) && root.every(isObject) ? (root as unknown[]) : [root];
  try {
    const items = roots.flatMap((one) => {
      const at = (expression: string, item: unknown) => evaluate(expression, item, { root: one, topic });
      const list = mapping.list === '' ? [one] : listOf(at(mapping.list, one));
      return list
        .filter((item) => mapping.condition === '' || isTruthy(at(mapping.condition, item)))
        .slice(0, shownMax)
        .map((item) => partsOf(mapping, (expression) => at(expression, item)));
    });
    if (items.length === 0) {
      return mapping.condition === '' ? t`Nothing found at ${mapping.list}.` : t`No read satisfies the condition.`;
    }
    const found = items.slice(0, shownMax);
    return found.some(({ tag }) => tag !== t`nothing`) ? found : t`Nothing found at ${mapping.value}.`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function partsOf({ value, antenna, rssi, time }: ReaderValues['mapping'], at: (expression: string) => unknown): Found {
  return {
    tag: shown(at(value)),
    ...(antenna !== '' && { antenna: shown(at(antenna)) }),
    ...(rssi !== '' && { rssi: shown(at(rssi)) }),
    ...(time !== '' && { time: shown(at(time)) }),
  };
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** As in JMESPath, null, false and empty values are false. */
function isTruthy(value: unknown): boolean {
  if (value === undefined || value === null || value === false || value === '') return false;
  return typeof value !== 'object' || Object.keys(value).length > 0;
}

/** Returns a message parsed as JSON; undefined for any other message. */
export const parsedMessage = parse;

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

function shown(value: unknown): string {
  if (value === undefined || value === null) return t`nothing`;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
