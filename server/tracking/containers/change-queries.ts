import { Prisma } from '../../../generated/prisma/client.js';
import { type ContainerName, levelsMax } from '../../kernel/database/containers.js';
import type { Queries, TransactionClient } from '../../kernel/database/client.js';
import { epochMs, instant } from '../../kernel/database/columns.js';
import type { Scope } from '../../people/activity/record.js';
import { containmentNoticesOf, positionsChannel } from '../live/notices.js';

/** What decides whether assets can be put into a container. */
export type Capacity = {
  /** The containers that the container is in, from the inside out. */
  above_ids: number[];
  direct_contents: number;
};

/** Returns the containers above a container, and the number of its direct contents. The caller has locked the tree. */
export async function capacityOf(
  tx: TransactionClient,
  orgId: number,
  containerId: number,
): Promise<Capacity | undefined> {
  const rows = await tx.$queryRaw<Capacity[]>`
    WITH RECURSIVE up AS (
      SELECT ${containerId}::int AS id, 0 AS level
      UNION ALL
      SELECT k.container_id, up.level + 1
        FROM up
        JOIN asset_containments k ON k.org_id = ${orgId} AND k.asset_id = up.id AND k.until IS NULL
        JOIN assets c ON c.org_id = ${orgId} AND c.id = k.container_id AND c.deleted_at IS NULL
       WHERE up.level <= ${levelsMax}
    )
    SELECT ARRAY(SELECT id FROM up WHERE level > 0 ORDER BY level) AS above_ids,
           (SELECT count(*)::int FROM asset_containments k
             WHERE k.org_id = ${orgId} AND k.container_id = c.id AND k.until IS NULL) AS direct_contents
      FROM assets c
     WHERE c.org_id = ${orgId} AND c.id = ${containerId} AND c.deleted_at IS NULL`;
  return rows[0];
}

/** An asset with the live container that it is in, and how many levels of assets are in it. */
export type AssetContainment = {
  asset_id: number;
  was_in: ContainerName | null;
  /** When it was last put into a container or left one, in epoch milliseconds; null for never. */
  changed_at: number | null;
  levels: number;
  location_id: number | null;
};

/** Returns assets with their containers, also assets that are in none. */
export async function findAssetContainments(
  tx: TransactionClient,
  orgId: number,
  assetIds: readonly number[],
): Promise<AssetContainment[]> {
  return tx.$queryRaw<AssetContainment[]>`
    WITH RECURSIVE down AS (
      SELECT g.id AS top, g.id, 0 AS level FROM unnest(${[...assetIds]}::int[]) AS g (id)
      UNION ALL
      SELECT d.top, k.asset_id, d.level + 1
        FROM down d
        JOIN asset_containments k ON k.org_id = ${orgId} AND k.container_id = d.id AND k.until IS NULL
       WHERE d.level <= ${levelsMax}
    ), deepest AS (
      SELECT top, max(level)::int AS levels FROM down GROUP BY top
    )
    SELECT d.top AS asset_id, d.levels, p.location_id,
           (SELECT ${epochMs('greatest(max(h.since), max(h.until))')}
              FROM asset_containments h
             WHERE h.org_id = ${orgId} AND h.asset_id = d.top) AS changed_at,
           CASE WHEN c.id IS NOT NULL THEN json_build_object('id', c.id, 'name', c.name, 'external_key', c.external_key) END AS was_in
      FROM deepest d
      LEFT JOIN asset_containments k ON k.org_id = ${orgId} AND k.asset_id = d.top AND k.until IS NULL
      LEFT JOIN assets c ON c.org_id = ${orgId} AND c.id = k.container_id AND c.deleted_at IS NULL
      LEFT JOIN asset_positions p ON p.org_id = ${orgId} AND p.asset_id = d.top`;
}

/** Where a container is, null for no location, and since when, in epoch milliseconds. */
export type ContainerPosition = { location_id: number | null; since: number };

