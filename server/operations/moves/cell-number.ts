import pg from 'pg';
import { quoteName } from '../backup/catalog.js';
import { StartError } from '../../kernel/start-error.js';

/** Ids of one cell in each table, so that the ids of all cells fit into an `integer`, and into a double for `bigint`. */
const idsPerCell: Readonly<Record<string, number>> = { integer: 2 ** 26, bigint: 2 ** 48 };

/** Held while the ranges are set, so that processes that start together set them one by one. */
const idRangesLock = 8_210_531_116;

/**
 * Gives the ids of a cell ranges of their own, so that an organization keeps its ids when it moves to another cell.
 * Sequences that are already in their range stay unchanged. Run this after each migration, which may have created new
 * sequences.
 *
 * @throws StartError if the database has generated ids beyond the range
 */
export async function claimIdRanges({ url, cellNumber }: { url: string; cellNumber: number }): Promise<void> {
  const client = new pg.Client({ connectionString: url, application_name: 'whereabouts cell' });
  await client.connect();
  try {
    await client.query('BEGIN');
    await client.query('SELECT pg_advisory_xact_lock($1)', [idRangesLock]);
    const { rows } = await client.query<{ name: string; type: string; last: string | null; max: string }>(
      `SELECT sequencename AS name, data_type::text AS type, last_value::text AS last, max_value::text AS max
         FROM pg_sequences
        WHERE schemaname = 'public'
        ORDER BY sequencename`,
    );
    for (const { name, type, last, max } of rows) {
      const size = idsPerCell[type];
      if (size === undefined) throw new Error(`${name} is a sequence of type ${type}`);
      const [before, until] = [cellNumber * size, (cellNumber + 1) * size - 1];
      if (Number(last ?? 0) > until) {
        throw new StartError(`CELL_NUMBER is ${cellNumber}, but ${name} is past the ids of that cell, at ${last}`);
      }
      const sequence = quoteName('public', name);
      if (Number(max) !== until) await client.query(`ALTER SEQUENCE ${sequence} MAXVALUE ${until}`);
      if (Number(last ?? 0) < before) await client.query('SELECT setval($1::regclass, $2)', [sequence, before]);
    }
    await client.query('COMMIT');
  } finally {
    await client.end();
  }
}
