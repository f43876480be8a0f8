import { z } from 'zod';
import { sessionProcedure } from '../../trpc.js';
import { integerParameter, timestampParameter } from '../../kernel/validation/parameters.js';
import { Prisma } from '../../../generated/prisma/client.js';
import type { Database } from '../../kernel/database/client.js';
import { type Placement, placementOf } from '../../kernel/database/placements.js';
import { instant, timestamp } from '../../kernel/database/columns.js';
import { allOf, type CountedRow } from '../../kernel/lists.js';
import { type LocationWithPath, readLocationPaths } from './location-paths.js';
import { assetNotFound } from './procedure.js';
import { assetId } from './schemas.js';

const visitsMax = 100;

/** The time that an asset spent at one location, from its arrival to the first read elsewhere. */
export type Visit = {
  /** Null if the reader that saw it had no location. */
  location: LocationWithPath | null;
  arrived_at: string;
  /** Null while the visit lasts. */
  left_at: string | null;
  /** Null while the visit lasts. */
  duration_seconds: number | null;
  /** When it was seen or placed there last. */
  last_seen_at: string;
  /** Who placed it there, if the visit began without a scan. */
  placement: Placement | null;
};

type VisitRow = Omit<Visit, 'location'> & { location_id: number | null };

export type VisitPage = {
  data: Visit[];
  /** The value of `before` for the next page; null at the end. */
  next_before: string | null;
};

const input = z.strictObject({
  ...assetId,
  limit: integerParameter({ min: 1, max: visitsMax }).default(20),
  before: timestampParameter().exactOptional(),
  from: timestampParameter().exactOptional(),
  to: timestampParameter().exactOptional(),
});

/**
 * Lists the visits of a live asset, newest first: all of them, or those that overlap the time from `from` until `to`. `before` is
 * the arrival of the last visit of the previous page.
 */
export const listVisits = sessionProcedure('viewer')
  .input(input)
  .query(async ({ ctx, input: { asset_id: asset, limit, before, from, to } }): Promise<VisitPage> => {
    const { db } = ctx.services;
    const rows = await listVisitRows(db, ctx.orgId, {
      assetId: asset,
      limit: limit + 1,
      beforeMs: before,
      fromMs: from,
      toMs: to,
    });
    if (!rows) throw assetNotFound();
    const shown = rows.slice(0, limit);
    const locations = await readLocationPaths(
      db,
      ctx.orgId,
      shown.map(({ location_id }) => location_id),
    );
    const data = shown.map(({ location_id: id, ...row }) => ({ ...row, location: locations.get(id ?? 0) ?? null }));
    return { data, next_before: rows.length > limit ? (data.at(-1)?.arrived_at ?? null) : null };
  });

type VisitQuery = {
  assetId: number;
  limit: number;
  beforeMs: number | undefined;
  /** Only visits that lasted beyond this instant. */
  fromMs: number | undefined;
  /** Only visits that began before this instant. */
  toMs: number | undefined;
};

/**
 * Returns up to `limit` visits of a live asset that began before an instant and overlap a range, newest first, or
 * undefined if there is no such asset. Reads no more rows than it returns: visits are found by key, and only the last
 * visit that began before the range can overlap it. An open visit has the position's time.
 */
async function listVisitRows(
  db: Database,
  orgId: number,
  { assetId, limit, beforeMs, fromMs, toMs }: VisitQuery,
): Promise<VisitRow[] | undefined> {
  const conditions = allOf([
    Prisma.sql`v.org_id = ${orgId}`,
    Prisma.sql`v.asset_id = ${assetId}`,
    beforeMs === undefined ? undefined : Prisma.sql`v.arrived_at < ${instant(beforeMs)}`,
    toMs === undefined ? undefined : Prisma.sql`v.arrived_at < ${instant(toMs)}`,
    fromMs === undefined
      ? undefined
      : Prisma.sql`
          v.arrived_at >= coalesce((SELECT max(o.arrived_at)
                                      FROM visits o
                                     WHERE o.org_id = ${orgId} AND o.asset_id = ${assetId} AND o.arrived_at <= ${instant(fromMs)}),
                                   ${instant(fromMs)})
          AND (v.left_at IS NULL OR v.left_at > ${instant(fromMs)})`,
  ]);
  const rows = await db.$queryRaw<CountedRow<VisitRow, object>[]>`
    SELECT visit.location_id, ${timestamp('visit.arrived_at')} AS arrived_at, ${timestamp('visit.left_at')} AS left_at,
           floor(date_part('epoch', visit.left_at - visit.arrived_at)) AS duration_seconds,
           ${timestamp('coalesce(visit.last_seen_at, p.asset_last_seen, visit.arrived_at)')} AS last_seen_at,
           ${placementOf(orgId, 'visit', 'arrived_at')} AS placement
      FROM assets a
      LEFT JOIN LATERAL (
        SELECT v.asset_id, v.arrived_at, v.left_at, v.last_seen_at, v.location_id
          FROM visits v
         WHERE ${conditions}
         ORDER BY v.arrived_at DESC
         LIMIT ${limit}::int
      ) visit ON true
      LEFT JOIN asset_positions p ON p.org_id = a.org_id AND p.asset_id = a.id
     WHERE a.org_id = ${orgId} AND a.id = ${assetId} AND a.deleted_at IS NULL
     ORDER BY visit.arrived_at DESC`;
  if (rows.length === 0) return undefined;
  return rows.filter((row) => row.arrived_at !== null);
}

const deletedAtOnceMax = 2000;

/**
 * Deletes visits that ended before the retention of events. Works in batches, so that other transactions wait for at
 * most one batch.
 */
export async function removeOldVisits(db: Database, retentionDays: number): Promise<void> {
  for (let removed = deletedAtOnceMax; removed === deletedAtOnceMax; ) {
    removed = await db.$executeRaw`
      DELETE FROM asset_visits v
       USING (
         SELECT o.org_id, o.asset_id, o.arrived_at
           FROM asset_visits o
          WHERE o.left_at < now() - make_interval(days => ${retentionDays}::int)
          LIMIT ${deletedAtOnceMax}::int
            FOR UPDATE SKIP LOCKED
       ) old
       WHERE v.org_id = old.org_id AND v.asset_id = old.asset_id AND v.arrived_at = old.arrived_at`;
  }
}
