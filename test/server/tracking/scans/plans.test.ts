import { expect, it } from 'vitest';
import type { Database } from '../../../../server/kernel/database/client.js';
import { defineStatement, type StatementRunner } from '../../../../server/kernel/database/statement.js';
import type { ReceivedMessage } from '../../../../server/tracking/scans/batch.js';
import { ingestReads } from '../../../../server/tracking/scans/ingest.js';
import { createScanWorld } from '../../../support/scan-world.js';

const assets = 20_000;
const batchReads = 500;

it('finds everything by index, however many assets, tags and events there are', async () => {
  await using world = await createScanWorld();
  const { db } = world;
  const org = await world.organization();
  const { orgId } = org;
  await db.$executeRaw`
    INSERT INTO assets (org_id, external_key, name, valid_from, created_at, updated_at)
    SELECT ${orgId}, 'A-' || n, 'A', now(), now(), now() FROM generate_series(1, ${assets}::int) n`;
  // Foreign keys to a table without statistics are checked by any index that begins with the organization.
  await db.$executeRawUnsafe('ANALYZE assets');
  await db.$executeRaw`
    INSERT INTO tags (org_id, asset_id, tag_type, value)
    SELECT ${orgId}, id, 'rfid', 'TAG' || row_number() OVER (ORDER BY id) FROM assets WHERE org_id = ${orgId}`;
  await db.$executeRaw`
    INSERT INTO scan_events (org_id, asset_id, event_observed_at, received_at)
    SELECT org_id, id, now() - n * interval '1 minute', now()
      FROM assets, generate_series(1, 3) n WHERE org_id = ${orgId}`;
  await db.$executeRaw`
    INSERT INTO asset_positions (org_id, asset_id, asset_last_seen, located_since)
    SELECT org_id, id, now() - interval '1 minute', now() - interval '1 minute' FROM assets WHERE org_id = ${orgId}`;
  await db.$executeRawUnsafe('ANALYZE');
  const reader = await org.reader({ location_id: await org.location(), resolution_seconds: 60 });
  const batch = (seed: number): ReceivedMessage[] => {
    const reads = Array.from({ length: batchReads }, (_, n) => {
      const known = `TAG${1 + (((seed * batchReads + n) * 7919) % assets)}`;
      const value = n % 3 === 0 ? known : n % 3 === 1 ? known.toLowerCase() : `UNKNOWN${n}`;
      return { tagType: 'rfid', value, antenna: 1, rssiDbm: null, observedAtMs: Date.now() } as const;
    });
    const content = { kind: 'reads', reads } as const;
    return [{ message: { orgId, readerId: reader.id, topic: 't', content }, receivedAtMs: Date.now() }];
  };
  // More runs than the planner makes plans of its own for, so that the plan it settles on is looked at.
  for (let seed = 0; seed < 8; seed += 1) {
    const counts: RowsRead[] = [];
    const counting: Pick<Database, '$transaction'> = {
      $transaction: (work) =>
        world.connections.$transaction(async (runner) => {
          counts.push(await rowsRead(runner));
          const result = await work(runner);
          counts.push(await rowsRead(runner));
          return result;
        }),
    };
    await ingestReads(counting, batch(seed), { retentionDays: 365, waitForTrees: true });
    const [before, after] = counts as [RowsRead, RowsRead];
    expect([seed, after.in_order - before.in_order]).toEqual([seed, 0]);
    expect(after.by_index - before.by_index).toBeLessThan(6 * batchReads);
  }
});

type RowsRead = { in_order: number; by_index: number };

const rowsReadStatement = defineStatement<undefined, RowsRead>(
  'rows_read',
  () => `
    SELECT sum(seq_tup_read)::int AS in_order, sum(idx_tup_fetch)::int AS by_index
      FROM pg_stat_xact_user_tables
     WHERE relname IN ('tags', 'assets', 'asset_positions') OR relname LIKE 'scan_events%'`,
);

/** Rows that this connection has read of the large tables, by walking them and by an index. */
async function rowsRead(runner: StatementRunner): Promise<RowsRead> {
  const [row] = await runner.run(rowsReadStatement, undefined);
  return row ?? { in_order: Number.NaN, by_index: Number.NaN };
}
