import { z } from 'zod';
import { Prisma } from '../../generated/prisma/client.js';
import type { Database } from '../database/client.js';
import { sessionProcedure } from '../trpc.js';
import { detailKeyField, detailValueField } from './table-input.js';

/** Keys that are listed; an organization that uses more has more kinds of details than a list of them helps with. */
const keysMax = 100;
const valuesMax = 20;

/** Sorts after every text that goes on behind a prefix. */
const last = '\u{10FFFF}';

/** The keys of custom details that live assets have, in the order of code points, at most 100. */
export const listDetailKeys = sessionProcedure('viewer').query(
  async ({ ctx }): Promise<{ keys: string[] }> => ({
    keys: await distinctTexts(ctx.services.db, {
      column: Prisma.raw('key'),
      within: Prisma.sql`v.org_id = ${ctx.orgId}`,
      limit: keysMax,
    }),
  }),
);

const input = z.strictObject({ key: detailKeyField, q: detailValueField.default('') });

/** Values of one key that live assets have and that begin with a text, in the order of code points, at most 20. */
export const listDetailValues = sessionProcedure('viewer')
  .input(input)
  .query(
    async ({ ctx, input: { key, q } }): Promise<{ values: string[] }> => ({
      values: await distinctTexts(ctx.services.db, {
        column: Prisma.raw('value'),
        within: Prisma.sql`v.org_id = ${ctx.orgId} AND v.key = ${key} AND v.value >= ${q} AND v.value < ${q + last}`,
        limit: valuesMax,
      }),
    }),
  );

type Distinct = { column: Prisma.Sql; within: Prisma.Sql; limit: number };

/** Reads one entry of the index for each text that it returns, however many assets have it. */
async function distinctTexts(db: Pick<Database, '$queryRaw'>, { column, within, limit }: Distinct): Promise<string[]> {
  const rows = await db.$queryRaw<{ text: string }[]>`
    WITH RECURSIVE found AS (
      (SELECT v.${column} AS text FROM metadata_values v WHERE ${within} ORDER BY v.${column} LIMIT 1)
      UNION ALL
      SELECT (SELECT v.${column} FROM metadata_values v WHERE ${within} AND v.${column} > found.text ORDER BY v.${column} LIMIT 1)
        FROM found
       WHERE found.text IS NOT NULL
    )
    SELECT text FROM found WHERE text IS NOT NULL LIMIT ${limit}`;
  return rows.map(({ text }) => text);
}
