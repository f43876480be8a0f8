import type { z } from 'zod';
import { fail, field, isFailed, type Read } from './failure.js';
import {
  checkInteger,
  checkText,
  checkTimestamp,
  idRule,
  idSchema,
  type IntegerRule,
  missing,
  noInteger,
  patternFailure,
  type TextRule,
  textSchema,
  wrongType,
} from './fields.js';

const repeated = fail('repeated');

// Query and path parameters arrive as text from a URL, and as JSON values from the app; both are parsed here.

/** Returns an integer parameter: canonical decimal digits, or a number. */
export function integerParameter(rule: IntegerRule, format?: 'int64'): z.ZodType<number, number> {
  const schema = { type: 'integer', ...(format ? { format } : {}), minimum: rule.min, maximum: rule.max };
  return field<number>(
    once((value) => readInteger(value, rule)),
    schema,
  );
}

/** Returns a surrogate id in a path or a filter: 1 to 2147483647 (contract 1.6). */
export function idParameter(): z.ZodType<number, number> {
  return integerParameter(idRule, 'int64');
}

/** Returns an id filter that may be given more than once. */
export function idsParameter(): z.ZodType<number[], number | number[]> {
  return field<number[], number | number[]>(
    each((value) => readInteger(value, idRule)),
    { type: 'array', items: idSchema },
  );
}

function readInteger(value: unknown, rule: IntegerRule): number | ReturnType<typeof fail> {
  if (typeof value === 'number') return Number.isInteger(value) ? checkInteger(value, rule) : noInteger;
  if (typeof value !== 'string' || !/^(?:0|-?[1-9][0-9]*)$/.test(value)) return noInteger;
  return checkInteger(Number(value), rule);
}

/** Returns a parameter that accepts only `true` or `false`. */
export function booleanParameter(): z.ZodType<boolean, boolean> {
  return field<boolean>(
    once((value) => {
      if (value === 'true' || value === true) return true;
      if (value === 'false' || value === false) return false;
      return fail('not_boolean');
    }),
    { type: 'boolean' },
  );
}

export function textParameter(rule: TextRule): z.ZodType<string, string> {
  return field<string>(
    once((value) => (typeof value === 'string' ? checkText(value, rule) : wrongType('string', value))),
    textSchema(rule),
  );
}

/**
 * Returns a filter by natural key. Any text that cannot be a key is `invalid_value`, whatever its length (contract
 * 2.1).
 */
export function keyParameter(rule: TextRule): z.ZodType<string, string> {
  return field<string>(
    once((value) => readKey(value, rule)),
    textSchema(rule),
  );
}

export function keysParameter(rule: TextRule): z.ZodType<string[], string | string[]> {
  return field<string[], string | string[]>(
    each((value) => readKey(value, rule)),
    { type: 'array', items: textSchema(rule) },
  );
}

function readKey(value: unknown, rule: TextRule): string | ReturnType<typeof fail> {
  if (typeof value !== 'string') return wrongType('string', value);
  return typeof checkText(value, rule) === 'string' ? value : patternFailure(rule);
}

export function timestampParameter(): z.ZodType<number, string> {
  return field<number, string>(
    once((value) => (typeof value === 'string' ? checkTimestamp(value) : wrongType('string', value))),
    { type: 'string', format: 'date-time' },
  );
}

/** One item of a requested order. */
export type SortItem<Field extends string> = { field: Field; descending: boolean };

/**
 * Returns a sort parameter, such as `name,-created_at`: allowed fields, each at most once; an empty text is the default
 * order (contract 4).
 */
export function sortParameter<const Field extends string>(
  allowed: readonly Field[],
  initial: string,
): z.ZodType<SortItem<Field>[], string | undefined> {
  const items = allowed.flatMap((name) => [name, `-${name}`]).join('|');
  return field<SortItem<Field>[], string>(
    once((value) =>
      typeof value === 'string' ? readSort(value === '' ? initial : value, allowed) : wrongType('string', value),
    ),
    {
      type: 'string',
      default: initial,
      pattern: `^(?:(?:${items})(?:,(?:${items}))*)?$`,
      description: `Comma-separated fields, each with an optional leading minus for descending: ${allowed.join(', ')}.`,
    },
  ).default(readSort(initial, allowed) as SortItem<Field>[]);
}

function readSort<Field extends string>(
  text: string,
  allowed: readonly Field[],
): SortItem<Field>[] | ReturnType<typeof fail> {
  const items: SortItem<Field>[] = [];
  for (const item of text.split(',')) {
    const descending = item.startsWith('-');
    const name = descending ? item.slice(1) : item;
    if (name === '') return fail('empty_item');
    const known = allowed.find((candidate) => candidate === name);
    if (known === undefined) return fail('unknown_sort', { name });
    if (items.some((earlier) => earlier.field === known)) return fail('repeated_sort', { name });
    items.push({ field: known, descending });
  }
  return items;
}

function once<Output>(read: Read<Output>): Read<Output> {
  return (value) => {
    if (value === undefined) return missing;
    return Array.isArray(value) ? repeated : read(value);
  };
}

function each<Output>(read: (value: unknown) => Output | ReturnType<typeof fail>): Read<Output[]> {
  return (value) => {
    const results: Output[] = [];
    for (const item of Array.isArray(value) ? value : [value]) {
      const result = read(item);
      if (isFailed(result)) return result;
      results.push(result);
    }
    return results;
  };
}
