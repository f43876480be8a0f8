import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { findHoldingSessions } from '../../../../server/people/auth/queries.js';
import { positionsPerItemMax } from '../../../../server/tracking/live/position-feed.js';
import { readPositions } from '../../../../server/tracking/live/position-queries.js';
import { createPlanReader, rowsOf } from '../../../support/plans.js';
import { createScanWorld } from '../../../support/scan-world.js';

it('reads positions and sessions only by key, however many there are', async () => {
  await using world = await createScanWorld();
  const { db } = world;
  const { orgId, location } = await world.organization();
  await location();
  await db.$executeRaw`
    INSERT INTO assets (org_id, external_key, name, valid_from, created_at, updated_at)
    SELECT ${orgId}, 'A-' || n, 'A', now(), now(), now() FROM generate_series(1, 20000) n`;
  // Foreign keys to a table without statistics are checked by any index that begins with the organization.
  await db.$executeRawUnsafe('ANALYZE assets, locations');
  await db.$executeRaw`
    INSERT INTO asset_positions (org_id, asset_id, location_id, asset_last_seen, located_since)
    SELECT a.org_id, a.id, l.id, now(), now() FROM assets a CROSS JOIN locations l`;
  await db.$executeRaw`
    INSERT INTO users (email, name, password_hash) SELECT n || '@example.com', 'U', '' FROM generate_series(1, 5000) n`;
  await db.$executeRaw`
    INSERT INTO memberships (org_id, user_id, role)
    SELECT ${orgId}, id, 'viewer' FROM users WHERE email LIKE '%@example.com' ON CONFLICT DO NOTHING`;
  await db.$executeRaw`
    INSERT INTO sessions (id, user_id, org_id) SELECT gen_random_uuid(), user_id, org_id FROM memberships`;
  await db.$executeRawUnsafe('ANALYZE');
  const assetIds = (await db.asset.findMany({ take: positionsPerItemMax, select: { id: true } })).map(({ id }) => id);
  const sessions = (await db.session.findMany({ take: 50 })).map(({ id, userId }) => ({
    sessionId: id,
    userId,
    orgId,
  }));
  await using plans = await createPlanReader(world.databaseUrl);

  expect((await readPositions(db, orgId, assetIds)).length).toBe(positionsPerItemMax);
  const positions = await plans.nodesOf(() => readPositions(db, orgId, assetIds));
  for (const table of ['asset_positions', 'assets']) {
    expect([table, rowsOf(positions, table)]).toEqual([table, positionsPerItemMax]);
  }

  const outsiders = Array.from({ length: 10 }, () => ({ sessionId: randomUUID(), userId: 1, orgId }));
  const holdingSessions = await findHoldingSessions(db, [...outsiders, ...sessions]);
  expect(new Set(holdingSessions.keys())).toEqual(new Set(sessions));
  const holding = await plans.nodesOf(() => findHoldingSessions(db, [...outsiders, ...sessions]));
  for (const table of ['sessions', 'memberships']) expect(rowsOf(holding, table)).toBeLessThanOrEqual(60);
});
