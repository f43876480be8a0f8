import { z } from 'zod';
import { choiceField } from '../../kernel/validation/choice-field.js';
import { describedAs } from '../../kernel/validation/failure.js';
import { idMax, textField } from '../../kernel/validation/fields.js';
import { listField } from '../../kernel/validation/list-field.js';

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

const valueField = textField(
  {
    min: 1,
    max: 255,
    pattern: /^[^\x00-\x08\x0B\x0C\x0E-\x1F\x7F]*$/,
    words: 'no control characters other than tab, LF and CR',
  },
  'create-string',
);

export const tagRequestFields = { tag_type: choiceField(tagTypes, 'required'), value: valueField };

/** The input that attaches a tag: type and value, which are its natural key (contract 2.4). */
export const tagRequest = z.strictObject(tagRequestFields).meta({ id: 'TagRequest' });

export type TagRequest = z.output<typeof tagRequest>;

/** The tags of a create: null or a list of at most `tagsMax`. Failures have the key within the tag, and its index. */
export const tagsField = listField(tagRequest, { min: 0, max: tagsMax })
  .nullable()
  .transform((tags) => tags ?? [])
  .meta(
    describedAs({
      type: 'array',
      nullable: true,
      maxItems: tagsMax,
      items: { $ref: '#/components/schemas/TagRequest' },
    }),
  );
