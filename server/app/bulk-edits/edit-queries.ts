import { Prisma } from '../../../generated/prisma/client.js';
import { type Author, authoredBy } from '../../people/activity/author.js';
import type { Database, TransactionClient } from '../../kernel/database/client.js';
import { nextInstant } from '../../kernel/database/columns.js';
import type { assetFields, ValuesFor } from '../../kernel/fields.js';
import { detailsText, differs, shownFields, valueAfter } from './changes.js';
import { type BulkChanges, columnsOf } from './schemas.js';

/** An asset that an edit would change; `before` and `after` have the affected fields. */
export type PreviewRow = {
  id: number;
  external_key: string;
  name: string;
  before: ShownFields;
  after: ShownFields;
};

/** The fields of an asset in a preview; instants are epoch milliseconds. */
export type ShownFields = Partial<
  Omit<ValuesFor<typeof assetFields, 'bulk'>, 'kind_id' | 'belongs_to_id' | 'metadata'>
> & {
  kind?: string | null;
  /** The name and the key of the location. */
  belongs_to?: string | null;
  details?: Record<string, string>;
};

type Edited = { ids: readonly number[]; changes: BulkChanges };

/**
 * Returns the first live assets that an edit would change, by key, with the count of all assets and the count of assets
 * that would change.
 */
export async function previewRows(
  db: Pick<Database, '$queryRaw'>,
  orgId: number,
  { ids, changes, limit }: Edited & { limit: number },
): Promise<{ rows: PreviewRow[]; found: number; changed: number }> {
  const rows = await db.$queryRaw<{ rows: PreviewRow[]; found: number; changed: number }[]>`
    WITH live AS MATERIALIZED (
      SELECT a.id, a.external_key, a.name, ${differs(changes)} AS is_changed
        FROM assets a
       WHERE a.org_id = ${orgId} AND a.id = ANY(${[...ids]}::int[]) AND a.deleted_at IS NULL
    ), shown AS MATERIALIZED (
      SELECT id FROM live WHERE is_changed ORDER BY external_key LIMIT ${limit}
    )
    SELECT (SELECT count(*)::int FROM live) AS found,
           (SELECT count(*)::int FROM live WHERE is_changed) AS changed,
           (SELECT coalesce(json_agg(json_build_object('id', a.id, 'external_key', a.external_key, 'name', a.name,
                                                       'before', ${shownFields(changes, 'before')},
                                                       'after', ${shownFields(changes, 'after')})
                                     ORDER BY a.external_key), '[]')
              FROM shown JOIN assets a ON a.org_id = ${orgId} AND a.id = shown.id) AS rows`;
  return rows[0] ?? { rows: [], found: 0, changed: 0 };
}

/**
 * Locks the live assets with the given ids in the order of the ids, so that two edits never deadlock. Returns the bytes
 * of their custom details: in total, and of the largest details.
 */
export async function lockAssets(
  tx: TransactionClient,
  orgId: number,
  ids: readonly number[],
): Promise<{ ids: number[]; bytes: number; bytesMax: number }> {
  const rows = await tx.$queryRaw<{ id: number; bytes: number }[]>`
    SELECT id, octet_length(metadata::text) AS bytes
      FROM assets
     WHERE org_id = ${orgId} AND id = ANY(${[...ids]}::int[]) AND deleted_at IS NULL
     ORDER BY id
       FOR NO KEY UPDATE`;
  const sizes = rows.map(({ bytes }) => bytes);
  return {
    ids: rows.map(({ id }) => id),
    bytes: sizes.reduce((sum, size) => sum + size, 0),
    bytesMax: Math.max(0, ...sizes),
  };
}

/** Returns the bytes of the largest custom details that an asset would have after the changes. */
export async function largestDetailsAfter(
  tx: TransactionClient,
  orgId: number,
  { ids, changes }: Edited,
): Promise<number> {
  const [row] = await tx.$queryRaw<[{ bytes: number }]>`
    SELECT coalesce(max(octet_length(${valueAfter('metadata', changes)}::text)), 0)::int AS bytes
      FROM assets a
     WHERE a.org_id = ${orgId} AND a.id = ANY(${[...ids]}::int[])`;
  return row.bytes;
}

export function detailBytes(changes: BulkChanges): number {
  return Buffer.byteLength(detailsText(changes));
}

/** Changes the assets that would differ. The caller has locked the assets. Returns how many were changed. */
export async function changeAssets(
  tx: TransactionClient,
  orgId: number,
  { ids, changes, author }: Edited & { author: Author },
): Promise<number> {
  const sets = columnsOf(changes).map((column) => Prisma.sql`${Prisma.raw(column)} = ${valueAfter(column, changes)}`);
  return tx.$executeRaw`
    UPDATE assets a
       SET ${Prisma.join(sets, ', ')}, updated_at = ${nextInstant('a.updated_at')}
     WHERE a.org_id = ${orgId} AND a.id = ANY(${[...ids]}::int[]) AND a.deleted_at IS NULL AND ${differs(changes)}
       AND ${authoredBy(author)}`;
}
