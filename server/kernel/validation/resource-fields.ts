import type { PlainFieldReason } from '../field-reasons.js';
import { z } from 'zod';
import { describedAs, fail, field } from './failure.js';
import {
  booleanField,
  idField,
  isStorable,
  jsonTypeOf,
  type NullRule,
  nullFailures,
  nullableTextField,
  nullableTimestampField,
  type TextRule,
  textField,
  timestampField,
  wrongType,
} from './fields.js';
import { booleanParameter, keysParameter, textParameter } from './parameters.js';

// docs/decisions/0010-metadata-keeps-what-a-double-can-hold.md explains the rules of numbers in `metadata`.

// The rules of the fields that assets and locations share (contract 2.2).

export const keyRule: TextRule = {
  min: 1,
  max: 255,
  pattern: /^[A-Za-z0-9-]+$/,
  words: 'letters, digits and hyphens only',
  blankIsEmpty: true,
};

export const nameRule: TextRule = {
  min: 1,
  max: 255,
  pattern: /^\S(?:[^\x00-\x1F\x7F]*\S)?$/,
  // At both ends of the text the pattern accepts any character except white space, so it accepts control characters.
  forbidden: /[\x00-\x1F\x7F]/,
  words: 'no control characters, no white space at the ends',
};

const descriptionRule: TextRule = {
  min: 1,
  max: 1024,
  pattern: /^[^\x00-\x08\x0B\x0C\x0E-\x1F\x7F]*$/,
  words: 'no control characters other than tab, LF and CR',
};

export const searchRule: TextRule = {
  min: 1,
  max: 255,
  pattern: /^[^\x00-\x1F\x7F]*$/,
  words: 'no control characters',
};

export function nameField(onNull: Exclude<NullRule, 'value'>) {
  return textField(nameRule, onNull);
}

export function keyField(onNull: Exclude<NullRule, 'value'>) {
  return textField(keyRule, onNull);
}

/** Returns the fields that a create and a patch share, in declared order; the meaning of null differs. */
export function windowFields(onNull: 'create-default' | 'patch') {
  return { valid_from: timestampField(onNull).exactOptional(), valid_to: nullableTimestampField().exactOptional() };
}

export function descriptiveFields(onNull: 'create-default' | 'patch') {
  return {
    description: nullableTextField(descriptionRule).exactOptional(),
    is_active: booleanField(onNull).exactOptional(),
  };
}

/**
 * The read-only fields of a PATCH, accepted if they equal the present state (contract 5.6). Types and formats are
 * checked before the comparison. `tags` only has to be a list, since every list that differs is rejected in the same
 * way.
 */
export const readOnlyFields = {
  id: idField('patch').exactOptional(),
  external_key: keyField('patch').exactOptional(),
  created_at: timestampField('patch').exactOptional(),
  updated_at: timestampField('patch').exactOptional(),
  deleted_at: nullableTimestampField().exactOptional(),
  tags: field<unknown[]>(
    (value) => {
      if (value === null) return nullFailures.patch;
      return Array.isArray(value) ? value : wrongType('array', value);
    },
    { type: 'array', items: { $ref: '#/components/schemas/Tag' } },
  ).exactOptional(),
};

/** The filters of both lists. */
export const filterFields = {
  external_key: keysParameter(keyRule).exactOptional(),
  is_active: booleanParameter().exactOptional(),
  q: textParameter(searchRule).exactOptional(),
  include_deleted: booleanParameter().default(false),
};

export const includeDeletedField = booleanParameter().default(false);

const nestingMax = 200;

/** Bytes of the compact JSON of the custom details of an asset, in UTF-8. */
export const metadataBytesMax = 16_384;

/**
 * Returns a field for a free-form JSON object. Every key is kept; values that PostgreSQL or a double cannot hold
 * exactly are rejected, and so are objects of more than `metadataBytesMax`.
 */
export function metadataField(
  onNull: 'create-default' | 'patch',
): z.ZodType<Record<string, unknown>, Record<string, unknown>> {
  return field<Record<string, unknown>>(
    (value) => {
      if (value === null) return nullFailures[onNull];
      if (jsonTypeOf(value) !== 'object') return wrongType('object', value);
      const flaw = flawIn(value, 1);
      if (flaw) return fail(flaw);
      const metadata = value as Record<string, unknown>;
      if (Buffer.byteLength(metadataText(metadata)) <= metadataBytesMax) return metadata;
      return fail('details_too_long', { max: metadataBytesMax });
    },
    { type: 'object', additionalProperties: true },
  );
}

function flawIn(value: unknown, depth: number): PlainFieldReason | undefined {
  if (typeof value === 'string') return isStorable(value) ? undefined : 'not_storable';
  if (isInexactInteger(value)) return 'inexact_integer';
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth > nestingMax) return 'nested_too_deeply';
  for (const [key, item] of Object.entries(value)) {
    const flaw = flawIn(key, depth) ?? flawIn(item, depth + 1);
    if (flaw) return flaw;
  }
  return undefined;
}

/**
 * Returns whether a number is an integer that a double cannot hold. An integer that the service itself writes for a
 * double is accepted, so that responses can be sent back.
 */
function isInexactInteger(value: unknown): boolean {
  if (typeof value === 'number') return !Number.isFinite(value);
  if (typeof value !== 'bigint') return false;
  const double = Number(value);
  return BigInt(double) !== value && String(double) !== String(value);
}

/**
 * Returns the JSON text of a metadata object; integers beyond a safe double arrive as bigint and are exact doubles
 * here.
 */
export function metadataText(metadata: Record<string, unknown>): string {
  return JSON.stringify(metadata, (_key, item: unknown) => (typeof item === 'bigint' ? Number(item) : item));
}

const idSchema = { type: 'integer', format: 'int64', minimum: 1, maximum: 2147483647 };

/** Schemas of responses, for the description and the compiler. */
export const viewFields = {
  id: z.int().meta(describedAs({ ...idSchema, readOnly: true })),
  nullableId: z
    .int()
    .nullable()
    .meta(describedAs({ ...idSchema, nullable: true })),
  timestamp: z.string().meta(describedAs({ type: 'string', format: 'date-time' })),
  nullableTimestamp: z
    .string()
    .nullable()
    .meta(describedAs({ type: 'string', format: 'date-time', nullable: true })),
  managedTimestamp: z.string().meta(describedAs({ type: 'string', format: 'date-time', readOnly: true })),
  nullableManagedTimestamp: z
    .string()
    .nullable()
    .meta(describedAs({ type: 'string', format: 'date-time', nullable: true, readOnly: true })),
  managedKey: z
    .string()
    .meta(describedAs({ type: 'string', minLength: 1, maxLength: 255, pattern: '^[A-Za-z0-9-]+$' })),
};
