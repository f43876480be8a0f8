import pg from 'pg';
import { expect, test } from 'vitest';
import { openTestDb } from '../../../support/models.js';
import { createCore } from '../../../../server/index.js';
import { createLog } from '../../../../server/kernel/log.js';
import { createAlertingWorld } from '../../../support/alerting-world.js';
import { createAsset } from '../../../support/factories.js';

const created = { event_types: ['asset.created' as const] };

test('a stop finishes requests that are answered in time, returns the others, and another process sends them', async () => {
  await using world = await createAlertingWorld();
  const { org, receiver, databaseUrl, settings } = world;
  let isAnswering = false;
  receiver.answer = () => (isAnswering ? { status: 204 } : 'hang');
  await world.endpoint(created);
  for (let no = 0; no < 10; no += 1) await createAsset(org);
  await receiver.waitFor(8);
  await world.core.stop();
  const client = new pg.Client(databaseUrl);
  await client.connect();
  const { rows } = await client.query(`
    SELECT (SELECT count(*)::int FROM webhook_deliveries WHERE status = 'pending' AND attempts = 0
                                                           AND claimed_until IS NULL) AS returned,
           (SELECT count(*)::int FROM webhook_attempts) AS attempts,
           (SELECT count(*)::int FROM graphile_worker.jobs WHERE locked_at IS NOT NULL) AS locked,
           (SELECT count(*)::int FROM job_processes) AS processes`);
  expect(rows).toEqual([{ returned: 10, attempts: 0, locked: 0, processes: 0 }]);
  await client.end();

  isAnswering = true;
  const db = openTestDb(databaseUrl, 5);
  const next = createCore({ db, databaseUrl, settings, log: createLog('silent') });
  await next.start();
  await receiver.waitFor(18);
  await expect.poll(() => db.webhookDelivery.count({ where: { status: 'delivered' } })).toBe(10);
  expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(10);
  await next.stop();
  await db.$disconnect();
}, 60_000);
