import { expect, it } from 'vitest';
import { sharedScanWorld } from '../../../support/scan-world.js';

const world = await sharedScanWorld();

it('lists the ports of a reader that have read assets, those without settings too', async () => {
  const org = await world.organization();
  const reader = await org.reader({ antennas: [{ port: 1 }] });
  const other = await org.reader();
  const antenna = (id: number, port: number) => ({ reader: id, port, location: 0, visits: 2, sum_db: -4, gap_ms: 0 });
  for (const antennas of [
    [antenna(reader.id, 4), antenna(other.id, 2)],
    [antenna(reader.id, 1), antenna(reader.id, 4)],
  ]) {
    await world.db.locationPicture.create({
      data: { orgId: org.orgId, locationId: await org.location(), visits: 2, antennas },
    });
  }
  expect(await org.admin.readers.get({ id: reader.id })).toMatchObject({ heard_ports: [1, 4] });
});

it('shows the clock offset of a reader in milliseconds', async () => {
  const org = await world.organization();
  const { id } = await org.reader();
  await world.db.reader.update({ where: { id }, data: { clockOffsetMs: 180_000n } });
  expect(await org.admin.readers.get({ id })).toMatchObject({ clock_offset_ms: 180_000 });
  expect((await org.admin.readers.list()).data).toMatchObject([{ clock_offset_ms: 180_000 }]);
});
