import pg from 'pg';
import type { SqlRecord, Statement } from './record.js';

type RawNode = {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Index Cond'?: string;
  'CTE Name'?: string;
  'Subplan Name'?: string;
  Plans?: RawNode[];
};

const query = /^(?:WITH|SELECT|INSERT|UPDATE|DELETE|\()/;

/**
 * Returns the record with the nodes of each plan, one a line. The database decides without values, for empty tables, and with an index
 * wherever one serves; `whole` marks an index that is read without a condition. Tables that statements on record create exist
 * meanwhile.
 *
 * @param url of a migrated database, in which nothing changes
 */
export async function planRecord(url: string, record: SqlRecord): Promise<SqlRecord> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('SET enable_seqscan = off; SET max_parallel_workers_per_gather = 0; SET jit = off; BEGIN');
    const created = [...record.values()].flat().filter(({ sql }) => sql.startsWith('CREATE'));
    for (const { sql } of created) await client.query(sql);
    const planned = new Map<string, Statement[]>();
    for (const [file, statements] of record) {
      const withPlans = [];
      for (const statement of statements) withPlans.push({ ...statement, plan: await shapeOf(client, statement.sql) });
      planned.set(file, withPlans);
    }
    return planned;
  } finally {
    await client.end();
  }
}

async function shapeOf(client: pg.Client, sql: string): Promise<string> {
  if (!query.test(sql)) return 'none: not a query';
  const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: RawNode }] }>(
    `EXPLAIN (GENERIC_PLAN, FORMAT JSON) ${sql}`,
  );
  return rows.flatMap((row) => linesOf(row['QUERY PLAN'][0].Plan)).join('\n');
}

function linesOf(node: RawNode): string[] {
  const index = node['Index Name'];
  const words = [
    node['Subplan Name'] && `${node['Subplan Name']}:`,
    node['Node Type'],
    node['Relation Name'] ?? node['CTE Name'],
    index && `by ${index}`,
    index && !node['Index Cond'] && '(whole)',
  ];
  const below = (node.Plans ?? []).flatMap(linesOf).map((line) => `  ${line}`);
  return [words.filter(Boolean).join(' '), ...below];
}
