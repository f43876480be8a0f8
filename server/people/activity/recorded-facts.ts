import { assetFields, type Fields, fieldsFor, locationFields, recordedValues } from '../../kernel/fields.js';
import type { Facts } from './record.js';

/**
 * What triggers record of an asset or a location: the columns that differ, or all of them when it is created or deleted. The names
 * of other rows that it refers to are those of that time. Only whole rows have tags.
 */
type RecordedFacts = { row: Facts; names: Facts | null; tags?: string[] | null };

const fieldsOfBoth: Fields = { ...assetFields, ...locationFields };

const loggedFields: Fields = Object.fromEntries(
  [...fieldsFor(assetFields, 'log'), ...fieldsFor(locationFields, 'log')].map((name) => [name, fieldsOfBoth[name]]),
) as Fields;

function isRecorded(facts: Facts): facts is Facts & RecordedFacts {
  return 'row' in facts;
}

/**
 * Returns the facts of an entry without nulls: instants as epoch milliseconds, custom details as their text. Entries of other
 * objects and of tags have this form already.
 */
export function factsOf(stored: Facts | null): Facts {
  if (stored === null || !isRecorded(stored)) return stored ?? {};
  const { row, names, tags } = stored;
  const isWhole = tags !== undefined;
  const values = Object.entries({ ...recordedValues(loggedFields, row), ...names, tags }).map(([name, value]) => {
    if (fieldsOfBoth[name]?.type !== 'json') return [name, value];
    // Details that a row never had are no fact. Those that were cut are a text already.
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return [name, isWhole && text === '{}' ? null : text];
  });
  return Object.fromEntries(values.filter(([, value]) => value !== null && value !== undefined)) as Facts;
}
