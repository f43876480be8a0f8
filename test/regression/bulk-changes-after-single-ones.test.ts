import pg from 'pg';
import { expect, test } from 'vitest';
import { createAsset } from '../support/factories.js';
import { sharedWorld } from '../support/world.js';

const assets = 1000;

type PlanNode = {
  'Rows Removed by Join Filter'?: number;
  'Actual Rows': number;
  'Actual Loops': number;
  Plans?: PlanNode[];
};

/** The most rows that a part of the plan went through. */
function rowsOf(node: PlanNode): number {
  const own = (node['Rows Removed by Join Filter'] ?? 0) + node['Actual Rows'] * node['Actual Loops'];
  return Math.max(own, ...(node.Plans ?? []).map(rowsOf));
}

// Triggers were planned for the one row that a connection changed first, and then compared all pairs of a bulk change.
test('a bulk change goes through its rows once, also on a connection that changed single rows before', async () => {
  const world = await sharedWorld();
  const org = await world.organization();
  const { id } = await createAsset(org, { name: 'First' });
  await world.db.$executeRaw`
    INSERT INTO assets (org_id, external_key, name, valid_from, created_at, updated_at)
    SELECT ${org.orgId}, 'B-' || n, 'Box', now(), now(), now() FROM generate_series(1, ${assets}::int) AS n`;
  const client = new pg.Client({ connectionString: world.databaseUrl });
  await client.connect();
  try {
    await client.query("LOAD 'auto_explain'");
    await client.query('SET plan_cache_mode = force_generic_plan');
    await client.query('UPDATE assets SET name = $1 WHERE id = $2', ['Second', id]);
    const plans: PlanNode[] = [];
    client.on('notice', ({ message = '' }) => {
      plans.push((JSON.parse(message.slice(message.indexOf('{'))) as { Plan: PlanNode }).Plan);
    });
    await client.query(`
      SET auto_explain.log_min_duration = 0;
      SET auto_explain.log_analyze = on;
      SET auto_explain.log_nested_statements = on;
      SET auto_explain.log_format = 'json';
      SET auto_explain.log_level = 'notice'`);
    await client.query('UPDATE assets SET name = $1 WHERE org_id = $2', ['Crate', org.orgId]);
    expect(plans.length).toBeGreaterThan(3);
    expect(Math.max(...plans.map(rowsOf))).toBeLessThan(10 * assets);
  } finally {
    await client.end();
  }
});
