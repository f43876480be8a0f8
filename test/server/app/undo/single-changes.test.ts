import { expect, it } from 'vitest';
import { refusalOf } from '../../../support/caller.js';
import { sharedScanWorld, type ScanOrganization } from '../../../support/scan-world.js';
import { undoChange } from '../../../support/undo.js';
import { createHospital } from '../../tracking/containers/hospital.js';

// "Undo" on an entry of the changes of an asset or location.

const world = await sharedScanWorld();

type Kind = 'asset' | 'location';

const entriesOf = async (org: ScanOrganization, kind: Kind, id: number) =>
  (await org.admin.activity.list({ kind, object_id: String(id) })).data;

const newest = async (org: ScanOrganization, kind: Kind, id: number) => {
  const [entry] = await entriesOf(org, kind, id);
  if (!entry) throw new Error('there is no entry');
  return entry;
};

const assetOf = async (org: ScanOrganization, id: number) => (await org.admin.assets.get({ asset_id: id })).data;

it('gives the fields of one change their former values, and of custom details those that it touched', async () => {
  const org = await world.organization();
  const metadata = { owner: 'Ada', big: 1e21, list: [1, { a: 2 }], kept: 'x' };
  const created = { name: 'Pump', description: 'first '.repeat(150), valid_to: '2030-01-01T00:00:00.000Z', metadata };
  const { data: pump } = await org.admin.assets.create(created);
  await org.admin.assets.update({
    asset_id: pump.id,
    name: 'Bilge pump',
    description: null,
    valid_to: null,
    is_active: false,
    metadata: { big: 2, list: [1], kept: 'x', color: 'red' },
  });
  const change = await newest(org, 'asset', pump.id);
  // A later change of another detail is no obstacle, and stays.
  await org.admin.bulkEdits.edit({ ids: [pump.id], set_details: { kept: 'y' } });
  expect(await undoChange(await org.as('manager'), change)).toEqual({ status: 'done' });
  const { updated_at: at, ...restored } = await assetOf(org, pump.id);
  const { updated_at: before, ...first } = pump;
  expect(restored).toEqual({ ...first, metadata: { ...metadata, kept: 'y' } });
  expect(at > before).toBe(true);
  expect(await newest(org, 'asset', pump.id)).toMatchObject({ action: 'updated', actor: { name: 'manager' } });
});

it('leaves what was changed since as it is, unless that is overwritten', async () => {
  const org = await world.organization();
  // The log cuts the description of a new asset to 500 characters, but not the description before a change.
  const description = 'a'.repeat(500);
  const { data: pump } = await org.admin.assets.create({ name: 'One', description, metadata: { color: 'red' } });
  await org.admin.assets.update({ asset_id: pump.id, name: 'Two', description: 'b', metadata: { color: 'blue' } });
  const change = await newest(org, 'asset', pump.id);
  await org.admin.assets.update({ asset_id: pump.id, name: 'Three', metadata: { color: 'green' } });
  expect(await undoChange(org.admin, change)).toEqual({ status: 'changed_since', fields: ['name', 'metadata'] });
  expect(await assetOf(org, pump.id)).toMatchObject({ name: 'Three', description: 'b', metadata: { color: 'green' } });
  expect(await undoChange(org.admin, change, true)).toEqual({ status: 'done' });
  expect(await assetOf(org, pump.id)).toMatchObject({ name: 'One', description, metadata: { color: 'red' } });
});

it('takes back a key, and names the asset that has it by now', async () => {
  const org = await world.organization();
  const { data: pump } = await org.admin.assets.create({ name: 'Pump', external_key: 'K-1' });
  await org.admin.assets.rename({ asset_id: pump.id, external_key: 'K-2' });
  const change = await newest(org, 'asset', pump.id);
  const { data: other } = await org.admin.assets.create({ name: 'Other', external_key: 'K-1' });
  expect(await undoChange(org.admin, change)).toEqual({
    status: 'failed',
    reason: 'key_taken',
    value: 'K-1',
    by: { kind: 'asset', id: other.id, name: 'Other' },
  });
  await org.admin.assets.delete({ asset_id: other.id });
  expect(await undoChange(org.admin, change)).toEqual({ status: 'done' });
  expect((await assetOf(org, pump.id)).external_key).toBe('K-1');
});

