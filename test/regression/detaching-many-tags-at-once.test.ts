import pg from 'pg';
import { expect, test } from 'vitest';
import { createTestDatabase } from '../support/postgres.js';

type PlanNode = {
  'Node Type': string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: PlanNode[];
};

/** Returns how many of the changed rows of a trigger the statements of the trigger look at. */
function changedRowsRead({ Plans: plans = [], ...node }: PlanNode): number {
  const isOwn = node['Node Type'] === 'Named Tuplestore Scan';
  const rows = (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'];
  return (isOwn ? rows : 0) + plans.reduce((sum, plan) => sum + changedRowsRead(plan), 0);
}

test('of many tags that one statement detaches, each is looked at a few times, and not once for each other', async () => {
  await using database = await createTestDatabase();
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  let read = 0;
  client.on('notice', ({ message = '' }) => {
    const { Plan: plan } = JSON.parse(message.slice(message.indexOf('{'))) as { Plan: PlanNode };
    read += changedRowsRead(plan);
  });
  try {
    await client.query("INSERT INTO organizations (id, name) VALUES (1, 'Acme')");
    await client.query("INSERT INTO event_interests (org_id, types, updated_at) VALUES (1, '{asset.updated}', now())");
    await client.query(`
      INSERT INTO assets (id, org_id, external_key, name, valid_from, created_at, updated_at)
      SELECT n, 1, 'A-' || n, 'Asset ' || n, now(), now(), now() FROM generate_series(1, 200) AS n`);
    await client.query(`
      INSERT INTO tags (org_id, asset_id, tag_type, value)
      SELECT 1, n, 'rfid', 'TAG-' || n FROM generate_series(1, 200) AS n`);
    await client.query("LOAD 'auto_explain'");
    await client.query('SET auto_explain.log_min_duration = 0');
    await client.query('SET auto_explain.log_analyze = on');
    await client.query('SET auto_explain.log_nested_statements = on');
    await client.query("SET auto_explain.log_format = 'json'");
    await client.query("SET auto_explain.log_level = 'notice'");
    await client.query('DELETE FROM tags WHERE org_id = 1');
    expect(read).toBeGreaterThan(200);
    expect(read).toBeLessThan(20 * 200);
    await client.query('SET auto_explain.log_min_duration = -1');
    const { rows } = await client.query(
      `SELECT count(*)::int AS events
         FROM outbox_events
        WHERE type = 'asset.updated' AND json_array_length(data -> 'before' -> 'tags') = 1
          AND json_array_length(data -> 'after' -> 'tags') = 0`,
    );
    expect(rows).toEqual([{ events: 200 }]);
  } finally {
    await client.end();
  }
});
