import { Prisma } from '../../../generated/prisma/client.js';
import { valueOf } from '../../kernel/database/field-sql.js';
import { assetFields, type Field } from '../../kernel/fields.js';
import { metadataText } from '../../kernel/validation/resource-fields.js';
import { type BulkChanges, columnsOf, type EditedColumn } from './schemas.js';

/** Returns the value of a column of the asset `a` after the changes. */
export function valueAfter(column: EditedColumn, changes: BulkChanges): Prisma.Sql {
  if (column !== 'metadata') return valueOf(assetFields[column], changes[column] ?? null);
  return Prisma.sql`changed_metadata(a.metadata, ${detailsText(changes)}::json, ${changes.remove_details ?? []}::text[])`;
}

/** Returns the custom details to set, as JSON. */
export function detailsText({ set_details: given = {} }: BulkChanges): string {
  return metadataText(given);
}

/** Returns whether the asset `a` would differ after the changes. */
export function differs(changes: BulkChanges): Prisma.Sql {
  const tests = columnsOf(changes).map((column) => {
    const after = valueAfter(column, changes);
    return column === 'metadata'
      ? Prisma.sql`${after}::text <> a.metadata::text`
      : Prisma.sql`a.${Prisma.raw(column)} IS DISTINCT FROM ${after}`;
  });
  return Prisma.sql`(${Prisma.join(tests, ' OR ')})`;
}

const shownMax = 500;

/**
 * Returns the changed fields for display, as a JSON object: texts truncated to 500 characters, instants in epoch
 * milliseconds, and only the affected keys of custom details.
 */
export function shownFields(changes: BulkChanges, which: 'before' | 'after'): Prisma.Sql {
  const value = (column: EditedColumn) => (which === 'after' ? valueAfter(column, changes) : Prisma.raw(`a.${column}`));
  const parts = columnsOf(changes).map((column) => {
    if (column === 'metadata') return Prisma.sql`'details', ${shownDetails(value(column), changes)}`;
    if (column === 'kind_id' || column === 'belongs_to_id') return shownReference(column, value(column));
    return Prisma.sql`${Prisma.raw(`'${column}'`)}, ${shownValue(assetFields[column], value(column))}`;
  });
  return Prisma.sql`json_build_object(${Prisma.join(parts, ', ')})`;
}

/** The name of the row that a column refers to, as the activity log shows it. */
function shownReference(column: 'kind_id' | 'belongs_to_id', value: Prisma.Sql): Prisma.Sql {
  const [key, label] = [column, assetFields[column].label].map((name) => Prisma.raw(`'${name}'`));
  return Prisma.sql`
    ${label}, (SELECT m.names -> ${label} FROM names_of('asset', a.org_id, json_build_object(${key}, ${value})) m)`;
}

function shownValue({ type }: Field, value: Prisma.Sql): Prisma.Sql {
  if (type === 'text') return Prisma.sql`left(${value}, ${shownMax}::int)`;
  return type === 'instant' ? Prisma.sql`round(date_part('epoch', ${value}) * 1000)` : value;
}

/** Reads the details once, because `->>` would parse all of them again for each key. */
function shownDetails(metadata: Prisma.Sql, { set_details: given = {}, remove_details: removed = [] }: BulkChanges) {
  const keys = [...new Set([...Object.keys(given), ...removed])];
  return Prisma.sql`(
    SELECT coalesce(json_object_agg(member.key, left(member.value, ${shownMax}::int)), '{}')
      FROM json_each_text(${metadata}) AS member (key, value)
     WHERE member.key = ANY(${keys}::text[]) AND member.value IS NOT NULL)`;
}
