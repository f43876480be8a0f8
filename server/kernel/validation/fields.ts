import type { z } from 'zod';
import { parseTimestamp, sentinelInstants } from '../time.js';
import type { PatternWords } from '../field-reasons.js';
import { fail, type Failure, failureIn, field, type Read } from './failure.js';

/** The largest integer id at run time, though the wire type is int64 (contract 1.6). */
export const idMax = 2147483647;

const int64Max = 9223372036854775807n;
const int64Min = -9223372036854775808n;

/** The meaning of an explicit null; `value` is for fields in which null is a value of its own. */
export type NullRule = 'value' | 'create-default' | 'create-string' | 'patch' | 'required';

const instead = {
  'create-default': 'omit the field to use the server default, or provide a value',
  'create-string': 'provide a string value',
  patch: 'omit the field to leave unchanged, or provide a value',
};

export const nullFailures = {
  'create-default': fail('no_null', { instead: instead['create-default'] }, 'null'),
  'create-string': fail('no_null', { instead: instead['create-string'] }, 'null'),
  patch: fail('no_null', { instead: instead.patch }, 'null'),
  required: fail('required', undefined, 'null'),
};

export const missing = fail('required');
export const noInteger = fail('not_integer');
const unstorable = fail('not_storable');

/** Returns the JSON type name of a value (contract 5.5). Integers beyond a double arrive as bigint and are numbers. */
export function jsonTypeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value === 'bigint' ? 'number' : typeof value;
}

/** Returns the failure of a value of another JSON type than the declared one (contract 5.5). */
export function wrongType(expected: string, value: unknown): ReturnType<typeof fail> {
  return fail('wrong_type', { expected, received: jsonTypeOf(value) });
}

/** Returns whether PostgreSQL can store a text: it has no NUL and no lone surrogates. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/**
 * Bounds are counted in code points. `forbidden` rejects characters that the pattern accepts although its description
 * excludes them.
 */
export type TextRule = {
  min: number;
  max: number;
  pattern?: RegExp;
  forbidden?: RegExp;
  words?: PatternWords;
  blankIsEmpty?: boolean;
};

/** Checks a string by a rule: storable, long enough, not too long, matching the pattern. Returns the first failure. */
export function checkText(value: string, rule: TextRule): string | ReturnType<typeof fail> {
  if (!isStorable(value)) return unstorable;
  const length = rule.blankIsEmpty && value.trim() === '' ? 0 : lengthOf(value, rule);
  if (length < rule.min) return fail('text_too_short', { min: rule.min });
  if (length > rule.max) return fail('text_too_long', { max: rule.max });
  if ((rule.pattern && !rule.pattern.test(value)) || rule.forbidden?.test(value)) return patternFailure(rule);
  return value;
}

/** Returns why a text breaks a rule; undefined if it does not. */
export function textProblem(value: string, rule: TextRule): Failure | undefined {
  const checked = checkText(value, rule);
  return typeof checked === 'string' ? undefined : failureIn(checked);
}

export function patternFailure(rule: TextRule): ReturnType<typeof fail> {
  return fail('pattern', { pattern: rule.pattern?.source ?? '', words: rule.words });
}

/** Returns the length in code points if it can matter; otherwise a length on the same side of the bounds. */
function lengthOf(text: string, { min, max }: TextRule): number {
  if (min <= 1 && text.length <= max) return text.length;
  // Such a text is too long even if every code point takes two units.
  return text.length > max * 2 ? text.length : Array.from(text).length;
}

/** Returns a text field of a body. JSON types, nulls and presence are checked before the rule. */
export function textField(rule: TextRule, onNull: Exclude<NullRule, 'value'>): z.ZodType<string, string> {
  return checkedField(onNull, (value) => checkText(value, rule), textSchema(rule));
}

/** Does the same as `textField`, but null is a valid value. */
export function nullableTextField(rule: TextRule): z.ZodType<string | null, string | null> {
  return field(
    stringReader('value', (value) => checkText(value, rule)),
    { ...textSchema(rule), nullable: true },
  );
}

