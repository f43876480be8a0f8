import { z } from 'zod';
import { type ListOf, pageOf, pagingFields, type CountedRow, type Paging } from '../../kernel/lists.js';
import { requireLocation } from '../../things/locations/procedure.js';
import { formatNullableTimestamp, formatTimestamp, type Stored } from '../../kernel/time.js';
import { sessionProcedure } from '../../trpc.js';
import { booleanParameter, idParameter, timestampParameter } from '../../kernel/validation/parameters.js';
import { filterFields } from '../../kernel/validation/resource-fields.js';
import { Prisma } from '../../../generated/prisma/client.js';
import { epochMs, inNaturalOrder, instant } from '../../kernel/database/columns.js';
import { type ContainerName, containersAt } from '../../kernel/database/containers.js';
import type { Queries } from '../../kernel/database/client.js';
import { type ListQuery, listQuery } from '../../kernel/database/list-query.js';
import { matches, textOnly } from '../../things/assets/search-conditions.js';
import { namedRow } from '../../things/locations/tree.js';
import { keptInstant, existedAt, locationsAt } from './instant.js';

/** An asset that was at a location at an instant, with its visit then. */
export type PresentAsset = {
  id: number;
  external_key: string;
  name: string;
  /** Whether the asset has been deleted since. */
  is_deleted: boolean;
  location: { id: number; name: string; external_key: string };
  /** The location that it belongs to now, whatever it was at the instant. */
  belongs_to_now: { id: number; name: string; is_deleted: boolean } | null;
  /** The containers that it was in then, from the inside out. */
  containers: ContainerName[];
  arrived_at: string;
  /** Null while the visit lasts. */
  left_at: string | null;
};

type PresentRow = Stored<PresentAsset, 'arrived_at' | 'left_at'>;

const input = z.strictObject({
  at: timestampParameter(),
  location_id: idParameter().exactOptional(),
  including_sublocations: booleanParameter().default(true),
  q: filterFields.q,
  ...pagingFields,
});

/**
 * Lists the assets that were at a location at an instant, by name, from visits; without a location, the assets that
 * were at any location. An instant in the future is the present.
 */
export const listPresentAssets = sessionProcedure('viewer')
  .input(input)
  .query(async ({ ctx, input: { at, location_id, including_sublocations, q, ...paging } }) => {
    const { db, settings } = ctx.services;
    const atMs = keptInstant(at, { field: 'at', nowMs: Date.now(), retentionDays: settings.eventRetentionDays });
    const locationId = location_id ?? null;
    await requireLocation(db, ctx.orgId, locationId);
    const request = { locationId, atMs, includingSublocations: including_sublocations, q, paging };
    const page: ListOf<PresentAsset> = pageOf(await listPresentRows(db, ctx.orgId, request), paging, present);
    return { at: formatTimestamp(atMs), ...page };
  });

function present(row: PresentRow): PresentAsset {
  return { ...row, arrived_at: formatTimestamp(row.arrived_at), left_at: formatNullableTimestamp(row.left_at) };
}

type PresentRequest = {
  locationId: number | null;
  atMs: number;
  includingSublocations: boolean;
  q: string | undefined;
  paging: Paging;
};

/**
 * Returns a page, by name, of the assets that were at a location at an instant, with the count of all of them. Visits
 * of a location are found with two indexes: one for open visits, and one for visits that ended after the instant.
 */
export async function listPresentRows(
  db: Queries,
  orgId: number,
  { locationId, atMs, includingSublocations, q, paging }: PresentRequest,
): Promise<CountedRow<PresentRow>[]> {
  const at = instant(atMs);
  const down = locationsAt(orgId, locationId, { atMs, below: includingSublocations });
  const search = q === undefined ? undefined : textOnly(orgId, q);
  const list: ListQuery = {
    given: Prisma.sql`${down}, present AS MATERIALIZED (
      SELECT v.asset_id, v.arrived_at, v.left_at, d.id AS location_id
        FROM down d
       CROSS JOIN LATERAL (
         SELECT o.asset_id, o.arrived_at, o.left_at
           FROM visits o
          WHERE o.org_id = ${orgId} AND o.location_id = d.id AND o.left_at IS NULL AND o.arrived_at <= ${at}
         UNION ALL
         SELECT o.asset_id, o.arrived_at, o.left_at
           FROM asset_visits o
          WHERE o.org_id = ${orgId} AND o.location_id = d.id AND o.left_at IS NOT NULL AND o.left_at > ${at}
            AND o.arrived_at <= ${at}
       ) v
    )`,
    source: Prisma.sql`
      present p
      JOIN assets a ON a.org_id = ${orgId} AND a.id = p.asset_id AND ${existedAt('a', atMs)}`,
    conditions: [search && matches(orgId, search, 'a')],
    columns: Prisma.raw(`
      a.id, a.name, a.external_key, a.deleted_at IS NOT NULL AS is_deleted, a.belongs_to_id, p.arrived_at, p.left_at, p.location_id`),
    order: Prisma.sql`${inNaturalOrder('a.name')}, a.id`,
    alias: 'a',
    paging,
  };
  return db.$queryRaw<CountedRow<PresentRow>[]>`
    ${listQuery(list)}
    SELECT counts.*, a.id, a.external_key, a.name, a.is_deleted, ${namedRow('l', 'external_key')} AS location,
           CASE WHEN o.id IS NOT NULL
                THEN json_build_object('id', o.id, 'name', o.name, 'is_deleted', o.deleted_at IS NOT NULL)
           END AS belongs_to_now,
           ${containersAt(orgId, 'a', atMs)} AS containers,
           ${epochMs('a.arrived_at')} AS arrived_at, ${epochMs('a.left_at')} AS left_at
      FROM counts
      LEFT JOIN page a ON true
      LEFT JOIN locations l ON l.org_id = ${orgId} AND l.id = a.location_id
      LEFT JOIN locations o ON o.org_id = ${orgId} AND o.id = a.belongs_to_id
     ORDER BY ${list.order}`;
}
