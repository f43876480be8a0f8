import { z } from 'zod';
import { Prisma } from '../../../generated/prisma/client.js';
import { boundedPart, exportPageFields, readExportPage, type SizedRow } from '../../kernel/export-page.js';
import { pageQuery } from '../../kernel/database/list-query.js';
import { sessionProcedure } from '../../trpc.js';
import { type LocationRow, locationRow, viewLocation } from './view.js';

/** Returns a page of an export of the live locations, by key; large rows make it shorter than its limit. */
export const exportLocationsPage = sessionProcedure('viewer')
  .input(z.strictObject(exportPageFields))
  .query(async ({ ctx, input: { ids, ...input } }) => {
    const { rows, next } = await readExportPage(input, async (part) => {
      const locations = pageQuery({
        source: Prisma.raw('locations l'),
        conditions: [
          Prisma.sql`l.org_id = ${ctx.orgId} AND l.deleted_at IS NULL AND l.external_key > ${part.after}`,
          ids && Prisma.sql`l.id = ANY(${ids}::int[])`,
        ],
        columns: locationRow,
        order: Prisma.raw('l.external_key'),
        paging: { limit: part.limit },
      });
      return ctx.services.db.$queryRaw<(LocationRow & SizedRow)[]>`
        ${boundedPart(locations, Prisma.sql`coalesce(octet_length(tags::text), 0)`, part)}
         ORDER BY sized.external_key`;
    });
    return { data: rows.map(viewLocation), next };
  });
