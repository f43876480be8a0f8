import { z } from 'zod';
import { recordChange } from '../../people/activity/record.js';
import { formatTimestamp, type Stored } from '../../kernel/time.js';
import { sessionProcedure } from '../../trpc.js';
import { epochMs } from '../../kernel/database/columns.js';
import { requireLocation } from './procedure.js';
import { locationId } from './schemas.js';
import { deleteSignatures, readNames } from './signature-queries.js';

/** How strongly an antenna reads assets at a location, and how much data this was learned from. */
export type LearnedAntenna = {
  reader_id: number;
  reader_name: string;
  antenna: number;
  mean_dbm: number;
  /** Grows with the amount of data; at least 1. */
  samples: number;
  updated_at: string;
};

/**
 * Lists how antennas read assets at a location, strongest antenna first. This is learned mainly from calibrations,
 * handheld scans, and reads of the location's own tags, and stored every 5 s.
 */
export const listSignatures = sessionProcedure('viewer')
  .input(z.strictObject(locationId))
  .query(async ({ ctx, input: { location_id } }): Promise<LearnedAntenna[]> => {
    const { db } = ctx.services;
    await requireLocation(db, ctx.orgId, location_id);
    const rows = await db.$queryRaw<Stored<LearnedAntenna, 'updated_at'>[]>`
      SELECT s.reader_id, r.name AS reader_name, s.antenna, round(s.mean_dbm::numeric, 1)::float8 AS mean_dbm,
             s.reads::float8 AS samples, ${epochMs('s.updated_at')} AS updated_at
        FROM location_signatures s
        JOIN readers r ON r.org_id = s.org_id AND r.id = s.reader_id AND r.deleted_at IS NULL
       WHERE s.org_id = ${ctx.orgId} AND s.location_id = ${location_id}
       ORDER BY s.mean_dbm DESC, s.reader_id, s.antenna`;
    return rows.map((row) => ({
      ...row,
      samples: Math.max(1, Math.round(row.samples)),
      updated_at: formatTimestamp(row.updated_at),
    }));
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
      await deleteSignatures(tx, ctx.orgId, location_id);
      const { location: objectName } = await readNames(tx, ctx.orgId, { locationId: location_id });
      const change = { kind: 'location', objectId: location_id, objectName, action: 'calibration_reset' } as const;
      await recordChange(tx, ctx, change);
    });
    return {};
  });
