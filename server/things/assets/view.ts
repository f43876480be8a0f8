import { Prisma } from '../../../generated/prisma/client.js';
import { epochMs } from '../../kernel/database/columns.js';
import { tagsOf } from '../tags/queries.js';
import { formatNullableTimestamp, formatTimestamp, type Stored } from '../../kernel/time.js';
import type { AssetView } from './schemas.js';

/** A row of an asset; instants are epoch milliseconds. */
export type AssetRow = Stored<AssetView, 'valid_from' | 'valid_to' | 'created_at' | 'updated_at' | 'deleted_at'>;

/**
 * Returns the columns of an `AssetRow` without its tags, for the given table or alias.
 *
 * @param metadata what to select instead of the column `metadata`
 */
export function assetColumns(alias: string, metadata = Prisma.raw(`${alias}.metadata`)): Prisma.Sql {
  const plain = ['id', 'external_key', 'name', 'description', 'is_active'].map((name) =>
    Prisma.raw(`${alias}.${name}`),
  );
  const instants = ['valid_from', 'valid_to', 'created_at', 'updated_at', 'deleted_at'].map(
    (name) => Prisma.sql`${epochMs(`${alias}.${name}`)} AS ${Prisma.raw(name)}`,
  );
  return Prisma.join([...plain, metadata, ...instants], ', ');
}

/** All columns of an `AssetRow`. */
export const assetRow = Prisma.sql`${assetColumns('a')}, ${tagsOf('asset', 'a')} AS tags`;

export function viewAsset(row: AssetRow): AssetView {
  return {
    id: row.id,
    external_key: row.external_key,
    name: row.name,
    description: row.description,
    is_active: row.is_active,
    metadata: row.metadata,
    valid_from: formatTimestamp(row.valid_from),
    valid_to: formatNullableTimestamp(row.valid_to),
    created_at: formatTimestamp(row.created_at),
    updated_at: formatTimestamp(row.updated_at),
    deleted_at: formatNullableTimestamp(row.deleted_at),
    tags: row.tags,
  };
}
