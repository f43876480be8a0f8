import { expect, it } from 'vitest';
import { createSettleTask } from '../../server/tracking/containers/settle.js';
import { carriedMax, settleTask } from '../../server/tracking/scans/contents-queries.js';
import { ingestReads } from '../../server/tracking/scans/ingest.js';
import { createHospital } from '../server/tracking/containers/hospital.js';
import { baseMs, message, read } from '../server/tracking/scans/tag-reads.js';
import { query } from '../support/postgres.js';
import { sharedScanWorld } from '../support/scan-world.js';

// Containers in containers can hold a million assets. A read moves so many at once that it does not hold up other organizations.

const world = await sharedScanWorld();

it('one read moves at most 5,000 contents, and jobs move the others', async () => {
  const { org, putIn, cart, boxes: pallets, ward } = await createHospital(world, { boxes: 6 });
  const reader = await org.reader({ location_id: ward, location_rule: 'newest' });
  await putIn(cart, ...pallets);
  const perPallet = 850;
  await query(
    world.databaseUrl,
    `WITH made AS (
       INSERT INTO assets (org_id, external_key, name, is_active, valid_from, created_at, updated_at)
       SELECT ${org.orgId}, 'FILLING-' || n, 'Filling', true, now(), now(), now()
         FROM generate_series(1, ${perPallet * pallets.length}) n
       RETURNING id
     )
     INSERT INTO asset_containments (org_id, asset_id, container_id, since)
     SELECT ${org.orgId}, id, (ARRAY[${pallets.join(',')}])[1 + (row_number() OVER ())::int % ${pallets.length}], now() FROM made`,
  );
  const readings = [read({ value: 'CA', observedAtMs: baseMs, rssiDbm: -50 })];
  await ingestReads(world.connections, [message({ org, reader }, readings, baseMs)], {
    retentionDays: 365,
    waitForTrees: true,
  });
  const countThere = async () => {
    const [row] = await query<{ count: number }>(
      world.databaseUrl,
      `SELECT count(*)::int AS count FROM asset_positions WHERE org_id = ${org.orgId} AND location_id = ${ward}`,
    );
    return row?.count;
  };
  expect(await countThere()).toBe(carriedMax + 1);
  const settling = createSettleTask({ db: world.db, interests: { wants: () => true } });
  const jobs = await query<{ container_id: number; queue_name: string }>(
    world.databaseUrl,
    `SELECT (j.payload ->> 'container_id')::int AS container_id, q.queue_name
       FROM graphile_worker._private_jobs j
       JOIN graphile_worker._private_job_queues q ON q.id = j.job_queue_id
      WHERE j.key LIKE '${settleTask}:%' AND (j.payload ->> 'org_id')::int = ${org.orgId}`,
  );
  // Of the organization's jobs only one runs at a time, and assets that hold nothing have none.
  expect(new Set(jobs.map(({ queue_name: name }) => name)).size).toBe(1);
  expect(jobs.length).toBeLessThanOrEqual(1 + pallets.length);
  for (const { container_id: id } of jobs) {
    await settling[settleTask]?.({ org_id: org.orgId, container_id: id }, new AbortController().signal);
  }
  expect(await countThere()).toBe(1 + pallets.length + perPallet * pallets.length);
});