/** Returns a reader of a string in a body: presence, null and JSON type are checked before `check`. */
export function stringReader<Output>(onNull: NullRule, check: Read<Output, string>): Read<Output | null> {
  return (value) => {
    if (value === undefined) return missing;
    if (value === null) return onNull === 'value' ? null : nullFailures[onNull];
    return typeof value === 'string' ? check(value) : wrongType('string', value);
  };
}

/** Returns a field for a string that a check accepts. */
export function checkedField<Output>(
  onNull: Exclude<NullRule, 'value'>,
  check: Read<Output, string>,
  openapi: Record<string, unknown>,
): z.ZodType<Output, Output> {
  return field(stringReader(onNull, check) as Read<Output>, openapi);
}

export function textSchema(rule: TextRule): Record<string, unknown> {
  return {
    type: 'string',
    minLength: rule.min,
    maxLength: rule.max,
    ...(rule.pattern ? { pattern: rule.pattern.source } : {}),
    ...(rule.words ? { description: rule.words } : {}),
  };
}

/** Returns a boolean field of a body. */
export function booleanField(onNull: Exclude<NullRule, 'value'>): z.ZodType<boolean, boolean> {
  return field<boolean>(
    (value) => {
      if (value === undefined) return missing;
      if (value === null) return nullFailures[onNull];
      return typeof value === 'boolean' ? value : wrongType('boolean', value);
    },
    { type: 'boolean' },
  );
}

/** Bounds of an integer, inclusive. */
export type IntegerRule = { min: number; max: number };

export const idRule: IntegerRule = { min: 1, max: idMax };

export const idSchema = { type: 'integer', format: 'int64', minimum: 1, maximum: idMax };

export function checkInteger(value: number | bigint, rule: IntegerRule): number | ReturnType<typeof fail> {
  if (value < rule.min) return fail('too_small', { min: rule.min });
  if (value > rule.max) return fail('too_large', { max: rule.max });
  return Number(value);
}

/**
 * Returns a reader of an integer in a body: exact within int64, so that only values beyond the wire type are not
 * integers (contract 5.5).
 */
export function integerReader(rule: IntegerRule, onNull: NullRule): Read<number | null> {
  return (value) => {
    if (value === undefined) return missing;
    if (value === null) return onNull === 'value' ? null : nullFailures[onNull];
    if (typeof value === 'bigint') {
      return value < int64Min || value > int64Max ? noInteger : checkInteger(value, rule);
    }
    if (typeof value !== 'number') return wrongType('number', value);
    if (!Number.isInteger(value) || Math.abs(value) >= 2 ** 63) return noInteger;
    return checkInteger(value, rule);
  };
}

export function integerField(rule: IntegerRule, onNull: Exclude<NullRule, 'value'>): z.ZodType<number, number> {
  const schema = { type: 'integer', minimum: rule.min, maximum: rule.max };
  return field(integerReader(rule, onNull), schema) as z.ZodType<number, number>;
}

export function idField(onNull: Exclude<NullRule, 'value'>): z.ZodType<number, number> {
  return field(integerReader(idRule, onNull), idSchema) as z.ZodType<number, number>;
}

export function nullableIdField(): z.ZodType<number | null, number | null> {
  return field(integerReader(idRule, 'value'), { ...idSchema, nullable: true });
}

const timestampSchema = { type: 'string', format: 'date-time' };

/**
 * Returns a field for an RFC 3339 timestamp in a body, as epoch milliseconds; sentinels are rejected by exact instant
 * (contract 1.5).
 */
export function timestampField(onNull: Exclude<NullRule, 'value'>): z.ZodType<number, string> {
  return field<number, string>(stringReader(onNull, checkTimestamp) as Read<number>, timestampSchema);
}

export function nullableTimestampField(): z.ZodType<number | null, string | null> {
  return field<number | null, string | null>(stringReader('value', checkTimestamp), {
    ...timestampSchema,
    nullable: true,
  });
}

export function checkTimestamp(text: string): number | ReturnType<typeof fail> {
  const ms = parseTimestamp(text);
  if (ms === undefined) return fail('not_timestamp');
  return sentinelInstants.has(ms) ? fail('default_timestamp', { text }) : ms;
}
