import { z } from 'zod';
import { Prisma } from '../../../generated/prisma/client.js';
import { authoredBy } from '../../people/activity/author.js';
import { nextInstant } from '../../kernel/database/columns.js';
import { sessionProcedure } from '../../trpc.js';
import { idField } from '../../kernel/validation/fields.js';
import { locationNotFound } from './procedure.js';
import { locationId } from './schemas.js';
import { oneLocation, upFrom } from './tree.js';

/** The mark of a location for the assets there, and the nearest mark above it; null for no mark. */
export type FreeMark = { own: boolean | null; above: { id: number; name: string; says: boolean } | null };

type MarkRow = { id: number; name: string; says: boolean | null; distance: number };

/** Returns whether assets at a live location are marked as free to use. */
export const getFreeMark = sessionProcedure('viewer')
  .input(z.strictObject(locationId))
  .query(async ({ ctx, input }): Promise<FreeMark> => {
    const start = Prisma.sql`${oneLocation(ctx.orgId, input.location_id)} AND l.deleted_at IS NULL`;
    const rows = await ctx.services.db.$queryRaw<MarkRow[]>`
      WITH RECURSIVE ${upFrom(ctx.orgId, start, { columns: ['name', 'assets_free'] })}
      SELECT id, name, assets_free AS says, distance FROM up
       WHERE distance = 0 OR assets_free IS NOT NULL
       ORDER BY distance
       LIMIT 2`;
    const [own, above] = rows;
    if (!own) throw locationNotFound();
    const said = above && above.says !== null ? { id: above.id, name: above.name, says: above.says } : null;
    return { own: own.says, above: said };
  });

const input = z.strictObject({ location_id: idField('required'), assets_free: z.boolean().nullable() });

/**
 * Marks the assets at a location as free to use or not. The mark also applies to sublocations without a mark of their
 * own; null removes the mark.
 */
export const setFreeMark = sessionProcedure('manager')
  .input(input)
  .mutation(async ({ ctx, input: { location_id: id, assets_free: free } }): Promise<void> => {
    const changed = await ctx.services.db.$executeRaw`
      UPDATE locations l SET assets_free = ${free}::boolean, updated_at = ${nextInstant('l.updated_at')}
       WHERE l.org_id = ${ctx.orgId} AND l.id = ${id} AND l.deleted_at IS NULL AND ${authoredBy(ctx.author)}`;
    if (changed === 0) throw locationNotFound();
  });
