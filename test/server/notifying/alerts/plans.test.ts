import { expect, it } from 'vitest';
import { findAlerts, readOpenCount } from '../../../../server/notifying/alerts/queries.js';
import { createPlanReader, rowsOf } from '../../../support/plans.js';
import { createScanWorld } from '../../../support/scan-world.js';

it('finds the alerts of an asset, a location or a status by an index, however many there are', async () => {
  await using world = await createScanWorld();
  const { db } = world;
  const { orgId } = await world.organization();
  const other = await world.organization();
  // Of 40,000 alerts, 20 concern each asset, and 20 each location below the site.
  await db.$executeRaw`
    INSERT INTO alerts (org_id, rule_name, event_key, event_type, subject, asset_id, location_ids, data, in_app, is_condition,
                        opened_at, acknowledged_at)
    SELECT CASE WHEN n % 2 = 0 THEN ${orgId}::int ELSE ${other.orgId}::int END, 'Rule', gen_random_uuid(), 'asset.location_changed',
           'asset:' || n % 2000, n % 2000, ARRAY[1000000, n % 2000], '{}', true, false, now(), now()
      FROM generate_series(1, 40000) n`;
  await db.$executeRawUnsafe('ANALYZE alerts');
  await using plans = await createPlanReader(world.databaseUrl);
  const page = { limit: 50 } as const;

  expect((await findAlerts(db, orgId, { ...page, asset_id: 100 })).length).toBe(20);
  expect(rowsOf(await plans.nodesOf(() => findAlerts(db, orgId, { ...page, asset_id: 100 })), 'alerts')).toBe(20);
  expect((await findAlerts(db, orgId, { ...page, location_id: 100 })).length).toBe(20);
  expect(rowsOf(await plans.nodesOf(() => findAlerts(db, orgId, { ...page, location_id: 100 })), 'alerts')).toBe(20);
  // A location that all alerts concern.
  expect(rowsOf(await plans.nodesOf(() => findAlerts(db, orgId, { ...page, location_id: 1_000_000 })), 'alerts')).toBe(
    50,
  );
  expect(rowsOf(await plans.nodesOf(() => findAlerts(db, orgId, { ...page, status: 'open' })), 'alerts')).toBe(0);
  expect(rowsOf(await plans.nodesOf(() => readOpenCount(db, orgId)), 'alerts')).toBe(0);
}, 60_000);
