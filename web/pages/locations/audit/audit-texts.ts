import { t } from '@lingui/core/macro';
import type { Expected } from './audit-model.js';

/** The key of an expected asset, and where it belongs if that is elsewhere. */
export function expectedText({ external_key: key, belongs_to: belongsTo }: Expected): string {
  return belongsTo ? `${key} · ${t`Belongs to ${belongsTo}`}` : key;
}

/** Where an unexpected asset was last, and where it belongs. */
export function unexpectedText(whereName: string | null, belongsTo: string | null): string {
  const last = whereName === null ? t`Never seen before` : t`Last seen in ${whereName}`;
  return belongsTo === null ? last : `${last} · ${t`Belongs to ${belongsTo}`}`;
}
