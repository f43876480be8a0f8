import { type Author, authoredBy } from '../../people/activity/author.js';
import { currentInstant } from '../../kernel/database/columns.js';
import { assignments, type Changes, createdColumns, createdValues, selected } from '../../kernel/database/field-sql.js';
import { generatedKey } from '../../kernel/database/generated-key.js';
import { ofLiveAsset } from '../../kernel/database/position-order.js';
import type { Queries, TransactionClient } from '../../kernel/database/client.js';
import { locationFields } from '../../kernel/fields.js';
import { insertTags, isFree, lockTagParent } from '../tags/queries.js';
import type { CreateLocation } from './schemas.js';
import { type LocationRow, locationRow } from './view.js';

/** Returns the live location with the id, or undefined. */
export async function findLocation(db: Queries, orgId: number, locationId: number): Promise<LocationRow | undefined> {
  const rows = await db.$queryRaw<LocationRow[]>`
    SELECT ${locationRow} FROM locations l WHERE l.org_id = ${orgId} AND l.id = ${locationId} AND l.deleted_at IS NULL`;
  return rows[0];
}

export async function locationExists(db: Queries, orgId: number, locationId: number): Promise<boolean> {
  const rows = await db.$queryRaw<unknown[]>`
    SELECT 1 FROM locations WHERE org_id = ${orgId} AND id = ${locationId} AND deleted_at IS NULL`;
  return rows.length > 0;
}

/**
 * Does the same as `findLocation`, and locks the row until the end of the transaction, but not against foreign keys: a child can be stored
 * meanwhile. The row and its tags are read
 * under the lock.
 */
export async function lockLocation(
  tx: TransactionClient,
  orgId: number,
  locationId: number,
): Promise<LocationRow | undefined> {
  const [isLocked, row] = await Promise.all([
    lockTagParent(tx, orgId, { parent: 'location', parentId: locationId }),
    findLocation(tx, orgId, locationId),
  ]);
  return isLocked ? row : undefined;
}

/**
 * Inserts a location with its tags; the caller holds the lock that a parent needs. Returns undefined if the key or a
 * tag is taken.
 */
export async function insertLocation(
  tx: Queries,
  orgId: number,
  { location, parentId, author }: { location: CreateLocation; parentId: number | null; author: Author },
): Promise<LocationRow | undefined> {
  const { external_key: externalKey = generatedKey('location', orgId), tags = [] } = location;
  const values = createdValues(locationFields, { ...location, external_key: externalKey, parent_id: parentId });
  const rows = await tx.$queryRaw<LocationRow[]>`
    WITH made AS (
      INSERT INTO locations (org_id, ${createdColumns(locationFields)}, created_at, updated_at)
      SELECT ${orgId}, ${values}, clock.now, clock.now
        FROM (SELECT ${currentInstant} AS now) clock
       WHERE ${authoredBy(author)} AND ${isFree('location', orgId, { externalKey: location.external_key, tags })}
      RETURNING *
    ), attached AS (${insertTags('location', tags)})
    SELECT ${selected(locationFields, 'l')},
           (SELECT coalesce(json_agg(json_build_object('id', id, 'tag_type', tag_type, 'value', value) ORDER BY id), '[]')
              FROM attached) AS tags
      FROM made l`;
  return rows[0];
}

/**
 * Changes a live location and advances `updated_at`; undefined if there is no such location. The update locks the row, and a second
 * statement reads it: the snapshot of the update can be older than the lock, and than tags that were attached meanwhile.
 */
export async function changeLocation(
  tx: TransactionClient,
  orgId: number,
  { locationId, changes, author }: { locationId: number; changes: Changes<typeof locationFields>; author: Author },
): Promise<LocationRow | undefined> {
  const [changed, row] = await Promise.all([
    tx.$executeRaw`
      UPDATE locations l
         SET ${assignments(locationFields, 'l', changes)}
       WHERE l.org_id = ${orgId} AND l.id = ${locationId} AND l.deleted_at IS NULL AND ${authoredBy(author)}`,
    findLocation(tx, orgId, locationId),
  ]);
  return changed > 0 ? row : undefined;
}

/**
 * Returns what prevents the deletion of a location: the id of a live location and of a live asset in it. The caller
 * holds the lock on the organization's tree.
 */
export async function dependentsOf(
  tx: Queries,
  orgId: number,
  locationId: number,
): Promise<{ location: number | null; asset: number | null }> {
  const rows = await tx.$queryRaw<{ location: number | null; asset: number | null }[]>`
    SELECT (SELECT id FROM locations WHERE org_id = ${orgId} AND parent_id = ${locationId} AND deleted_at IS NULL LIMIT 1) AS location,
           (SELECT asset_id FROM asset_positions p
             WHERE p.org_id = ${orgId} AND p.location_id = ${locationId} AND ${ofLiveAsset('p')} LIMIT 1) AS asset`;
  return rows[0] ?? { location: null, asset: null };
}

/**
 * Retires live locations and their tags together, and deletes what was learned about them. They are locked in the order of their ids, so
 * that two calls never deadlock.
 */
export async function retireLocations(
  tx: Queries,
  orgId: number,
  { ids, author }: { ids: readonly number[]; author: Author },
): Promise<void> {
  await tx.$queryRaw`
    WITH held AS MATERIALIZED (
      SELECT l.id FROM locations l
       WHERE l.org_id = ${orgId} AND l.id = ANY(${[...ids]}::int[]) AND l.deleted_at IS NULL
       ORDER BY l.id
         FOR NO KEY UPDATE
    ), gone AS (
      UPDATE locations l SET deleted_at = ${currentInstant}
        FROM held
       WHERE l.org_id = ${orgId} AND l.id = held.id AND ${authoredBy(author)}
      RETURNING l.id, l.deleted_at
    ), retired AS (
      UPDATE tags t SET deleted_at = gone.deleted_at FROM gone WHERE t.org_id = ${orgId} AND t.location_id = gone.id
    ), forgotten AS (
      DELETE FROM location_pictures p USING gone WHERE p.org_id = ${orgId} AND p.location_id = gone.id
    )
    SELECT count(*)::int FROM gone`;
}
