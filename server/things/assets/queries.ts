import { Prisma } from '../../../generated/prisma/client.js';
import { type Author, authoredBy } from '../../people/activity/author.js';
import type { Database, Queries, TransactionClient } from '../../kernel/database/client.js';
import { currentInstant, nextInstant } from '../../kernel/database/columns.js';
import { assignments, type Changes, createdColumns, createdValues, selected } from '../../kernel/database/field-sql.js';
import { generatedKey } from '../../kernel/database/generated-key.js';
import { assetFields, type ValuesFor } from '../../kernel/fields.js';
import { insertTags, isFree, lockTagParent } from '../tags/queries.js';
import type { CreateAsset } from './schemas.js';
import { type AssetRow, assetRow } from './view.js';

/** Returns the live asset with the id, or undefined. */
export async function findAsset(db: Queries, orgId: number, assetId: number): Promise<AssetRow | undefined> {
  const rows = await db.$queryRaw<AssetRow[]>`
    SELECT ${assetRow} FROM assets a WHERE a.org_id = ${orgId} AND a.id = ${assetId} AND a.deleted_at IS NULL`;
  return rows[0];
}

export async function assetExists(db: Queries, orgId: number, assetId: number): Promise<boolean> {
  const rows = await db.$queryRaw<unknown[]>`
    SELECT 1 FROM assets WHERE org_id = ${orgId} AND id = ${assetId} AND deleted_at IS NULL`;
  return rows.length > 0;
}

/**
 * Does the same as `findAsset`, and locks the row until the end of the transaction. The row and its tags are read
 * under the lock.
 */
export async function lockAsset(tx: TransactionClient, orgId: number, assetId: number): Promise<AssetRow | undefined> {
  const [isLocked, row] = await Promise.all([
    lockTagParent(tx, orgId, { parent: 'asset', parentId: assetId }),
    findAsset(tx, orgId, assetId),
  ]);
  return isLocked ? row : undefined;
}

/** How an asset is locked before a reference changes. A new location waits for a first read (docs/internals/concurrency.md). */
const referenceLocks = { kind_id: Prisma.sql`FOR NO KEY UPDATE`, belongs_to_id: Prisma.sql`FOR UPDATE` };

/**
 * Sets the kind of an asset, or the location that it belongs to; null for none. Returns false if there is no such live asset. An asset
 * that already has the reference is not changed.
 */
export async function setReference(
  tx: TransactionClient,
  orgId: number,
  { assetId, column, id }: { assetId: number; column: keyof typeof referenceLocks; id: number | null },
): Promise<boolean> {
  const reference = Prisma.raw(`a.${column}`);
  const [found] = await tx.$queryRaw<{ is_same: boolean }[]>`
    SELECT ${reference} IS NOT DISTINCT FROM ${id}::int AS is_same FROM assets a
     WHERE a.org_id = ${orgId} AND a.id = ${assetId} AND a.deleted_at IS NULL
    ${referenceLocks[column]}`;
  if (found?.is_same === false) {
    await tx.$executeRaw`
      UPDATE assets a SET ${Prisma.raw(column)} = ${id}::int, updated_at = ${nextInstant('a.updated_at')}
       WHERE a.org_id = ${orgId} AND a.id = ${assetId}`;
  }
  return found !== undefined;
}

/** Values of a new asset that only the app has. */
export type AppValues = Partial<Pick<ValuesFor<typeof assetFields, 'create'>, 'kind_id' | 'belongs_to_id'>>;

/**
 * Inserts an asset with its tags. Without a key it gets the lowest free generated key. Returns undefined if the key or
 * a tag is taken.
 */
export async function insertAsset(
  db: Queries,
  orgId: number,
  { asset, author, further = {} }: { asset: CreateAsset; author: Author; further?: AppValues },
): Promise<AssetRow | undefined> {
  const { external_key: externalKey = generatedKey('asset', orgId), tags = [] } = asset;
  const values = createdValues(assetFields, { ...asset, external_key: externalKey, ...further });
  const rows = await db.$queryRaw<AssetRow[]>`
    WITH made AS (
      INSERT INTO assets (org_id, ${createdColumns(assetFields)}, created_at, updated_at)
      SELECT ${orgId}, ${values}, clock.now, clock.now
        FROM (SELECT ${currentInstant} AS now) clock
       WHERE ${authoredBy(author)} AND ${isFree('asset', orgId, { externalKey: asset.external_key, tags })}
      RETURNING *
    ), attached AS (${insertTags('asset', tags)})
    SELECT ${selected(assetFields, 'a')},
           (SELECT coalesce(json_agg(json_build_object('id', id, 'tag_type', tag_type, 'value', value) ORDER BY id), '[]')
              FROM attached) AS tags
      FROM made a`;
  return rows[0];
}

/**
 * Changes a live asset and advances `updated_at`; undefined if there is no such asset. The update locks the row, and a second
 * statement reads it: the snapshot of the update can be older than the lock, and than tags that were attached meanwhile.
 */
export async function changeAsset(
  tx: TransactionClient,
  orgId: number,
  { assetId, changes, author }: { assetId: number; changes: Changes<typeof assetFields>; author: Author },
): Promise<AssetRow | undefined> {
  const [changed, row] = await Promise.all([
    tx.$executeRaw`
      UPDATE assets a
         SET ${assignments(assetFields, 'a', changes)}
       WHERE a.org_id = ${orgId} AND a.id = ${assetId} AND a.deleted_at IS NULL AND ${authoredBy(author)}`,
    findAsset(tx, orgId, assetId),
  ]);
  return changed > 0 ? row : undefined;
}

/** Retires the asset and its tags together. Returns false if there is no such live asset. */
export async function retireAsset(
  db: Database,
  orgId: number,
  { assetId, author }: { assetId: number; author: Author },
): Promise<boolean> {
  // A separate statement locks the row, so that the next statement sees a tag that was being attached meanwhile. The
  // lock also excludes foreign keys, so that a first position that is being stored is counted before its asset is
  // deleted.
  const retired = await db.$transaction(async (tx) => {
    await tx.$queryRaw`SELECT 1 FROM assets WHERE org_id = ${orgId} AND id = ${assetId} AND deleted_at IS NULL FOR UPDATE`;
    return tx.$queryRaw<unknown[]>`
      WITH gone AS (
        UPDATE assets SET deleted_at = ${currentInstant}
         WHERE org_id = ${orgId} AND id = ${assetId} AND deleted_at IS NULL AND ${authoredBy(author)}
        RETURNING id, deleted_at
      ), retired AS (
        UPDATE tags t SET deleted_at = gone.deleted_at FROM gone WHERE t.org_id = ${orgId} AND t.asset_id = gone.id
      )
      SELECT id FROM gone`;
  });
  return retired.length > 0;
}