/** Returns the position of a container, which does not change while the tree is locked; undefined if it was never seen. */
export async function positionOfContainer(
  tx: TransactionClient,
  orgId: number,
  id: number,
): Promise<ContainerPosition | undefined> {
  const rows = await tx.$queryRaw<ContainerPosition[]>`
    SELECT p.location_id, ${epochMs('p.located_since')} AS since
      FROM asset_positions p
     WHERE p.org_id = ${orgId} AND p.asset_id = ${id}`;
  return rows[0];
}

/** Who or what ends containments. */
export type Ending = { by: 'person' | 'reads'; userId: number | null };

/**
 * How an open containment `k` in the container `c` ends, when the asset of `g` leaves: one in a container that was deleted before has
 * ended with the deletion.
 */
const ended = ({ by, userId }: Ending): Prisma.Sql => {
  const isLive = Prisma.sql`c.deleted_at IS NULL OR c.deleted_at > g.left_at`;
  return Prisma.sql`
  until = greatest(k.since, CASE WHEN ${isLive} THEN g.left_at ELSE c.deleted_at END),
  ended_by = CASE WHEN ${isLive} THEN ${by} ELSE 'deletion' END,
  taken_out_by = CASE WHEN ${isLive} THEN ${userId}::int END`;
};

/**
 * Ends the open containments of assets, and returns the assets that were in a live container. Writes an entry of the activity log
 * for each of them, unless they are put into another container at once.
 *
 * @param leaving when each asset leaves, in epoch milliseconds
 */
export async function endContainments(
  tx: TransactionClient,
  { orgId, author }: Scope,
  { leaving, isPutElsewhere, ...ending }: Ending & { leaving: ReadonlyMap<number, number>; isPutElsewhere: boolean },
): Promise<{ asset_id: number; was_in: ContainerName }[]> {
  return tx.$queryRaw<{ asset_id: number; was_in: ContainerName }[]>`
    WITH given AS MATERIALIZED (
      SELECT l.asset_id, to_timestamp(l.ms / 1000) AS left_at
        FROM unnest(${[...leaving.keys()]}::int[], ${[...leaving.values()]}::float8[]) AS l (asset_id, ms)
    ), gone AS (
      UPDATE asset_containments k
         SET ${ended(ending)}
        FROM given g, assets c
       WHERE k.org_id = ${orgId} AND k.asset_id = g.asset_id AND k.until IS NULL
         AND c.org_id = k.org_id AND c.id = k.container_id
      RETURNING k.asset_id, k.ended_by, c.id, c.name, c.external_key
    ), logged AS (
      INSERT INTO activity_log (org_id, occurred_at, kind, object_id, object_name, action, entry_point, actor, batch_id, before)
      SELECT ${orgId}, date_trunc('milliseconds', clock_timestamp()), 'asset', a.id::text, a.name, 'taken_out',
             ${author.entryPoint}, ${author.actor}, ${author.batchId ?? null}::uuid, ${containerFacts('g')}
        FROM gone g
        JOIN assets a ON a.org_id = ${orgId} AND a.id = g.asset_id
       WHERE g.ended_by <> 'deletion' AND NOT ${isPutElsewhere}
    )
    SELECT g.asset_id, json_build_object('id', g.id, 'name', g.name, 'external_key', g.external_key) AS was_in
      FROM gone g
     WHERE g.ended_by <> 'deletion'`;
}

/** The facts of an entry about a container, whose row is `alias`; the entry names it as entries name other rows. */
function containerFacts(alias: string): Prisma.Sql {
  const of = Prisma.raw(alias);
  return Prisma.sql`json_build_object('container', ${of}.name || ' (' || ${of}.external_key || ')', 'container_id', ${of}.id)`;
}

/** Ends the containments of assets in deleted containers. @param assetIds the container and those that it is in */
export async function endInDeleted(tx: TransactionClient, orgId: number, assetIds: readonly number[]): Promise<void> {
  await tx.$executeRaw`
    UPDATE asset_containments k
       SET until = greatest(k.since, c.deleted_at), ended_by = 'deletion'
      FROM assets c
     WHERE k.org_id = ${orgId} AND k.asset_id = ANY(${[...assetIds]}::int[]) AND k.until IS NULL
       AND c.org_id = k.org_id AND c.id = k.container_id AND c.deleted_at IS NOT NULL`;
}

