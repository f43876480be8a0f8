import type pg from 'pg';

/** The figures of inserting rows without the service. */
export type BaselineFigures = {
  /** Rows a second. */
  readonly rate: number;
  /** Processor time for 10,000 rows without the time of PostgreSQL, in milliseconds; undefined without `/proc`. */
  readonly clientMs: number | undefined;
  readonly databaseMs: number | undefined;
};

/**
 * Creates a table with the columns, key, partitions and rows of `scan_events`, but without triggers.
 *
 * @returns its name
 */
export async function createTwin(client: pg.Client, name: string): Promise<string> {
  const table = `baseline.${name}`;
  const { rows } = await client.query<{ name: string; bounds: string }>(
    `SELECT c.relname AS name, pg_get_expr(c.relpartbound, c.oid) AS bounds
       FROM pg_inherits i
       JOIN pg_class c ON c.oid = i.inhrelid
      WHERE i.inhparent = 'public.scan_events'::regclass`,
  );
  await client.query('CREATE SCHEMA IF NOT EXISTS baseline');
  await client.query(
    `CREATE TABLE ${table} (LIKE public.scan_events INCLUDING ALL) PARTITION BY RANGE (event_observed_at)`,
  );
  for (const partition of rows) {
    await client.query(`CREATE TABLE ${table}_${partition.name} PARTITION OF ${table} ${partition.bounds}`);
  }
  await client.query(`INSERT INTO ${table} SELECT * FROM public.scan_events`);
  return table;
}
