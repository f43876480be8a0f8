import { z } from 'zod';
import { recordChange } from '../../people/activity/record.js';
import { sessionProcedure } from '../../trpc.js';
import { requireLocation } from './procedure.js';
import { locationId } from './schemas.js';
import { resetPicture, readNames } from './signature-queries.js';

/** How well an antenna receives assets at a location, and in how many visits it was learned. */
export type LearnedAntenna = {
  reader_id: number;
  reader_name: string;
  antenna: number;
  /** How much quieter than the loudest antenna this one is, on average over the visits in which it read the asset. */
  below_loudest_db: number;
  /** Old visits count less; a calibration counts like several visits. */
  visits: number;
};

/**
 * Lists how well antennas receive assets at a location, loudest antenna first. This is learned from visits, and above all
 * from calibrations, handheld scans, and reads of the location's own tags. It is stored every 5 s.
 */
export const listSignatures = sessionProcedure('viewer')
  .input(z.strictObject(locationId))
  .query(async ({ ctx, input: { location_id } }): Promise<LearnedAntenna[]> => {
    const { db } = ctx.services;
    await requireLocation(db, ctx.orgId, location_id);
    return db.$queryRaw<LearnedAntenna[]>`
      SELECT r.id AS reader_id, r.name AS reader_name, a.port AS antenna,
             round(-a.sum_db / a.visits, 1)::float8 AS below_loudest_db,
             greatest(1, round(a.visits))::int AS visits
        FROM location_pictures p
       CROSS JOIN jsonb_to_recordset(p.antennas) AS a (reader int, port int, visits numeric, sum_db numeric)
        JOIN readers r ON r.org_id = p.org_id AND r.id = a.reader AND r.deleted_at IS NULL
       WHERE p.org_id = ${ctx.orgId} AND p.location_id = ${location_id} AND a.visits > 0
       ORDER BY below_loudest_db, reader_id, antenna`;
  });

/**
 * Deletes what was learned about a location, for example after its antennas were moved. Processes forget it within
 * seconds.
 */
export const resetSignatures = sessionProcedure('manager')
  .input(z.strictObject(locationId))
  .mutation(async ({ ctx, input: { location_id } }): Promise<Record<string, never>> => {
    const { db } = ctx.services;
    await requireLocation(db, ctx.orgId, location_id);
    await db.$transaction(async (tx) => {
      await resetPicture(tx, ctx.orgId, location_id);
      const { location: objectName } = await readNames(tx, ctx.orgId, { locationId: location_id });
      const change = { kind: 'location', objectId: location_id, objectName, action: 'calibration_reset' } as const;
      await recordChange(tx, ctx, change);
    });
    return {};
  });
