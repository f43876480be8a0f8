import { expect, test } from 'vitest';
import { sharedScanWorld } from '../../../support/scan-world.js';

const world = await sharedScanWorld();

test('many readers are moved, given a format and deleted; each failure is reported', async () => {
  const org = await world.organization();
  const { readers } = org.admin;
  const dock = await org.location();
  const [gate, door] = [await org.reader({ name: 'Gate' }), await org.reader({ name: 'Door' })];
  const other = await (await world.organization()).reader();
  const ids = [gate.id, other.id, door.id];
  const results = [
    { id: gate.id, status: 'done' },
    { id: other.id, status: 'failed', reason: { name: 'not_found', params: { what: 'Reader' } } },
    { id: door.id, status: 'done' },
  ];
  expect(await readers.updateMany({ ids, location_id: dock, format: 'zebra_iotc' })).toEqual({ results });
  for (const { id } of [gate, door]) {
    expect(await readers.get({ id })).toMatchObject({ location_id: dock, format: 'zebra_iotc' });
  }
  expect(await readers.deleteMany({ ids })).toEqual({ results });
  expect((await readers.list()).total_count).toBe(0);
  expect(await world.db.reader.count({ where: { id: other.id, deletedAt: null } })).toBe(1);
});

test('the list of readers has the order asked for', async () => {
  const org = await world.organization();
  const [hall, dock] = [await org.location({ name: 'Hall' }), await org.location({ name: 'Dock' })];
  const add = async (name: string, location: number, seenAgoMs: number | null) => {
    const { id } = await org.reader({ name, location_id: location });
    if (seenAgoMs === null) return;
    await world.db.reader.update({ where: { id }, data: { lastMessageAt: new Date(Date.now() - seenAgoMs) } });
  };
  await add('A', hall, 1000);
  await add('B', dock, null);
  await add('C', hall, 3_600_000);
  const names = async (sort: string) => {
    const { data } = await org.admin.readers.overview({ sort });
    return data.map(({ name }) => name).join('');
  };
  expect(await names('-name')).toBe('CBA');
  expect(await names('last_message_at')).toBe('BCA');
  expect(await names('location')).toBe('BAC');
  expect(await names('status')).toBe('CBA');
  await expect(org.admin.readers.overview({ sort: 'secret' })).rejects.toThrow('unknown sort field');
});
