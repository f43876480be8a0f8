import { Prisma } from '../../../generated/prisma/client.js';
import type { Queries } from '../../kernel/database/client.js';
import { inNaturalOrder, epochMs } from '../../kernel/database/columns.js';
import { type ContainerName, contentsMax, heldAt } from '../../kernel/database/containers.js';
import { type CountedRow, type ListOf, pageOf, type Paging } from '../../kernel/lists.js';
import { type ListQuery, listQuery } from '../../kernel/database/list-query.js';
import { formatNullableTimestamp, formatTimestamp, type Stored } from '../../kernel/time.js';
import { type PlacedAsset, readPlacedAssets } from '../../things/assets/placed-asset.js';
import { assetNotFound } from '../../things/assets/procedure.js';
import { matches, textOnly } from '../../things/assets/search-conditions.js';
import { sessionProcedure } from '../../trpc.js';
import { keptInstant } from '../visits/instant.js';
import { nameOfContainer } from './change-queries.js';
import { assetInput, atInput, contentsInput, pastInput } from './schemas.js';

type Person = { id: number; name: string };

/** A live asset in a container. */
export type ContainedAsset = PlacedAsset & {
  since: string;
  /** Null if the account no longer exists, or the service put it in. */
  put_in_by: Person | null;
  /** Whether its own reads place it elsewhere than the container. */
  is_elsewhere: boolean;
};

/** Lists the live assets that are directly in a container, by name. */
export const listContents = sessionProcedure('viewer')
  .input(contentsInput)
  .query(async ({ ctx, input: { container_id: containerId, q, ...paging } }): Promise<ListOf<ContainedAsset>> => {
    const { db } = ctx.services;
    if (!(await nameOfContainer(db, ctx.orgId, containerId))) throw assetNotFound();
    const page = pageOf(await contentRows(db, ctx.orgId, { containerId, q, paging }), paging, (row) => row);
    const assets = await readPlacedAssets(db, ctx.orgId, { ids: page.data.map(({ id }) => id) });
    const rows = new Map(page.data.map((row) => [row.id, row]));
    const data = assets.flatMap((asset): ContainedAsset[] => {
      const row = rows.get(asset.id);
      if (!row) return [];
      const { since, put_in_by, is_elsewhere } = row;
      return [{ ...asset, since: formatTimestamp(since), put_in_by, is_elsewhere }];
    });
    return { ...page, data };
  });

type ContentRow = { id: number; since: number; put_in_by: Person | null; is_elsewhere: boolean };

async function contentRows(
  db: Queries,
  orgId: number,
  { containerId, q, paging }: { containerId: number; q: string | undefined; paging: Paging },
): Promise<CountedRow<ContentRow>[]> {
  const list: ListQuery = {
    source: Prisma.sql`
      asset_containments k
      JOIN assets a ON a.org_id = k.org_id AND a.id = k.asset_id AND a.deleted_at IS NULL`,
    conditions: [
      Prisma.sql`k.org_id = ${orgId} AND k.container_id = ${containerId} AND k.until IS NULL`,
      q === undefined ? undefined : matches(orgId, textOnly(orgId, q), 'a'),
    ],
    columns: Prisma.raw('a.id, a.name, k.since, k.put_in_by, k.container_id'),
    order: Prisma.sql`${inNaturalOrder('a.name')}, a.id`,
    alias: 'a',
    paging,
  };
  return db.$queryRaw<CountedRow<ContentRow>[]>`
    ${listQuery(list)}
    SELECT counts.*, a.id, ${epochMs('a.since')} AS since,
           (SELECT json_build_object('id', u.id, 'name', u.name) FROM users u WHERE u.id = a.put_in_by) AS put_in_by,
           coalesce(p.location_id <> c.location_id, false) AS is_elsewhere
      FROM counts
      LEFT JOIN page a ON true
      LEFT JOIN asset_positions p ON p.org_id = ${orgId} AND p.asset_id = a.id
      LEFT JOIN asset_positions c ON c.org_id = ${orgId} AND c.asset_id = a.container_id
     ORDER BY ${list.order}`;
}

/** What is in an asset, and where that is, if some of it is elsewhere by its own reads. */
export type ContainerSummary = {
  /** Whether assets of its kind hold others. */
  holds_assets: boolean;
  /** The assets that are directly in it. */
  count: number;
  /** How many of them are at other locations, most first. */
  elsewhere: { location: { id: number; name: string }; count: number }[];
};

export const summarizeContainer = sessionProcedure('viewer')
  .input(assetInput)
  .query(async ({ ctx, input: { asset_id: assetId } }): Promise<ContainerSummary> => {
    const summary = await findSummary(ctx.services.db, ctx.orgId, assetId);
    if (!summary) throw assetNotFound();
    return summary;
  });

async function findSummary(db: Queries, orgId: number, assetId: number): Promise<ContainerSummary | undefined> {
  const rows = await db.$queryRaw<ContainerSummary[]>`
    WITH inside AS MATERIALIZED (
      SELECT p.location_id
        FROM asset_containments k
        JOIN assets a ON a.org_id = k.org_id AND a.id = k.asset_id AND a.deleted_at IS NULL
        LEFT JOIN asset_positions p ON p.org_id = k.org_id AND p.asset_id = k.asset_id
       WHERE k.org_id = ${orgId} AND k.container_id = ${assetId} AND k.until IS NULL
    ), elsewhere AS (
      SELECT i.location_id, count(*)::int AS count
        FROM inside i
       WHERE i.location_id IS NOT NULL
         AND i.location_id IS DISTINCT FROM (SELECT p.location_id FROM asset_positions p
                                              WHERE p.org_id = ${orgId} AND p.asset_id = ${assetId})
       GROUP BY i.location_id
    )
    SELECT coalesce(h.holds_assets, false) AS holds_assets, (SELECT count(*)::int FROM inside) AS count,
           (SELECT coalesce(json_agg(json_build_object('location', json_build_object('id', l.id, 'name', l.name), 'count', e.count)
                                     ORDER BY e.count DESC, l.name), '[]')
              FROM elsewhere e JOIN locations l ON l.org_id = ${orgId} AND l.id = e.location_id) AS elsewhere
      FROM assets a
      LEFT JOIN asset_kinds h ON h.org_id = a.org_id AND h.id = a.kind_id
     WHERE a.org_id = ${orgId} AND a.id = ${assetId} AND a.deleted_at IS NULL`;
  return rows[0];
}