/**
 * Ends the containments of deleted assets that are in the given ones, at any level, as of their deletion: they then count
 * neither as contents nor as a level. Once they are restored, they are in no container.
 */
export async function endOfDeletedInside(
  tx: TransactionClient,
  orgId: number,
  assetIds: readonly number[],
): Promise<void> {
  await tx.$executeRaw`
    WITH RECURSIVE down AS (
      SELECT NULL::int AS containment_id, g.id AS asset_id, 0 AS level FROM unnest(${[...assetIds]}::int[]) AS g (id)
      UNION ALL
      SELECT k.id, k.asset_id, d.level + 1
        FROM down d
        JOIN asset_containments k ON k.org_id = ${orgId} AND k.container_id = d.asset_id AND k.until IS NULL
       WHERE d.level <= ${levelsMax}
    )
    UPDATE asset_containments k
       SET until = greatest(k.since, a.deleted_at), ended_by = 'deletion'
      FROM down d, assets a
     WHERE k.org_id = ${orgId} AND k.id = d.containment_id AND a.org_id = k.org_id AND a.id = k.asset_id AND a.deleted_at IS NOT NULL`;
}

/** What assets were in before, by their ids. */
export type WasIn = ReadonlyMap<number, ContainerName | null>;

/** Puts assets into a container, with an entry of the activity log for each of them. Each asset is in none. */
export async function startContainments(
  tx: TransactionClient,
  { orgId, author }: Scope,
  { containerId, wasIn, userId, atMs }: { containerId: number; wasIn: WasIn; userId: number | null; atMs: number },
): Promise<void> {
  const formerIds = [...wasIn.values()].map((container) => container?.id ?? null);
  await tx.$executeRaw`
    WITH given AS (
      SELECT * FROM unnest(${[...wasIn.keys()]}::int[], ${formerIds}::int[]) AS g (asset_id, former_id)
    ), started AS (
      INSERT INTO asset_containments (org_id, asset_id, container_id, since, put_in_by)
      SELECT ${orgId}, g.asset_id, ${containerId}::int, ${instant(atMs)}, ${userId}::int FROM given g
    )
    INSERT INTO activity_log (org_id, occurred_at, kind, object_id, object_name, action, entry_point, actor, batch_id, before, after)
    SELECT ${orgId}, date_trunc('milliseconds', clock_timestamp()), 'asset', a.id::text, a.name, 'put_in',
           ${author.entryPoint}, ${author.actor}, ${author.batchId ?? null}::uuid, CASE WHEN f.id IS NOT NULL THEN ${containerFacts('f')} END, ${containerFacts('c')}
      FROM given g
      JOIN assets a ON a.org_id = ${orgId} AND a.id = g.asset_id
      JOIN assets c ON c.org_id = ${orgId} AND c.id = ${containerId}::int
      LEFT JOIN assets f ON f.org_id = ${orgId} AND f.id = g.former_id`;
}

/** Announces changed containments to live views when the transaction commits. @param assetIds what was moved, and the containers */
export async function announceContainments(
  tx: TransactionClient,
  orgId: number,
  assetIds: readonly number[],
): Promise<void> {
  const notices = containmentNoticesOf(orgId, [...new Set(assetIds)]);
  if (notices.length === 0) return;
  await tx.$queryRaw`
    SELECT count(pg_notify(${positionsChannel}, n.payload)::text)::int FROM unnest(${notices}::text[]) AS n (payload)`;
}

/** Returns a live asset by its id as the name of a container; null if there is none. */
export async function nameOfContainer(db: Queries, orgId: number, id: number): Promise<ContainerName | null> {
  const rows = await db.$queryRaw<ContainerName[]>`
    SELECT a.id, a.name, a.external_key FROM assets a
     WHERE a.org_id = ${orgId} AND a.id = ${id} AND a.deleted_at IS NULL`;
  return rows[0] ?? null;
}
