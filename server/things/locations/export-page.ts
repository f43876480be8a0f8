import { z } from 'zod';
import { Prisma } from '../../../generated/prisma/client.js';
import { boundedPage, type SizedRow, exportPageFields, exportPageOf } from '../../kernel/export-page.js';
import { sessionProcedure } from '../../trpc.js';
import { type LocationRow, locationRow, viewLocation } from './view.js';

/** Returns a page of an export of the live locations, by key; large rows make it shorter than its limit. */
export const exportLocationsPage = sessionProcedure('viewer')
  .input(z.strictObject(exportPageFields))
  .query(async ({ ctx, input: { ids, after, limit } }) => {
    const chosen = ids === undefined ? Prisma.empty : Prisma.sql`AND l.id = ANY(${ids}::int[])`;
    const rows = await ctx.services.db.$queryRaw<(LocationRow & SizedRow)[]>`
      ${boundedPage(
        Prisma.sql`
        SELECT ${locationRow}
          FROM locations l
         WHERE l.org_id = ${ctx.orgId} AND l.deleted_at IS NULL AND l.external_key > ${after} ${chosen}
         ORDER BY l.external_key
         LIMIT ${limit}`,
        Prisma.sql`coalesce(octet_length(tags::text), 0)`,
      )}
       ORDER BY sized.external_key`;
    return exportPageOf(rows.map(viewLocation), { bytes: rows.at(-1)?.bytes ?? 0, limit });
  });
