import { Prisma } from '../../../generated/prisma/client.js';
import { type Author, authoredBy } from '../../people/activity/author.js';
import type { TransactionClient } from '../../kernel/database/client.js';
import { nextInstant } from '../../kernel/database/columns.js';
import { resourceTables } from '../../kernel/database/resource-tables.js';
import { sqlTypeOf } from '../../kernel/database/field-sql.js';
import {
  assetFields,
  type Field,
  type FieldFor,
  type Fields,
  fieldsFor,
  locationFields,
  type ResourceKind,
} from '../../kernel/fields.js';
import { metadataBytesMax } from '../../kernel/validation/resource-fields.js';
import { type EntryKey, entriesOf } from './entries.js';

// Entries of the activity log hold the fields that differ, before and after a change. These statements undo many such
// changes at once, entry by entry.

const fieldsOf = { asset: assetFields, location: locationFields } as const;

/** A column of assets or locations whose changes the activity log holds. */
export type LoggedColumn = { [Kind in ResourceKind]: FieldFor<(typeof fieldsOf)[Kind], 'log'> }[ResourceKind];

function columnsOf(kind: ResourceKind): [column: LoggedColumn, field: Field][] {
  const fields: Fields = fieldsOf[kind];
  return fieldsFor(fieldsOf[kind], 'log').map((column) => [column, fields[column] as Field]);
}

const isTouched = (column: string) => `(e.before -> '${column}' IS NOT NULL OR e.after -> '${column}' IS NOT NULL)`;

/** Returns the value of a column before or after the change of the entry `e`. */
function loggedValue(column: LoggedColumn, field: Field, side: 'before' | 'after'): string {
  return `(e.${side} ->> '${column}')::${sqlTypeOf(field)}`;
}

/** Whether the former kind has been deleted since. */
const isWithoutKind = `(e.before ->> 'kind_id' IS NOT NULL AND NOT EXISTS (
  SELECT FROM asset_kinds k WHERE k.org_id = r.org_id AND k.id = (e.before ->> 'kind_id')::int))`;

/**
 * The members of custom details that the change added, changed or removed: which to set, which to remove, and whether
 * they differ now.
 */
const changedDetails = `
  LEFT JOIN LATERAL (
    SELECT coalesce(('{' || string_agg(to_json(d.key) || ':' || d.old::text, ',') FILTER (WHERE d.old IS NOT NULL) || '}')::json, '{}') AS given,
           coalesce(array_agg(d.key) FILTER (WHERE d.old IS NULL), '{}') AS removed,
           coalesce(bool_or(present.value::text IS DISTINCT FROM d.new::text AND present.value::text IS DISTINCT FROM d.old::text),
                    false) AS is_changed
      FROM (SELECT coalesce(b.key, f.key) AS key, b.value AS old, f.value AS new
              FROM json_each((e.before ->> 'metadata')::json) b
              FULL JOIN json_each((e.after ->> 'metadata')::json) f ON f.key = b.key
             WHERE b.value::text IS DISTINCT FROM f.value::text) d
      LEFT JOIN json_each(r.metadata) present ON present.key = d.key
  ) m ON true`;

/** Whether the custom details with the former members are too long: other members can have been added since. */
const isTooLong = `(${isTouched('metadata')} AND octet_length(changed_metadata(r.metadata, m.given, m.removed)::text) > ${metadataBytesMax})`;

/**
 * Returns the columns of the row `r` that no longer have the value that the change of `e` gave them, and do not have their former
 * value again.
 */
function changedSince(kind: ResourceKind): string {
  const names = columnsOf(kind).map(([column, field]) => {
    const isOther = (side: 'before' | 'after') => `r.${column} IS DISTINCT FROM ${loggedValue(column, field, side)}`;
    const differs = field.type === 'json' ? 'm.is_changed' : `${isOther('after')} AND ${isOther('before')}`;
    return `CASE WHEN ${isTouched(column)} AND ${differs} THEN '${column}' END`;
  });
  return `array_remove(ARRAY[${names.join(', ')}]::text[], NULL)`;
}

/** Selects the entries of updates among the given ones, as the CTE or table `e`. */
function entries(orgId: number, kind: ResourceKind, keys: readonly EntryKey[]): Prisma.Sql {
  return Prisma.sql`
    SELECT l.id, l.object_id, l.before -> 'row' AS before, l.after -> 'row' AS after
      FROM ${entriesOf(orgId, keys)}
     WHERE l.kind = ${kind} AND l.action = 'updated'`;
}

