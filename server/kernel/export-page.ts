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
const pageBytesMax = 524_288;
/**
 * The rows that a page asks the database for at first; each further part is three times as long. The database measures all
 * rows of a part, so without parts it would measure a thousand large rows for the thirty that fit into a page.
 */
const firstPartRows = 50;

/** A row of an export: its bytes, and the bytes of all rows of its part up to it. */
export type SizedRow = { external_key: string; size: number; bytes: number };

/** The rows that follow a key: at most `limit`, up to the row that reaches `bytesMax`. */
export type Part = { after: string; limit: number; bytesMax: number };

/**
 * Selects the rows of a part, of a statement that selects its first `limit` rows by key.
 *
 * @param size an expression for the bytes of a row
 */
export function boundedPart(rows: Prisma.Sql, size: Prisma.Sql, { bytesMax }: Part): Prisma.Sql {
  return Prisma.sql`
    SELECT *
      FROM (SELECT measured.*, sum(measured.size) OVER (ORDER BY measured.external_key)::int AS bytes
              FROM (SELECT chosen.*, ${size} AS size FROM (${rows}) chosen) measured) sized
     WHERE sized.bytes - sized.size < ${bytesMax}`;
}

/** Reads a page of an export, part by part; `next` continues it, null at the end. */
export async function readExportPage<Row extends SizedRow>(
  { after, limit }: { after: string; limit: number },
  readPart: (part: Part) => Promise<Row[]>,
): Promise<{ rows: Row[]; next: string | null }> {
  const rows: Row[] = [];
  let bytes = 0;
  for (let partRows = firstPartRows; ; partRows *= 3) {
    const partLimit = Math.min(partRows, limit - rows.length);
    const from = rows.at(-1)?.external_key ?? after;
    const part = await readPart({ after: from, limit: partLimit, bytesMax: pageBytesMax - bytes });
    rows.push(...part);
    bytes += part.at(-1)?.bytes ?? 0;
    if (bytes >= pageBytesMax || rows.length === limit) return { rows, next: rows.at(-1)?.external_key ?? null };
    if (part.length < partLimit) return { rows, next: null };
  }
}
