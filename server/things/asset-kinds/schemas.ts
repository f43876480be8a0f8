import { z } from 'zod';
import { choiceParameter } from '../../kernel/validation/choice-field.js';
import { idField, timestampField } from '../../kernel/validation/fields.js';
import { nameField } from '../../kernel/validation/resource-fields.js';

/** Kinds of one organization. A search reads all of their names. */
export const kindsMax = 200;

/** The pictures that the app has for kinds. */
export const kindIcons = [
  'box',
  'bed',
  'wheelchair',
  'droplet',
  'heartbeat',
  'stethoscope',
  'laptop',
  'printer',
  'tool',
  'forklift',
  'truck',
  'key',
  'armchair',
  'camera',
  'plug',
  'bottle',
] as const;

/** The colors of the app's palette. */
export const kindColors = [
  'gray',
  'red',
  'pink',
  'grape',
  'violet',
  'indigo',
  'blue',
  'cyan',
  'teal',
  'green',
  'lime',
  'yellow',
  'orange',
] as const;

const kindFields = {
  name: nameField('create-string'),
  icon: choiceParameter(kindIcons),
  color: choiceParameter(kindColors),
  /** An uploaded photo; the present one stays if its id is sent. */
  image_id: idField('required').nullable().default(null),
  /** Whether people put other assets into assets of this kind. */
  holds_assets: z.boolean().default(false),
};

export const createKindInput = z.strictObject(kindFields);

/** Replaces the whole kind; with `updated_at`, only if nobody has changed it since. */
export const updateKindInput = z.strictObject({
  id: idField('required'),
  updated_at: timestampField('patch').exactOptional(),
  ...kindFields,
});

export type KindFields = z.output<typeof createKindInput>;

export const kindIdInput = z.strictObject({ id: idField('required') });

export const setKindInput = z.strictObject({ asset_id: idField('required'), kind_id: idField('required').nullable() });

/** The kind of an asset in a list. */
export type KindOfAsset = {
  id: number;
  name: string;
  icon: (typeof kindIcons)[number];
  color: (typeof kindColors)[number];
  image_id: number | null;
  /** Whether people put other assets into assets of this kind. */
  holds_assets: boolean;
};

export type AssetKind = KindOfAsset & { updated_at: string; asset_count: number };
