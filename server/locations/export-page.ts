import { z } from 'zod';
import { Prisma } from '../../generated/prisma/client.js';
import { exportPageFields, exportPageOf } from '../export-page.js';
import { sessionProcedure } from '../trpc.js';
import { type LocationRow, locationRow, viewLocation } from './view.js';

/** A page of an export of the live locations, by key. */
export const exportLocationsPage = sessionProcedure('viewer')
  .input(z.strictObject(exportPageFields))
  .query(async ({ ctx, input: { ids, after, limit } }) => {
    const chosen = ids === undefined ? Prisma.empty : Prisma.sql`AND l.id = ANY(${ids}::int[])`;
    const rows = await ctx.services.db.$queryRaw<LocationRow[]>`
      SELECT ${locationRow}
        FROM locations l
       WHERE l.org_id = ${ctx.orgId} AND l.deleted_at IS NULL AND l.external_key > ${after} ${chosen}
       ORDER BY l.external_key
       LIMIT ${limit}`;
    return exportPageOf(rows.map(viewLocation), limit);
  });
