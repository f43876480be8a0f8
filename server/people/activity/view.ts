import { assetFields, type Fields, locationFields, viewed } from '../../kernel/fields.js';
import { formatTimestamp } from '../../kernel/time.js';
import type { EntryRow } from './list-queries.js';
import { factsOf } from './recorded-facts.js';
import type { Facts } from './record.js';

export type EntryActor = { kind: 'user' | 'key'; id: string; name: string | null };

/** An entry of the activity log for the app. `before` and `after` hold the fields that differ. */
export type EntryView = Omit<EntryRow, 'occurred_at' | 'actor' | 'actor_name' | 'before' | 'after'> & {
  occurred_at: string;
  /** Null if the change has no known author. */
  actor: EntryActor | null;
  before: Facts;
  after: Facts;
};

const fields: Fields = {
  ...assetFields,
  ...locationFields,
  expires_at: { type: 'instant', uses: ['log'] },
  container_id: { type: 'int', uses: ['log'], label: 'container' },
  location_id: { type: 'int', uses: ['log'], label: 'location' },
};

/** Ids of rows that are also in the log by name. */
const ids = new Set(Object.keys(fields).filter((name) => fields[name]?.label !== undefined));

export function viewEntry({ actor, actor_name: name, occurred_at: occurredAt, ...row }: EntryRow): EntryView {
  return {
    ...row,
    occurred_at: formatTimestamp(occurredAt),
    actor: viewActor(actor, name),
    before: viewFacts(row.before),
    after: viewFacts(row.after),
  };
}

export function viewActor(actor: string | null, name: string | null): EntryActor | null {
  const [kind, id = ''] = (actor ?? '').split(':');
  return kind === 'user' || kind === 'key' ? { kind, id, name } : null;
}

/** Returns facts for the app. Converts instants from epoch milliseconds, and leaves out ids of rows. */
function viewFacts(facts: Facts | null): Facts {
  const shown = Object.entries(factsOf(facts)).filter(([name]) => !ids.has(name));
  return viewed(fields, Object.fromEntries(shown));
}