it('attaches a detached tag again, unless another has it, and detaches an attached one', async () => {
  const org = await world.organization();
  const tag = { tag_type: 'ble' as const, value: 'C3:00' };
  const { data: pump } = await org.admin.assets.create({ name: 'Pump', tags: [tag] });
  await org.admin.tags.removeFromAsset({ asset_id: pump.id, tag_id: pump.tags[0]?.id ?? 0 });
  const detached = await newest(org, 'asset', pump.id);
  const hall = await org.location({ name: 'Hall' });
  await org.admin.tags.addToLocation({ location_id: hall, ...tag });
  const attached = await newest(org, 'location', hall);
  expect(await undoChange(org.admin, detached)).toEqual({
    status: 'failed',
    reason: 'tag_taken',
    value: 'C3:00',
    by: { kind: 'location', id: hall, name: 'Hall' },
  });
  expect(await undoChange(org.admin, attached)).toEqual({ status: 'done' });
  expect(await undoChange(org.admin, attached)).toEqual({ status: 'done' });
  expect(await undoChange(org.admin, detached)).toEqual({ status: 'done' });
  expect((await assetOf(org, pump.id)).tags).toMatchObject([tag]);
});

it('gives nothing back that is more than an asset can have', async () => {
  const org = await world.organization();
  const tags = Array.from({ length: 100 }, (_, n) => ({ tag_type: 'rfid' as const, value: `F${n}` }));
  const { data: pump } = await org.admin.assets.create({ name: 'Pump', metadata: { a: 'a'.repeat(9000) }, tags });
  await org.admin.assets.update({ asset_id: pump.id, metadata: {} });
  const emptied = await newest(org, 'asset', pump.id);
  await org.admin.assets.update({ asset_id: pump.id, metadata: { b: 'b'.repeat(9000) } });
  expect(await undoChange(org.admin, emptied)).toEqual({ status: 'failed', reason: 'details_too_long' });
  await org.admin.tags.removeFromAsset({ asset_id: pump.id, tag_id: pump.tags[0]?.id ?? 0 });
  const detached = await newest(org, 'asset', pump.id);
  await org.admin.tags.addToAsset({ asset_id: pump.id, tag_type: 'rfid', value: 'F100' });
  expect(await undoChange(org.admin, detached)).toEqual({ status: 'failed', reason: 'too_many_tags' });
  expect((await assetOf(org, pump.id)).tags).toHaveLength(100);
});

it('moves a location back, unless its former parent is deleted or below it by now', async () => {
  const org = await world.organization();
  const [site, yard] = [await org.location({ name: 'Site' }), await org.location({ name: 'Yard' })];
  const { data: aisle } = await org.admin.locations.create({ name: 'Aisle', parent_id: site });
  const move = (id: number, parent: number | null) =>
    org.admin.locations.update({ location_id: id, parent_id: parent });
  await move(aisle.id, yard);
  const moved = await newest(org, 'location', aisle.id);
  expect(moved.before).toEqual({ parent: expect.stringContaining('Site') });
  const by = { kind: 'location', id: site, name: 'Site' };
  await move(site, aisle.id);
  expect(await undoChange(org.admin, moved)).toEqual({ status: 'failed', reason: 'parent_below', by });
  await move(site, null);
  await org.admin.locations.delete({ location_id: site });
  expect(await undoChange(org.admin, moved)).toEqual({ status: 'failed', reason: 'parent_deleted', by });
  await org.admin.trash.restore({ location_ids: [site] });
  expect(await undoChange(org.admin, moved)).toEqual({ status: 'done' });
  expect((await org.admin.locations.get({ location_id: aisle.id })).data.parent_id).toBe(site);
});

