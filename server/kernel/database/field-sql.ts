import { Prisma } from '../../../generated/prisma/client.js';
import { type Field, type FieldFor, type Fields, fieldsFor, type ValueOf } from '../fields.js';
import { metadataText } from '../validation/resource-fields.js';
import { epochMs, instant, nextInstant } from './columns.js';

const sqlTypes = { int: 'int', text: 'text', boolean: 'boolean', instant: 'timestamptz(3)', json: 'json' };

/** Returns the type of the column of a field. */
export function sqlTypeOf({ type }: Field): string {
  return sqlTypes[type];
}

/** Returns the value of a field as an expression of its type. */
export function valueOf<One extends Field>({ type }: One, value: ValueOf<One> | null): Prisma.Sql {
  if (type === 'instant') return instant(value as number | null);
  const plain = type === 'json' && value !== null ? metadataText(value as Record<string, unknown>) : value;
  return Prisma.sql`${plain}::${Prisma.raw(sqlTypes[type])}`;
}

/**
 * Selects the fields of the public view from a table or alias; instants as epoch milliseconds.
 *
 * @param instead what to select instead of a field
 */
export function selected(
  fields: Fields,
  alias: string,
  instead: Readonly<Record<string, Prisma.Sql>> = {},
): Prisma.Sql {
  const expressions = fieldsFor(fields, 'view').map((name) => instead[name] ?? selectedField(fields, alias, name));
  return Prisma.join(expressions, ', ');
}

function selectedField(fields: Fields, alias: string, name: string): Prisma.Sql {
  const { type, select } = fields[name] as Field;
  const column = `${alias}.${name}`;
  if (type === 'instant') return Prisma.sql`${epochMs(column)} AS ${Prisma.raw(name)}`;
  return Prisma.raw(select ? `${select(alias)} AS ${name}` : column);
}

/** The fields that a change writes; undefined leaves a field. */
export type Changes<All extends Fields> = {
  readonly [Name in FieldFor<All, 'create' | 'patch' | 'bulk'>]?: ValueOf<All[Name]> | undefined;
};

/** Returns the `SET` list of an accepted change: the given fields, and an advanced `updated_at` (contract 5.7). */
export function assignments<All extends Fields>(fields: All, alias: string, changes: Changes<All>): Prisma.Sql {
  const sets = Object.entries(changes).flatMap(([name, value]) => {
    const field = fields[name];
    if (!field || value === undefined) return [];
    return [Prisma.sql`${Prisma.raw(name)} = ${valueOf(field, value as never)}`];
  });
  return Prisma.join([Prisma.sql`updated_at = ${nextInstant(`${alias}.updated_at`)}`, ...sets], ', ');
}

/** Returns the columns of a create. */
export function createdColumns(fields: Fields): Prisma.Sql {
  return Prisma.raw(fieldsFor(fields, 'create').join(', '));
}

/** Returns the values of the columns of a create: the given value or SQL, otherwise the default, which can use `clock.now`. */
export function createdValues<All extends Fields>(
  fields: All,
  values: { readonly [Name in FieldFor<All, 'create'>]?: ValueOf<All[Name]> | Prisma.Sql | undefined },
): Prisma.Sql {
  const expressions = fieldsFor(fields, 'create').map((name) => {
    const value = values[name];
    if (value instanceof Prisma.Sql) return value;
    return withDefault(fields[name] as Field, valueOf(fields[name] as Field, (value ?? null) as null));
  });
  return Prisma.join(expressions, ', ');
}

/** Returns the value of a new row: the default of the field instead of null. */
export function withDefault({ default: otherwise }: Field, value: Prisma.Sql): Prisma.Sql {
  return otherwise === undefined ? value : Prisma.sql`coalesce(${value}, ${Prisma.raw(otherwise)})`;
}
