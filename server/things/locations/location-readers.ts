import { z } from 'zod';
import { sessionProcedure } from '../../trpc.js';
import type { Database } from '../../kernel/database/client.js';
import { inNaturalOrder, timestamp } from '../../kernel/database/columns.js';
import { requireLocation } from './procedure.js';
import { locationId } from './schemas.js';

/**
 * Lists the readers that place assets at a location, because some of their antennas or the reader itself has this
 * location. By name.
 */
export const locationReaders = sessionProcedure('viewer')
  .input(z.strictObject(locationId))
  .query(async ({ ctx, input: { location_id } }): Promise<ReaderAt[]> => {
    const { db } = ctx.services;
    await requireLocation(db, ctx.orgId, location_id);
    return listReadersAt(db, ctx.orgId, location_id);
  });

/**
 * A reader at a location; `antennas` are the ports with this location, `is_own` is whether the reader itself has it.
 */
type ReaderAt = {
  id: number;
  name: string;
  is_own: boolean;
  antennas: number[];
  last_message_at: string | null;
};

async function listReadersAt(db: Database, orgId: number, locationId: number): Promise<ReaderAt[]> {
  return db.$queryRaw<ReaderAt[]>`
    SELECT r.id, r.name, coalesce(r.location_id = ${locationId}, false) AS is_own,
           coalesce(array_agg(a.port ORDER BY a.port) FILTER (WHERE a.port IS NOT NULL), '{}') AS antennas,
           ${timestamp('r.last_message_at')} AS last_message_at
      FROM readers r
      LEFT JOIN reader_antennas a ON a.reader_id = r.id AND a.org_id = ${orgId} AND a.location_id = ${locationId}
     WHERE r.org_id = ${orgId} AND r.deleted_at IS NULL
     GROUP BY r.id
    HAVING r.location_id = ${locationId} OR count(a.port) > 0
     ORDER BY ${inNaturalOrder('r.name')}, r.id`;
}
