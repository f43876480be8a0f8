import { z } from 'zod';
import { Prisma } from '../../generated/prisma/client.js';
import { idField } from './validation/fields.js';
import { integerParameter, textParameter } from './validation/parameters.js';

const idsMax = 1000;

/**
 * The parameters of every export page: the ids of chosen rows, if any, the key after which to continue, and the number
 * of rows.
 */
export const exportPageFields = {
  ids: z.array(idField('required')).max(idsMax).exactOptional(),
  after: textParameter({ min: 0, max: 255 }).default(''),
  limit: integerParameter({ min: 1, max: 1000 }).default(500),
};

/** The custom details and tags of one page, in bytes; a page ends at the row that reaches it. */
export const exportBytesMax = 524_288;

/** A row of an export: its bytes, and the bytes of all rows up to it. */
export type SizedRow = { external_key: string; size: number; bytes: number };

/**
 * Selects the first rows of a page, of a statement that selects them by key. The page ends at the row that reaches
 * `exportBytesMax`.
 *
 * @param size an expression for the bytes of a row
 */
export function boundedPage(rows: Prisma.Sql, size: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`
    SELECT *
      FROM (SELECT measured.*, sum(measured.size) OVER (ORDER BY measured.external_key)::int AS bytes
              FROM (SELECT chosen.*, ${size} AS size FROM (${rows}) chosen) measured) sized
     WHERE sized.bytes - sized.size < ${exportBytesMax}`;
}

/**
 * Returns a page of an export; `next` continues it, null at the end.
 *
 * @param bytes the bytes of all rows of the page
 */
export function exportPageOf<Row extends { external_key: string }>(
  data: Row[],
  { bytes, limit }: { bytes: number; limit: number },
): { data: Row[]; next: string | null } {
  const isEnd = data.length < limit && bytes < exportBytesMax;
  return { data, next: isEnd ? null : (data.at(-1)?.external_key ?? null) };
}
