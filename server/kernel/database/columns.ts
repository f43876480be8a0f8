import { Prisma } from '../../../generated/prisma/client.js';

/** Returns a `timestamptz(3)` column as epoch milliseconds, which are exact for the years 0000 to 9999. */
export function epochMs(column: string): Prisma.Sql {
  return Prisma.raw(`round(date_part('epoch', ${column}) * 1000)`);
}

/**
 * Returns a column as the text of its instant in an answer (contract 1.5), for rows that are passed on as they are; null stays
 * null.
 */
export function timestamp(column: string): Prisma.Sql {
  return Prisma.raw(`api_timestamp(${column})`);
}

/** Returns epoch milliseconds as an instant; null stays null. */
export function instant(ms: number | null): Prisma.Sql {
  return Prisma.sql`to_timestamp(${ms}::float8 / 1000)`;
}

/** The database's clock, truncated to milliseconds as stored. */
export const currentInstant = Prisma.raw(`date_trunc('milliseconds', clock_timestamp())`);

/**
 * Returns the next value of `updated_at`. It is strictly later than the previous value, even within one millisecond
 * (contract 5.7).
 */
export function nextInstant(column: string): Prisma.Sql {
  return Prisma.raw(`greatest(date_trunc('milliseconds', clock_timestamp()), ${column} + interval '1 millisecond')`);
}

/** Returns the effective predicate (contract 2.8) over the table or alias given. */
export function effective(alias: string): Prisma.Sql {
  return Prisma.raw(
    `${alias}.valid_from <= statement_timestamp() AND (${alias}.valid_to IS NULL OR ${alias}.valid_to > statement_timestamp())`,
  );
}

/**
 * Returns an `ORDER BY` term that sorts names or keys as people expect: letters with accents next to letters without,
 * "Pump 2" before "Pump 10". Lists of the app have this order; the public API sorts by code points (contract 1.7).
 */
export function inNaturalOrder(column: string): Prisma.Sql {
  return Prisma.raw(`${column} COLLATE natural_order`);
}

/**
 * Returns the condition that a column has one of many ids, for rows that were found otherwise: the ids are hashed once. With
 * `= ANY`, which an index can use, a statement with parameters compares each row with all ids in turn.
 */
export function isOneOf(column: string, ids: readonly number[]): Prisma.Sql {
  return Prisma.sql`(${Prisma.raw(column)} IN (SELECT unnest(${[...ids]}::int[]))) IS TRUE`;
}
