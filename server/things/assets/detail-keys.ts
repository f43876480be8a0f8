import { z } from 'zod';
import { Prisma } from '../../../generated/prisma/client.js';
import { lastText } from '../../kernel/database/text-search.js';
import type { Queries } from '../../kernel/database/client.js';
import { sessionProcedure } from '../../trpc.js';
import { detailKeyField, detailValueField } from './table-input.js';

/** Keys that are listed; a longer list of details would not help anybody. */
const keysMax = 100;
const valuesMax = 20;

/** Returns the keys of custom details of live assets, in code point order, at most 100. */
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

/** Returns values of one key of live assets that begin with a text, in code point order, at most 20. */
export const listDetailValues = sessionProcedure('viewer')
  .input(input)
  .query(
    async ({ ctx, input: { key, q } }): Promise<{ values: string[] }> => ({
      values: await distinctTexts(ctx.services.db, {
        column: Prisma.raw('value'),
        within: Prisma.sql`v.org_id = ${ctx.orgId} AND v.key = ${key} AND v.value >= ${q} AND v.value < ${q + lastText}`,
        limit: valuesMax,
      }),
    }),
  );

type Distinct = { column: Prisma.Sql; within: Prisma.Sql; limit: number };

/** Reads one index entry for each text that it returns, however many assets have it. */
async function distinctTexts(db: Queries, { column, within, limit }: Distinct): Promise<string[]> {
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
