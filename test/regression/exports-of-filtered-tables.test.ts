import { expect, test } from 'vitest';
import { sharedScanWorld } from '../support/scan-world.js';

// An export once ignored the filter by low batteries.
test('an export has the assets that the table shows for the same filter', async () => {
  const world = await sharedScanWorld();
  const org = await world.organization();
  const { orgId } = org;
  const viewer = await org.as('viewer');
  const hall = await org.location();
  const reader = await org.reader();
  const low = await org.asset({ tags: [['ble', 'C0:01:02:03:04:05']] });
  const full = await org.asset({ tags: [['ble', 'C0:01:02:03:04:06']] });
  const seen = await org.asset();
  const unseen = await org.asset();
  const batteries = new Map([
    [low, 5],
    [full, 90],
  ]);
  for (const { id, assetId } of await world.db.tag.findMany({ where: { orgId } })) {
    await world.db.tagTelemetry.create({ data: { orgId, tagId: id, battery: batteries.get(assetId ?? 0) ?? null } });
  }
  const long = new Date(Date.now() - 10 * 86_400_000);
  const position = { orgId, readerId: reader.id, locationId: hall, assetLastSeen: long, locatedSince: long };
  await world.db.assetPosition.createMany({
    data: [
      { ...position, assetId: low },
      { ...position, assetId: seen, locationId: null, assetLastSeen: new Date() },
    ],
  });

  for (const [filter, expected] of [
    [{ battery_low: true }, [low]],
    [{ battery_low: false }, [full, seen, unseen]],
    [{ battery_low: true, tag_type: 'ble', seen: true }, [low]],
    [{ seen: false }, [full, unseen]],
    [{ seen: false, unseen_days: 3 }, [full, unseen]],
    [{ seen: false, reader_id: reader.id }, []],
    [{ unseen_days: 3 }, [low, full, unseen]],
    [{ unseen_days: 3, location_id: hall }, [low]],
    [{ location_id: hall, battery_low: false }, []],
    [{ free: true }, []],
  ] as const) {
    const { data: shown } = await viewer.assets.table({ ...filter, sort: 'external_key' });
    const { data: exported } = await viewer.assets.exportPage(filter);
    const found = [shown, exported].map((rows) => rows.map(({ id }) => id).toSorted((one, other) => one - other));
    expect(found, JSON.stringify(filter)).toEqual([expected, expected]);
  }
});
