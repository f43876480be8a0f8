import { expect, test } from 'vitest';
import { sharedScanWorld } from '../../../support/scan-world.js';

const world = await sharedScanWorld();

async function site() {
  const org = await world.organization();
  const dock = await org.location({ name: 'Dock' });
  const reader = await org.reader({ name: 'Gate', location_id: dock });
  return { org, dock, reader };
}

test('a test read moves the asset, and does not make the reader connected', async () => {
  const { org, dock, reader } = await site();
  const asset = await org.asset({ tags: [['rfid', 'E28042']] });
  const manager = await org.as('manager');
  const at = { id: dock, name: 'Dock' };
  const read = { asset: { id: asset, name: 'A thing' }, tag: { tag_type: 'rfid', value: 'E28042' } };
  expect(await manager.readers.sendTestRead({ id: reader.id, asset_id: asset })).toEqual({
    ...read,
    from: null,
    location: at,
  });
  expect(await manager.readers.sendTestRead({ id: reader.id, asset_id: asset })).toMatchObject({
    from: at,
    location: at,
  });
  expect(await org.events(asset)).toMatchObject([{ location_id: dock, reader_id: reader.id, antenna: 1 }]);
  expect(await org.admin.readers.get({ id: reader.id })).toMatchObject({ status: 'never', last_message_at: null });
});

test('a test read moves an asset at once, although one read of a reader at work would not', async () => {
  const { org, dock, reader } = await site();
  const yard = await org.location({ name: 'Yard' });
  const gate = await org.reader({ name: 'Yard gate', location_id: yard });
  const asset = await org.asset({ tags: [['rfid', 'E28044']] });
  const test = (id: number) => org.admin.readers.sendTestRead({ id, asset_id: asset });
  expect(await test(reader.id)).toMatchObject({ location: { id: dock } });
  expect(await test(gate.id)).toMatchObject({ from: { id: dock }, location: { id: yard } });
  expect(await test(reader.id)).toMatchObject({ from: { id: yard }, location: { id: dock } });
});

test('a test read needs a reader, an asset and a tag of the organization, and the role manager', async () => {
  const { org, reader } = await site();
  const other = await site();
  const bare = await org.asset();
  const theirs = await other.org.asset({ tags: [['rfid', 'E28043']] });
  const { sendTestRead } = org.admin.readers;
  await expect(sendTestRead({ id: reader.id, asset_id: bare })).rejects.toThrow('This asset has no tag');
  await expect(sendTestRead({ id: reader.id, asset_id: theirs })).rejects.toThrow(`asset_id ${theirs} not found`);
  await expect(sendTestRead({ id: other.reader.id, asset_id: bare })).rejects.toThrow('Reader not found');
  const operator = await org.as('operator');
  await expect(operator.readers.sendTestRead({ id: reader.id, asset_id: bare })).rejects.toThrow(
    'Missing required role',
  );
});

test('the password of a reader needs no quoting anywhere', async () => {
  const { reader } = await site();
  expect(reader.mqtt_password).toMatch(/^[A-Za-z0-9]{43}$/);
});
