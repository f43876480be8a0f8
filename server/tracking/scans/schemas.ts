import { z } from 'zod';
import { submissionIdField } from '../../kernel/database/submissions.js';
import { pagingFields } from '../../kernel/lists.js';
import { type TagType, tagTypes } from '../../things/tags/schemas.js';
import { type Failure, fail, field, isFailed, issueOf } from '../../kernel/validation/failure.js';
import { checkText, idField, missing, textField, timestampField, wrongType } from '../../kernel/validation/fields.js';
import { listField } from '../../kernel/validation/list-field.js';
import { idParameter } from '../../kernel/validation/parameters.js';
import { tagValueRule } from './reader-message.js';

/** Reads of one submission, at a location or into a container: a device has one queue for both. */
export const readsMax = 1000;

export const tagTypeField = field<TagType>(
  (value) => {
    const known = tagTypes.find((type) => type === value);
    if (known) return known;
    if (typeof value !== 'string') return wrongType('string', value);
    return fail('not_one_of', { allowed: tagTypes });
  },
  { type: 'string', enum: tagTypes },
);

export const valueField = textField(tagValueRule, 'create-string');

/** A list of tag values. */
export function valuesField(valuesMax: number) {
  return field<string[]>(
    (values) => {
      if (values === undefined) return missing;
      if (!Array.isArray(values)) return wrongType('array', values);
      if (values.length > valuesMax) return fail('too_many_items', { max: valuesMax });
      for (const value of values) {
        const checked = typeof value === 'string' ? checkText(value, tagValueRule) : wrongType('string', value);
        if (isFailed(checked)) return checked;
      }
      return values as string[];
    },
    { type: 'array', maxItems: valuesMax, items: { type: 'string' } },
  );
}

export const readShape = z
  .strictObject({
    tag_type: tagTypeField.exactOptional(),
    value: valueField.exactOptional(),
    asset_id: idField('create-string').exactOptional(),
  })
  .superRefine((read, context) => {
    const failure = shapeFailure(read);
    if (failure) context.issues.push(issueOf(failure, read, [failure.field]));
  });

function shapeFailure(read: { tag_type?: unknown; value?: unknown; asset_id?: unknown }) {
  const both = 'value and asset_id are mutually exclusive; supply exactly one';
  if (read.value === undefined && read.asset_id === undefined) return failureOf('value', 'required', '{f} is required');
  if (read.value !== undefined && read.asset_id !== undefined) return failureOf('asset_id', 'ambiguous_fields', both);
  if (read.asset_id === undefined || read.tag_type === undefined) return undefined;
  return failureOf('tag_type', 'invalid_context', '{f} goes with value, not with asset_id');
}

function failureOf(name: string, code: Failure['code'], message: string): Failure & { field: string } {
  return { field: name, code, message };
}

/** One read of a handheld: a tag value, of any type unless one is given, or an asset chosen by hand. */
export type SubmittedRead = z.output<typeof readShape>;

export const submitInput = z.strictObject({
  submission_id: submissionIdField,
  location_id: idField('required'),
  reads: listField(readShape, { min: 1, max: readsMax }),
  /** Values that were scanned before the reads: the reads begin at the last location that one of them names. */
  location_values: valuesField(readsMax).exactOptional(),
  /** Places only assets that are at this location, as an undo does. */
  if_at: idField('create-string').exactOptional(),
  observed_at: timestampField('create-default').exactOptional(),
  /** The time of the device when it sends. Its difference from the time of receipt corrects the other times. */
  sent_at: timestampField('create-default').exactOptional(),
  /** Whether nobody scanned the assets: a person set their location. */
  is_by_hand: z.boolean().exactOptional(),
});

export type SubmitInput = z.output<typeof submitInput>;

export type NamedLocation = { id: number; name: string };

/** The result of one read. */
export type SubmitResult =
  | {
      status: 'placed';
      asset_id: number;
      /** Where the asset was, if elsewhere. */
      from?: NamedLocation;
      /** Where it was scanned, if not at the location of the submission. */
      at?: NamedLocation;
      /** Where it stays, since it was seen there after the scan, or is not where it has to be; null for no location. */
      stays_at?: NamedLocation | null;
    }
  /** A location, at which the reads after it were scanned. */
  | { status: 'location'; location: NamedLocation }
  | { status: 'unknown' };

export const rejectedInput = z.strictObject({ reader_id: idParameter().exactOptional(), ...pagingFields }).prefault({});

export const listInput = z.strictObject(pagingFields).prefault({});
