import { expect, it } from 'vitest';
import { sharedScanWorld } from '../../../support/scan-world.js';

const world = await sharedScanWorld();

it('shows what was learned of a reader’s antennas, of ports without settings too', async () => {
  const org = await world.organization();
  const reader = await org.reader({ antennas: [{ port: 1 }] });
  const other = await org.reader();
  const level = { orgId: org.orgId, flickerDb: 2.5, gapMs: 2000, reads: 40 };
  await world.db.antennaLevel.createMany({
    data: [
      { ...level, readerId: reader.id, antenna: 4, meanDbm: -61.25 },
      { ...level, readerId: reader.id, antenna: 1, meanDbm: -57.5, reads: 1200.5 },
      { ...level, readerId: other.id, antenna: 2, meanDbm: -40 },
    ],
  });
  const detail = await org.admin.readers.get({ id: reader.id });
  expect(detail.antenna_levels).toEqual([
    { antenna: 1, mean_dbm: -57.5, reads: 1200.5, gap_ms: 2000 },
    { antenna: 4, mean_dbm: -61.3, reads: 40, gap_ms: 2000 },
  ]);
});

it('shows the clock offset of a reader in milliseconds', async () => {
  const org = await world.organization();
  const { id } = await org.reader();
  await world.db.reader.update({ where: { id }, data: { clockOffsetMs: 180_000n } });
  expect(await org.admin.readers.get({ id })).toMatchObject({ clock_offset_ms: 180_000 });
  expect((await org.admin.readers.list()).data).toMatchObject([{ clock_offset_ms: 180_000 }]);
});
