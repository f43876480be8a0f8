import { fieldFault } from '../../kernel/field-reasons.js';
import { z } from 'zod';
import { describedAs, fail, type Failure, failureIn, field } from '../../kernel/validation/failure.js';
import { idMax, jsonTypeOf, missing, nullFailures, textField, wrongType } from '../../kernel/validation/fields.js';

/** The tag types a client may write (contract 2.4). */
export const tagTypes = ['rfid', 'ble', 'barcode'] as const;

export type TagType = (typeof tagTypes)[number];

/** Live tags of an asset or a location. */
export const tagsMax = 100;

/** A tag in a response; later versions may add types, so the type is open. */
export const tagView = z
  .object({
    id: z.int().meta(describedAs({ type: 'integer', format: 'int64', minimum: 1, maximum: idMax, readOnly: true })),
    tag_type: z.string(),
    value: z.string(),
  })
  .meta({ id: 'Tag' });

export type Tag = z.output<typeof tagView>;

const tagTypeField = field<TagType>(
  (value) => {
    if (value === undefined) return missing;
    if (value === null) return nullFailures.required;
    if (typeof value !== 'string') return wrongType('string', value);
    return tagTypes.find((type) => type === value) ?? fail('not_one_of', { allowed: tagTypes });
  },
  { type: 'string', enum: [...tagTypes] },
);

const valueField = textField(
  {
    min: 1,
    max: 255,
    pattern: /^[^\x00-\x08\x0B\x0C\x0E-\x1F\x7F]*$/,
    words: 'no control characters other than tab, LF and CR',
  },
  'create-string',
);

export const tagRequestFields = { tag_type: tagTypeField, value: valueField };

/** The input that attaches a tag: type and value, which are its natural key (contract 2.4). */
export const tagRequest = z.strictObject(tagRequestFields).meta({ id: 'TagRequest' });

export type TagRequest = z.output<typeof tagRequest>;

/** The tags of a create: null or a list of at most `tagsMax`. Failures have the key within the tag, and its index. */
export const tagsField = z
  .unknown()
  .transform((value, context): TagRequest[] => {
    if (value === null || value === undefined) return [];
    if (!Array.isArray(value)) return reject(failureIn(wrongType('array', value)));
    if (value.length > tagsMax) return reject(fieldFault('too_many_items', { max: tagsMax }));
    return value.flatMap((item: unknown, index) => {
      if (jsonTypeOf(item) !== 'object') {
        context.issues.push({
          code: 'custom',
          input: item,
          path: [index],
          params: { failure: failureIn(wrongType('object', item)) },
          message: '',
        });
        return [];
      }
      const result = tagRequest.safeParse(item);
      if (result.success) return [result.data];
      for (const issue of result.error.issues) {
        context.issues.push({ ...issue, input: item, path: [index, ...issue.path] } as never);
      }
      return [];
    });

    function reject(failure: Failure): never[] {
      context.issues.push({ code: 'custom', input: value, params: { failure }, message: '' });
      return [];
    }
  })
  .meta(
    describedAs({
      type: 'array',
      nullable: true,
      maxItems: tagsMax,
      items: { $ref: '#/components/schemas/TagRequest' },
    }),
  ) as unknown as z.ZodType<TagRequest[], TagRequest[] | null>;
