import { expect, it } from 'vitest';
import { antennasPerOrganizationMax } from '../../server/tracking/readers/quota.js';
import { fileWorld } from '../support/shared.js';
import { createScanWorld, type ScanOrganization } from '../support/scan-world.js';

const world = fileWorld(createScanWorld);

async function addReaders(org: ScanOrganization, count: number, antennas: number): Promise<number[]> {
  const rows = await world.db.$queryRaw<{ id: number }[]>`
    INSERT INTO readers (org_id, name, format, mqtt_username, secret_hash, publish_topic, updated_at)
    SELECT ${org.orgId}::int, 'r', 'native', ${`many-${org.orgId}-`} || n, 'x', 't', now() - interval '1 hour'
      FROM generate_series(1, ${count}::int) n
    RETURNING id`;
  const ids = rows.map(({ id }) => id);
  await world.db.$executeRaw`
    INSERT INTO reader_antennas (org_id, reader_id, port, kind)
    SELECT ${org.orgId}::int, id, port, 'portal'
      FROM unnest(${ids}::int[]) id, generate_series(0, ${antennas}::int - 1) port`;
  return ids;
}

it('is limited for all readers of an organization together', async () => {
  const org = await world.organization();
  const [first = 0, second = 0] = await addReaders(org, 2, antennasPerOrganizationMax / 2 - 1);
  const antennas = (count: number) => Array.from({ length: count }, (_, port) => ({ port }));
  await expect(org.reader({ antennas: antennas(3) })).rejects.toThrow('100000 antennas');
  const third = await org.reader({ antennas: antennas(2) });
  await expect(org.admin.readers.update({ id: third.id, antennas: antennas(3) })).rejects.toThrow('100000 antennas');
  await org.admin.readers.update({ id: third.id, antennas: antennas(1) });
  await org.admin.readers.update({ id: first, antennas: antennas(256) });
  await org.admin.readers.update({ id: third.id, antennas: antennas(3) });
  await org.admin.readers.delete({ id: second });
});
