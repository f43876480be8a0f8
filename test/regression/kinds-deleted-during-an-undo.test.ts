import { expect, test } from 'vitest';
import { refusalOf } from '../support/caller.js';
import { sharedScanWorld } from '../support/scan-world.js';
import { undoChange } from '../support/undo.js';

const world = await sharedScanWorld();

test('a kind that is deleted while an asset gets it back by an undo is a conflict', async () => {
  const org = await world.organization();
  const kind = { name: 'Pump', icon: 'box', color: 'gray', image_id: null } as const;
  const { id: kindId } = await org.admin.assetKinds.create(kind);
  const assetId = await org.asset();
  await org.admin.assetKinds.setOfAsset({ asset_id: assetId, kind_id: kindId });
  await org.admin.assetKinds.setOfAsset({ asset_id: assetId, kind_id: null });
  const [change] = (await org.admin.activity.list({ kind: 'asset', object_id: String(assetId) })).data;
  const undoing = await world.db.$transaction(async (tx) => {
    await tx.$executeRaw`DELETE FROM asset_kinds WHERE org_id = ${org.orgId} AND id = ${kindId}`;
    const refused = refusalOf(undoChange(org.admin, change));
    const waiting = async () => {
      const [row] = await world.db.$queryRaw<[{ n: number }]>`
        SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      return row.n;
    };
    await expect.poll(waiting).toBeGreaterThan(0);
    return { refused };
  });
  expect(await undoing.refused).toMatchObject({ type: 'conflict' });
  expect(await undoChange(org.admin, change)).toEqual({ status: 'failed', reason: 'kind_deleted' });
});
