import type { Choice as LocationChoice } from '../../ui/search-select.js';
import { instantOf } from './asset-values.js';
import type { BulkChanges } from './use-bulk.js';

/** What to do with a field of many assets. */
export type Choice = 'keep' | 'set' | 'clear';

/** A custom detail to set or to remove. */
export type DetailChange = { id: number; key: string; choice: Exclude<Choice, 'keep'>; value: string };

/** The values of the form of a bulk edit. Instants are in the format of the browser's own fields. */
export type BulkValues = {
  status: 'keep' | 'active' | 'inactive';
  kind: { choice: Choice; id: number | null };
  belongs_to: { choice: Choice; location: LocationChoice | null };
  description: { choice: Choice; text: string };
  valid_from: { choice: Choice; text: string };
  valid_to: { choice: Choice; text: string };
  details: readonly DetailChange[];
};

export const keptValues: BulkValues = {
  status: 'keep',
  kind: { choice: 'keep', id: null },
  belongs_to: { choice: 'keep', location: null },
  description: { choice: 'keep', text: '' },
  valid_from: { choice: 'keep', text: '' },
  valid_to: { choice: 'keep', text: '' },
  details: [],
};

/** Returns the changes of a form; undefined if there are none, or if a field to set is empty. */
export function changesOf(values: BulkValues): BulkChanges | undefined {
  const { status, kind, belongs_to: own, description, valid_from: from, valid_to: to } = values;
  if ([description, from, to].some(({ choice, text }) => choice === 'set' && text.trim() === '')) return undefined;
  if (kind.choice === 'set' && kind.id === null) return undefined;
  if (own.choice === 'set' && own.location === null) return undefined;
  const details = values.details.filter(({ key }) => key.trim() !== '');
  const given = details.filter(({ choice }) => choice === 'set');
  const removed = details.filter(({ choice }) => choice === 'clear');
  const validFrom = instantOf(from.text, null);
  const changes: BulkChanges = {
    ...(status === 'keep' ? {} : { is_active: status === 'active' }),
    ...(kind.choice === 'keep' ? {} : { kind_id: kind.choice === 'set' ? kind.id : null }),
    ...(own.choice === 'keep' ? {} : { belongs_to_id: own.choice === 'set' ? (own.location?.id ?? null) : null }),
    ...(description.choice === 'keep' ? {} : { description: description.choice === 'set' ? description.text : null }),
    ...(from.choice === 'set' && validFrom !== null ? { valid_from: validFrom } : {}),
    ...(to.choice === 'keep' ? {} : { valid_to: to.choice === 'set' ? instantOf(to.text, null) : null }),
    ...(given.length === 0
      ? {}
      : { set_details: Object.fromEntries(given.map(({ key, value }) => [key.trim(), value])) }),
    ...(removed.length === 0 ? {} : { remove_details: removed.map(({ key }) => key.trim()) }),
  };
  return Object.keys(changes).length === 0 ? undefined : changes;
}