it('puts an asset back into the container that it was in, or into none, unless it is in another by now', async () => {
  const { org, operator, scan, putIn, at, inside, cart, boxes, ward, store } = await createHospital(world);
  const [former = 0, box = 0, other = 0] = boxes;
  await scan(ward, cart);
  await scan(store, former);
  await putIn(former, box);
  const first = await newest(org, 'asset', box);
  await putIn(cart, box);
  const moved = await newest(org, 'asset', box);
  const changedSince = { status: 'changed_since', fields: ['container'] };
  expect(await undoChange(org.admin, first)).toEqual(changedSince);
  expect(await at(box)).toEqual([ward]);
  expect(await undoChange(org.admin, moved)).toEqual({ status: 'done' });
  expect(await undoChange(org.admin, moved)).toEqual({ status: 'done' });
  expect([await inside(former), await inside(cart), await at(box)]).toEqual([['Box 2'], [], [store]]);
  await putIn(other, box);
  expect(await undoChange(org.admin, moved)).toEqual(changedSince);
  expect(await undoChange(org.admin, moved, true)).toEqual({ status: 'done' });
  expect(await inside(former)).toEqual(['Box 2']);
  expect(await undoChange(org.admin, first)).toEqual({ status: 'done' });
  expect([await inside(former), await at(box)]).toEqual([[], [store]]);

  // Out of a container, it goes back into it, if it is still in none and the container exists and can hold it.
  await putIn(cart, box);
  await operator.containers.takeOut({ asset_ids: [box] });
  const takenOut = await newest(org, 'asset', box);
  expect(takenOut.action).toBe('taken_out');
  await putIn(box, cart);
  const why = { status: 'failed', reason: 'not_contained', why: 'in_itself' };
  expect(await undoChange(org.admin, takenOut)).toEqual(why);
  await operator.containers.takeOut({ asset_ids: [cart] });
  await org.admin.assets.delete({ asset_id: cart });
  const by = { kind: 'asset', id: cart, name: 'Cart 7' };
  expect(await undoChange(org.admin, takenOut)).toEqual({ status: 'failed', reason: 'parent_deleted', by });
  await org.admin.trash.restore({ asset_ids: [cart] });
  await putIn(other, box);
  expect(await undoChange(org.admin, takenOut)).toEqual(changedSince);
  await operator.containers.takeOut({ asset_ids: [box] });
  expect(await undoChange(org.admin, takenOut)).toEqual({ status: 'done' });
  expect(await inside(cart)).toEqual(['Box 2']);
  await org.admin.assets.delete({ asset_id: box });
  expect(await undoChange(org.admin, takenOut)).toEqual({ status: 'failed', reason: 'deleted' });
});

it('gives long details back, with instants and other fields', async () => {
  const org = await world.organization();
  const metadata = { text: 'a'.repeat(9000), none: null };
  const validTo = '2031-02-03T04:05:06.789Z';
  const { data: pump } = await org.admin.assets.create({ name: 'Pump', metadata, valid_to: validTo });
  await org.admin.assets.update({ asset_id: pump.id, metadata: {}, valid_to: null });
  expect(await undoChange(org.admin, await newest(org, 'asset', pump.id))).toEqual({ status: 'done' });
  expect(await assetOf(org, pump.id)).toMatchObject({ metadata, valid_to: validTo });
});

it('is refused to operators, for other organizations, and for deleted rows', async () => {
  const [org, other] = [await world.organization(), await world.organization()];
  const { data: pump } = await org.admin.assets.create({ name: 'Pump', metadata: { text: 'a'.repeat(3000) } });
  await org.admin.assets.update({ asset_id: pump.id, name: 'Two', metadata: {} });
  const change = await newest(org, 'asset', pump.id);
  expect(await refusalOf(undoChange(await org.as('operator'), change))).toMatchObject({ type: 'forbidden' });
  expect(await refusalOf(undoChange(other.admin, change))).toMatchObject({ type: 'not_found' });
  const created = (await entriesOf(org, 'asset', pump.id)).at(-1);
  expect(created && (await refusalOf(undoChange(org.admin, created)))).toMatchObject({ type: 'conflict' });
  await org.admin.assets.delete({ asset_id: pump.id });
  expect(await undoChange(org.admin, change)).toEqual({ status: 'failed', reason: 'deleted' });
});
