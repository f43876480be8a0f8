import { t } from '@lingui/core/macro';
import { exactTime } from '../ui/times.js';
import type { Entry } from './entry.js';
import { fieldName } from './words.js';

/** The change of one field; null if it had or has no value. */
export type FieldChange = { name: string; before: string | null; after: string | null };

const instants = new Set(['valid_from', 'valid_to', 'expires_at']);

/** Lists the fields of an entry that differ, custom details one by one. */
export function fieldChanges({ before, after }: Pick<Entry, 'before' | 'after'>): FieldChange[] {
  const fields = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return fields.flatMap((field) => {
    const details = field === 'metadata' ? detailChanges(before[field], after[field]) : undefined;
    return (
      details ?? [
        { name: fieldName(field), before: valueText(field, before[field]), after: valueText(field, after[field]) },
      ]
    );
  });
}

/**
 * Returns the changes of details. Undefined if the details are too long to be stored in full; then they are shown as
 * text.
 */
function detailChanges(before: unknown, after: unknown): FieldChange[] | undefined {
  const [old, present] = [detailsOf(before), detailsOf(after)];
  if (!old || !present) return undefined;
  const keys = [...new Set([...Object.keys(old), ...Object.keys(present)])];
  return keys
    .filter((key) => JSON.stringify(old[key]) !== JSON.stringify(present[key]))
    .map((key) => ({ name: key, before: valueText(key, old[key]), after: valueText(key, present[key]) }));
}

function detailsOf(value: unknown): Record<string, unknown> | undefined {
  if (value === undefined) return {};
  if (typeof value !== 'string') return undefined;
  try {
    const parsed: unknown = JSON.parse(value);
    return typeof parsed === 'object' && parsed !== null ? (parsed as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

function valueText(field: string, value: unknown): string | null {
  if (value === undefined || value === null) return null;
  if (typeof value === 'boolean') return value ? t`Yes` : t`No`;
  if (Array.isArray(value))
    return value.map((item) => (typeof item === 'string' ? item : JSON.stringify(item))).join('; ');
  if (typeof value === 'string') return instants.has(field) ? exactTime(Date.parse(value)) : value;
  return JSON.stringify(value);
}
