import { z } from 'zod';
import { Prisma } from '../generated/prisma/client.js';
import { fullRowsOf, type Listed, type LargeRow, type RowsContext } from './large-rows.js';
import type { TagParent } from './tags/queries.js';
import { idField } from './validation/fields.js';
import { integerParameter, textParameter } from './validation/parameters.js';

const idsMax = 1000;

/**
 * The parameters of every export page: chosen rows by id, if any, the key after which to continue, and the number of
 * rows.
 */
export const exportPageFields = {
  ids: z.array(idField('required')).max(idsMax).exactOptional(),
  after: textParameter({ min: 0, max: 255 }).default(''),
  limit: integerParameter({ min: 1, max: 1000 }).default(500),
};

/** The custom details and tags of one page, in bytes; a page ends at the row that reaches it. */
export const exportBytesMax = 4_194_304;

/** A row of an export: its bytes, without members that are read apart, and those of all rows up to it. */
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

/** Returns the rows of a page with all their members, as many as it has space for and at least one. */
export async function fullRowsOfPage<Full extends LargeRow, Read extends Listed<Full> & SizedRow>(
  { services: { db }, orgId, reserve }: RowsContext,
  parent: TagParent,
  read: readonly Read[],
): Promise<(Read & Full)[]> {
  let bytes = read.at(-1)?.bytes ?? 0;
  reserve?.(bytes);
  const rows: (Read & Full)[] = [];
  for await (const piece of fullRowsOf<Full, Read>(db, orgId, { parent, rows: read })) {
    reserve?.(piece.bytes);
    rows.push(...piece.rows);
    bytes += piece.bytes;
    if (bytes >= exportBytesMax) break;
  }
  return rows;
}

/**
 * Returns a page of an export; `next` continues it, null at the end.
 *
 * @param read the rows that were read; `data` may have fewer of them
 */
export function exportPageOf<Row extends { external_key: string }>(
  data: Row[],
  { read, limit }: { read: readonly SizedRow[]; limit: number },
): { data: Row[]; next: string | null } {
  const isEnd = data.length === read.length && read.length < limit && (read.at(-1)?.bytes ?? 0) < exportBytesMax;
  return { data, next: isEnd ? null : (data.at(-1)?.external_key ?? null) };
}
