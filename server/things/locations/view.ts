import { Prisma } from '../../../generated/prisma/client.js';
import { epochMs } from '../../kernel/database/columns.js';
import { tagsOf } from '../tags/queries.js';
import { formatNullableTimestamp, formatTimestamp, type Stored } from '../../kernel/time.js';
import type { LocationView } from './schemas.js';

/** A row of a location; instants are epoch milliseconds. */
export type LocationRow = Stored<LocationView, 'valid_from' | 'valid_to' | 'created_at' | 'updated_at' | 'deleted_at'>;

const plainColumns = ['id', 'external_key', 'name', 'description', 'parent_id', 'is_active'];
const instantColumns = ['valid_from', 'valid_to', 'created_at', 'updated_at', 'deleted_at'];

/**
 * Returns the columns of a `LocationRow` without its tags, for the given table or alias. A deleted parent keeps its key
 * here.
 */
export function locationColumns(alias: string): Prisma.Sql {
  return Prisma.join(
    [
      ...plainColumns.map((name) => Prisma.raw(`${alias}.${name}`)),
      ...instantColumns.map((name) => Prisma.sql`${epochMs(`${alias}.${name}`)} AS ${Prisma.raw(name)}`),
      Prisma.raw(`(
        SELECT parent.external_key FROM locations parent WHERE parent.org_id = ${alias}.org_id AND parent.id = ${alias}.parent_id
      ) AS parent_external_key`),
    ],
    ', ',
  );
}

/** All columns of a `LocationRow` from the alias `l`. */
export const locationRow = Prisma.sql`${locationColumns('l')}, ${tagsOf('location', 'l')} AS tags`;

export function viewLocation(row: LocationRow): LocationView {
  return {
    id: row.id,
    external_key: row.external_key,
    name: row.name,
    description: row.description,
    parent_id: row.parent_id,
    parent_external_key: row.parent_external_key,
    is_active: row.is_active,
    valid_from: formatTimestamp(row.valid_from),
    valid_to: formatNullableTimestamp(row.valid_to),
    created_at: formatTimestamp(row.created_at),
    updated_at: formatTimestamp(row.updated_at),
    deleted_at: formatNullableTimestamp(row.deleted_at),
    tags: row.tags,
  };
}
