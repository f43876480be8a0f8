import type pg from 'pg';
import { per10000, startProcessorTimes } from './processor.js';
import type { BaselineFigures } from './twin.js';

const rowsPerBatch = 500;

/** The columns of events and their types, in the order of the table. */
const columns = [
  ['org_id', 'int'],
  ['asset_id', 'int'],
  ['event_observed_at', 'timestamptz'],
  ['location_id', 'int'],
  ['reader_id', 'int'],
  ['antenna', 'int'],
  ['rssi_dbm', 'real'],
  ['received_at', 'timestamptz'],
] as const;

/** A batch: the values of each column. */
type Batch = readonly (readonly unknown[])[];

/** Returns the events that were received since an instant, in the order of receipt, in batches. */
export async function readBatches(client: pg.Client, orgId: number, sinceMs: number): Promise<Batch[]> {
  const { rows } = await client.query<unknown[]>({
    text: `SELECT ${columns.map(([name, type]) => (type === 'timestamptz' ? `${name}::text` : name)).join(', ')}
             FROM scan_events
            WHERE org_id = $1 AND received_at >= to_timestamp($2::float8 / 1000)
            ORDER BY received_at`,
    values: [orgId, sinceMs],
    rowMode: 'array',
  });
  const batches: Batch[] = [];
  for (let first = 0; first < rows.length; first += rowsPerBatch) {
    const some = rows.slice(first, first + rowsPerBatch);
    batches.push(columns.map((_, column) => some.map((row) => row[column])));
  }
  return batches;
}

/**
 * Measures the baseline: the same rows into a table of the same structure, with one prepared statement per batch, each
 * in its own transaction. The connections share the batches round-robin.
 */
export async function insertBatches(
  connections: readonly pg.Client[],
  batches: readonly Batch[],
  { table, postmasterPid }: { table: string; postmasterPid: number },
): Promise<BaselineFigures> {
  const text = `INSERT INTO ${table} SELECT * FROM unnest(${columns.map(([, type], index) => `$${index + 1}::${type}[]`).join(', ')})`;
  const rows = batches.reduce((sum, [column]) => sum + (column?.length ?? 0), 0);
  const processor = startProcessorTimes({ database: postmasterPid });
  const usedBefore = process.cpuUsage();
  const startedAt = performance.now();
  let next = 0;
  await Promise.all(
    connections.map(async (connection) => {
      for (let batch = batches[next++]; batch; batch = batches[next++]) {
        await connection.query({ name: `insert into ${table}`, text, values: [...batch] });
      }
    }),
  );
  const elapsedMs = performance.now() - startedAt;
  const { user, system } = process.cpuUsage(usedBefore);
  return {
    rate: (rows * 1000) / elapsedMs,
    clientMs: ((user + system) / 1000) * (10_000 / rows),
    databaseMs: per10000(processor().database, rows),
  };
}