/** Reasons why the change of an entry cannot be undone, such as that the row is deleted or fields were changed since. */
export type ChangeState = {
  entry_id: string;
  row_id: number;
  is_deleted: boolean;
  is_without_kind: boolean;
  changed_since: LoggedColumn[];
  /** Whether the custom details would be longer than an asset can have. */
  is_too_long: boolean;
  /** Whether the change moved a location. */
  moved: boolean;
  former_parent_id: number | null;
  former_key: string | null;
  /** The live row that has the former key by now. */
  key_holder: { id: number; name: string } | null;
};

/** Locks assets or locations in the order of their ids until the end of the transaction. */
export async function lockRows(
  tx: TransactionClient,
  orgId: number,
  { kind, ids }: { kind: ResourceKind; ids: readonly number[] },
): Promise<void> {
  await tx.$executeRaw`
    SELECT r.id FROM ${resourceTables[kind].table} r WHERE r.org_id = ${orgId} AND r.id = ANY(${[...ids]}::int[]) ORDER BY r.id FOR NO KEY UPDATE`;
}

/** Returns the state of changes, whose rows the caller has locked with `lockRows`. */
export async function findChanges(
  tx: TransactionClient,
  orgId: number,
  { kind, keys }: { kind: ResourceKind; keys: readonly EntryKey[] },
): Promise<ChangeState[]> {
  return tx.$queryRaw<ChangeState[]>`
    WITH e AS MATERIALIZED (${entries(orgId, kind, keys)})
    SELECT e.id::text AS entry_id, r.id AS row_id, r.deleted_at IS NOT NULL AS is_deleted,
           ${Prisma.raw(isWithoutKind)} AS is_without_kind,
           ${Prisma.raw(changedSince(kind))} AS changed_since,
           ${Prisma.raw(kind === 'asset' ? isTooLong : 'false')} AS is_too_long,
           ${Prisma.raw(isTouched('parent_id'))} AS moved, (e.before ->> 'parent_id')::int AS former_parent_id,
           e.before ->> 'external_key' AS former_key,
           (SELECT json_build_object('id', h.id, 'name', h.name)
              FROM ${resourceTables[kind].table} h
             WHERE h.org_id = ${orgId} AND h.external_key = e.before ->> 'external_key' AND h.deleted_at IS NULL AND h.id <> r.id
           ) AS key_holder
      FROM e
      JOIN ${resourceTables[kind].table} r ON r.org_id = ${orgId} AND r.id = e.object_id::int
      ${Prisma.raw(kind === 'asset' ? changedDetails : '')}`;
}

/**
 * Gives fields the values that they had before the changes of entries. Of custom details, restores only the members
 * that the change touched. Pass at most one entry for each row. The caller has locked the rows with `lockRows`. Returns how
 * many rows did not have these values already.
 */
export async function takeBackChanges(
  tx: TransactionClient,
  orgId: number,
  { kind, keys, author }: { kind: ResourceKind; keys: readonly EntryKey[]; author: Author },
): Promise<number> {
  const columns = columnsOf(kind);
  const values = columns.map(([column, field]) => {
    const former =
      field.type === 'json'
        ? `changed_metadata(r.${column}, m.given, m.removed)`
        : loggedValue(column, field, 'before');
    return `CASE WHEN ${isTouched(column)} THEN ${former} ELSE r.${column} END AS ${column}`;
  });
  const sets = columns.map(([column]) => `${column} = f.${column}`);
  const comparable = (alias: string) =>
    columns.map(([column, { type }]) => `${alias}.${column}${type === 'json' ? '::text' : ''}`).join(', ');
  return tx.$executeRaw`
    WITH e AS MATERIALIZED (${entries(orgId, kind, keys)}), former AS MATERIALIZED (
      SELECT r.id, ${Prisma.raw(values.join(', '))}
        FROM e
        JOIN ${resourceTables[kind].table} r ON r.org_id = ${orgId} AND r.id = e.object_id::int AND r.deleted_at IS NULL
        ${Prisma.raw(kind === 'asset' ? changedDetails : '')}
    )
    UPDATE ${resourceTables[kind].table} r
       SET ${Prisma.raw(sets.join(', '))}, updated_at = ${nextInstant('r.updated_at')}
      FROM former f
     WHERE r.org_id = ${orgId} AND r.id = f.id AND ${authoredBy(author)}
       AND (${Prisma.raw(comparable('r'))}) IS DISTINCT FROM (${Prisma.raw(comparable('f'))})`;
}
