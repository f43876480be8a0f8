import { formats } from '../../ui/formats.js';
import { t } from '@lingui/core/macro';
import type { Outputs } from '../../api/trpc.js';
import { localInstant, localText } from '../../time/instant.js';
import { draftOf, jsonText, type Metadata, type MetadataDraft, metadataOf } from './metadata-values.js';

export type AssetDetail = Outputs['assets']['detail'];

/** The values of an asset's form. Instants are in the format of the browser's own fields, in the time zone shown. */
export type AssetValues = {
  name: string;
  description: string;
  is_active: boolean;
  valid_from: string;
  valid_to: string;
  metadata: MetadataDraft;
};

export const emptyValues: AssetValues = {
  name: '',
  description: '',
  is_active: true,
  valid_from: '',
  valid_to: '',
  metadata: { mode: 'pairs', pairs: [] },
};

export function valuesOf(asset: AssetDetail): AssetValues {
  return {
    name: asset.name,
    description: asset.description ?? '',
    is_active: asset.is_active,
    valid_from: localTime(asset.valid_from),
    valid_to: asset.valid_to === null ? '' : localTime(asset.valid_to),
    metadata: draftOf(asset.metadata),
  };
}

/** The editable fields of an asset, in the service's format. */
export type Editable = {
  name: string;
  description: string | null;
  is_active: boolean;
  valid_from: string;
  valid_to: string | null;
  /** Undefined if the typed text is not valid metadata. */
  metadata: Metadata | undefined;
};

export const editableFields = ['name', 'description', 'is_active', 'valid_from', 'valid_to', 'metadata'] as const;

export type EditableField = (typeof editableFields)[number];

export const fieldNames: Record<EditableField | 'kind_id' | 'belongs_to_id', string> = {
  kind_id: t`Kind`,
  belongs_to_id: t`Belongs to`,
  name: t`Name`,
  description: t`Description`,
  is_active: t`Active`,
  valid_from: t`Valid from`,
  valid_to: t`Valid until`,
  metadata: t`Custom details`,
};

export function editableOf(asset: AssetDetail): Editable {
  const { name, description, is_active, valid_from, valid_to, metadata } = asset;
  return { name, description, is_active, valid_from, valid_to, metadata };
}

/**
 * Returns the input in the service's format. An instant that was not changed keeps the seconds that its field does not
 * show.
 */
export function typedOf(values: AssetValues, base: Editable): Editable {
  const read = metadataOf(values.metadata);
  return {
    name: values.name.trim(),
    description: values.description === '' ? null : values.description,
    is_active: values.is_active,
    valid_from: instantOf(values.valid_from, base.valid_from) ?? base.valid_from,
    valid_to: instantOf(values.valid_to, base.valid_to),
    metadata: 'metadata' in read ? read.metadata : undefined,
  };
}

/** Returns whether two values are the same to the service, for which the order of keys in metadata matters. */
export function isSame(field: EditableField, one: Editable, other: Editable): boolean {
  return JSON.stringify(one[field]) === JSON.stringify(other[field]);
}

/** Returns the form's value of one field of an asset. */
export function formValueOf(field: EditableField, from: Editable): Partial<AssetValues> {
  switch (field) {
    case 'name':
      return { name: from.name };
    case 'description':
      return { description: from.description ?? '' };
    case 'is_active':
      return { is_active: from.is_active };
    case 'valid_from':
      return { valid_from: localTime(from.valid_from) };
    case 'valid_to':
      return { valid_to: from.valid_to === null ? '' : localTime(from.valid_to) };
    case 'metadata':
      return { metadata: draftOf(from.metadata ?? {}) };
  }
}

/** Returns one field as text for people. */
export function wordsOf(field: EditableField, from: Editable): string {
  switch (field) {
    case 'is_active':
      return from.is_active ? t`Yes` : t`No`;
    case 'valid_from':
    case 'valid_to': {
      const at = from[field];
      return at === null ? t`No end date` : formats().dateTime.format(new Date(at));
    }
    case 'metadata':
      return from.metadata ? jsonText(from.metadata) : t`Invalid JSON`;
    default:
      return from[field] ?? t`empty`;
  }
}

/** Returns an instant as `YYYY-MM-DDTHH:MM` in the time zone shown. */
export function localTime(at: string): string {
  return localText(Date.parse(at)).slice(0, 16);
}

/** Returns the instant in a field; if the field shows the previous instant, returns that one with its seconds. */
export function instantOf(local: string, before: string | null): string | null {
  if (local === '') return null;
  if (before !== null && localTime(before) === local) return before;
  const ms = localInstant(local);
  return Number.isNaN(ms) ? before : new Date(ms).toISOString();
}
