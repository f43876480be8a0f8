import { expect, it } from 'vitest';
import { findDeleted } from '../../../../server/app/trash/list-queries.js';
import { createPlanReader, rowsBy, rowsOf } from '../../../support/plans.js';
import { createScanWorld } from '../../../support/scan-world.js';

it('a page of the trash is read by its index, and not all that was ever deleted', async () => {
  await using world = await createScanWorld();
  const orgs = [await world.organization(), await world.organization()];
  for (const { orgId } of orgs) {
    await world.db.$executeRaw`
      INSERT INTO assets (org_id, external_key, name, valid_from, created_at, updated_at, deleted_at)
      SELECT ${orgId}, 'A-' || n, 'Thing', now(), now(), now(), now() - n * interval '1 minute'
        FROM generate_series(1, 5000) AS n`;
  }
  await world.db.$executeRawUnsafe('VACUUM ANALYZE');
  await using plans = await createPlanReader(world.databaseUrl);
  const orgId = orgs[0]?.orgId ?? 0;
  for (const before of [undefined, { deletedAt: Date.now() - 7_200_000, kind: 'location', id: 1 } as const]) {
    const nodes = await plans.nodesOf(() => findDeleted(world.db, orgId, { before, limit: 50 }));
    expect(rowsBy(nodes, 'assets_trash')).toBe(50);
    expect(rowsOf(nodes, 'assets')).toBe(50);
  }
});
