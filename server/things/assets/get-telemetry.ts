import { z } from 'zod';
import { Prisma } from '../../../generated/prisma/client.js';
import { quantities, type Quantity } from '../telemetry/quantities.js';
import { sessionProcedure } from '../../trpc.js';
import { assetNotFound } from './procedure.js';
import { assetExists } from './queries.js';
import { assetId } from './schemas.js';

/** The last values that a tag of an asset measured; `at` is when each value was read. */
export type TagTelemetry = { tag_id: number; values: Partial<Record<Quantity, { value: number; at: string }>> };

const lastValues = Prisma.raw(
  quantities
    .map(
      (name) => `
        '${name}', CASE WHEN m.${name} IS NOT NULL
                        THEN json_build_object('value', m.${name}, 'at', api_timestamp(m.${name}_at)) END`,
    )
    .join(','),
);

/** Returns the last values of the tags of an asset, each with its time. Tags that measure nothing are missing. */
export const getTelemetry = sessionProcedure('viewer')
  .input(z.strictObject(assetId))
  .query(async ({ ctx, input }): Promise<{ tags: TagTelemetry[] }> => {
    const { db } = ctx.services;
    const tags = await db.$queryRaw<TagTelemetry[]>`
      SELECT t.id AS tag_id, json_strip_nulls(json_build_object(${lastValues})) AS values
        FROM tags t
        LEFT JOIN tag_telemetry m ON m.tag_id = t.id AND m.org_id = t.org_id
       WHERE t.org_id = ${ctx.orgId}::int AND t.asset_id = ${input.asset_id}::int AND t.deleted_at IS NULL
       ORDER BY t.id`;
    if (tags.length === 0 && !(await assetExists(db, ctx.orgId, input.asset_id))) throw assetNotFound();
    return { tags };
  });