type EndedBy = 'person' | 'reads' | 'deletion';

/** An asset that was in a container at an instant. */
export type FormerContent = ContainerName & {
  /** Whether the asset has been deleted since. */
  is_deleted: boolean;
  since: string;
  /** Null while it lasts, like `ended_by`. */
  until: string | null;
  ended_by: EndedBy | null;
};

type FormerRow = Stored<FormerContent, 'since' | 'until'>;

/** Returns what was in a container at an instant, by name. The end of a containment in a deleted container is its deletion. */
export const listContentsAt = sessionProcedure('viewer')
  .input(atInput)
  .query(async ({ ctx, input: { container_id: containerId, at } }): Promise<{ data: FormerContent[] }> => {
    const { db, settings } = ctx.services;
    const atMs = keptInstant(at, { field: 'at', nowMs: Date.now(), retentionDays: settings.eventRetentionDays });
    const rows = await contentsAt(db, ctx.orgId, { containerId, atMs });
    return {
      data: rows.map(({ id, name, external_key, is_deleted, since, until, ended_by }) => ({
        id,
        name,
        external_key,
        is_deleted,
        since: formatTimestamp(since),
        until: formatNullableTimestamp(until),
        ended_by,
      })),
    };
  });

/** When and by what the containment `k` in the container `c` ended. */
const ended = Prisma.sql`
  ${epochMs('coalesce(k.until, c.deleted_at)')} AS until,
  coalesce(k.ended_by, CASE WHEN c.deleted_at IS NOT NULL THEN 'deletion' END) AS ended_by`;

async function contentsAt(
  db: Queries,
  orgId: number,
  { containerId, atMs }: { containerId: number; atMs: number },
): Promise<FormerRow[]> {
  const { holds, exists } = heldAt(atMs);
  return db.$queryRaw<FormerRow[]>`
    SELECT a.id, a.name, a.external_key, a.deleted_at IS NOT NULL AS is_deleted, ${epochMs('k.since')} AS since, ${ended}
      FROM asset_containments k
      JOIN assets c ON c.org_id = k.org_id AND c.id = k.container_id AND ${exists}
      JOIN assets a ON a.org_id = k.org_id AND a.id = k.asset_id
     WHERE k.org_id = ${orgId} AND k.container_id = ${containerId} AND ${holds}
     ORDER BY ${inNaturalOrder('a.name')}, a.id
     LIMIT ${contentsMax}`;
}

/** A container that an asset is or was in. */
export type PastContainer = {
  id: number;
  container: ContainerName & { is_deleted: boolean };
  since: string;
  put_in_by: Person | null;
  until: string | null;
  ended_by: EndedBy | null;
  taken_out_by: Person | null;
};

type PastRow = Stored<PastContainer, 'since' | 'until'>;

/** Lists the containers that an asset has been in, the last one first. */
export const listPastContainers = sessionProcedure('viewer')
  .input(pastInput)
  .query(async ({ ctx, input: { asset_id: assetId, ...paging } }): Promise<ListOf<PastContainer>> => {
    const { db } = ctx.services;
    if (!(await nameOfContainer(db, ctx.orgId, assetId))) throw assetNotFound();
    return pageOf(await pastRows(db, ctx.orgId, { assetId, paging }), paging, (row) => ({
      id: row.id,
      container: row.container,
      since: formatTimestamp(row.since),
      put_in_by: row.put_in_by,
      until: formatNullableTimestamp(row.until),
      ended_by: row.ended_by,
      taken_out_by: row.taken_out_by,
    }));
  });

async function pastRows(
  db: Queries,
  orgId: number,
  { assetId, paging }: { assetId: number; paging: Paging },
): Promise<CountedRow<PastRow>[]> {
  const list: ListQuery = {
    source: Prisma.raw('asset_containments k'),
    conditions: [Prisma.sql`k.org_id = ${orgId} AND k.asset_id = ${assetId}`],
    columns: Prisma.raw('k.*'),
    order: Prisma.raw('k.since DESC, k.id DESC'),
    alias: 'k',
    paging,
  };
  const person = (column: string) => Prisma.sql`(
    SELECT json_build_object('id', u.id, 'name', u.name) FROM users u WHERE u.id = ${Prisma.raw(column)})`;
  return db.$queryRaw<CountedRow<PastRow>[]>`
    ${listQuery(list)}
    SELECT counts.*, k.id, ${epochMs('k.since')} AS since, ${ended}, ${person('k.put_in_by')} AS put_in_by,
           ${person('k.taken_out_by')} AS taken_out_by,
           CASE WHEN c.id IS NOT NULL
                THEN json_build_object('id', c.id, 'name', c.name, 'external_key', c.external_key, 'is_deleted', c.deleted_at IS NOT NULL)
           END AS container
      FROM counts
      LEFT JOIN page k ON true
      LEFT JOIN assets c ON c.org_id = ${orgId} AND c.id = k.container_id
     ORDER BY ${list.order}`;
}
