import { expect, test } from 'vitest';
import { createAsset, createLocation, read, nouns, remove } from '../../../support/factories.js';
import { expectDescribed } from '../../../support/described-events.js';
import { sharedAlertingWorld } from '../../../support/alerting-world.js';

test('creating, changing, deleting and restoring is reported with the views before and after', async () => {
  await using world = await sharedAlertingWorld();
  const { org, receiver } = world;
  await world.endpoint({ event_types: ['asset.created', 'asset.updated', 'asset.deleted'] });
  const asset = await createAsset(org, { name: 'Forklift', tags: [{ tag_type: 'rfid', value: 'AB12' }] });
  await receiver.waitFor(1);
  expect(receiver.received[0]?.body).toEqual({
    type: 'asset.created',
    timestamp: asset.created_at,
    data: { organization_id: org.orgId, occurred_at: asset.created_at, before: null, after: asset },
  });

  await org.patch(`/api/v1/assets/${asset.id}`, { name: 'Truck' });
  await receiver.waitFor(2);
  const changed = await read(org, nouns.assets, asset.id);
  expect(receiver.received[1]?.body).toMatchObject({
    type: 'asset.updated',
    timestamp: changed.updated_at,
    data: { before: asset, after: changed },
  });

  const attached = await org.post(`/api/v1/assets/${asset.id}/tags`, { tag_type: 'ble', value: 'C3' });
  await receiver.waitFor(3);
  expect(receiver.received[2]?.body).toMatchObject({
    type: 'asset.updated',
    data: { before: changed, after: { ...changed, tags: [...changed.tags, attached.body.data] } },
  });

  await remove(org, nouns.assets, asset.id);
  await receiver.waitFor(4);
  expect(receiver.received[3]?.body).toMatchObject({
    type: 'asset.deleted',
    data: { before: { id: asset.id, name: 'Truck' }, after: null },
  });

  await world.admin.trash.restore({ asset_ids: [asset.id] });
  await receiver.waitFor(5);
  const restored = await read(org, nouns.assets, asset.id);
  expect(receiver.received[4]?.body).toMatchObject({
    type: 'asset.created',
    timestamp: restored.updated_at,
    data: { before: null, after: restored },
  });
  expect(receiver.refused).toEqual([]);
  for (const { body } of receiver.received) expectDescribed(body);
});

test('a change that changes nothing is no event', async () => {
  await using world = await sharedAlertingWorld();
  const { org, receiver } = world;
  const asset = await createAsset(org);
  await world.endpoint({ event_types: ['asset.updated'] });
  await org.patch(`/api/v1/assets/${asset.id}`, {});
  await org.patch(`/api/v1/assets/${asset.id}`, { name: 'Other' });
  await receiver.waitFor(1);
  expect(receiver.received.map(({ body }) => body.data['after'].name)).toEqual(['Other']);
});

test('a change of a field that the public view does not have is no event', async () => {
  await using world = await sharedAlertingWorld();
  const { org, admin, receiver } = world;
  const asset = await createAsset(org);
  const kind = await admin.assetKinds.create({ name: 'Pump', icon: 'box', color: 'gray', image_id: null });
  await world.endpoint({ event_types: ['asset.updated'] });
  await admin.bulkEdits.edit({ ids: [asset.id], kind_id: kind.id });
  await admin.assets.update({ asset_id: asset.id, name: 'Other' });
  await receiver.waitFor(1);
  expect(receiver.received.map(({ body }) => body.data['after'].name)).toEqual(['Other']);
});

test('an event has the key of the parent as it was at the time of the change', async () => {
  await using world = await sharedAlertingWorld();
  const { org, db, receiver } = world;
  const hall = await createLocation(org, { name: 'Hall' });
  await world.endpoint({ event_types: ['location.created'] });
  // The new key is stored in the same transaction, before the event is routed.
  await db.$transaction(async (tx) => {
    await tx.$executeRaw`
      INSERT INTO locations (org_id, external_key, name, parent_id, valid_from, created_at, updated_at)
      VALUES (${org.orgId}::int, 'AISLE', 'Aisle', ${hall.id}::int, now(), now(), now())`;
    await tx.$executeRaw`
      UPDATE locations SET external_key = 'RENAMED', updated_at = now() WHERE org_id = ${org.orgId}::int AND id = ${hall.id}::int`;
  });
  await receiver.waitFor(1);
  expect(receiver.received[0]?.body.data['after']).toMatchObject({ parent_external_key: hall.external_key });
});

test('locations are reported too, with their parent', async () => {
  await using world = await sharedAlertingWorld();
  const { org, receiver } = world;
  await world.endpoint({ event_types: ['location.created', 'location.updated'] });
  const hall = await createLocation(org, { name: 'Hall' });
  const aisle = await createLocation(org, { name: 'Aisle', parent_id: hall.id });
  await receiver.waitFor(2);
  // An endpoint gets several at once, in any order.
  const created = receiver.received.map(({ body }) => body.data['after']).toSorted((a, b) => a.id - b.id);
  expect(created).toEqual([hall, aisle]);
  await org.patch(`/api/v1/locations/${aisle.id}`, { parent_id: null });
  await receiver.waitFor(3);
  expect(receiver.received[2]?.body.data).toMatchObject({
    before: { parent_id: hall.id, parent_external_key: hall.external_key },
    after: { parent_id: null, parent_external_key: null },
  });
  for (const { body } of receiver.received) expectDescribed(body);
});

test('a change of every kind is reported: a new key, a detached tag, many at once, a deleted location', async () => {
  await using world = await sharedAlertingWorld();
  const { org, admin, receiver } = world;
  const hall = await createLocation(org, { name: 'Hall' });
  const first = await createAsset(org, { tags: [{ tag_type: 'ble', value: 'C3' }] });
  const second = await createAsset(org);
  await world.endpoint({ event_types: ['asset.updated', 'asset.deleted', 'location.deleted'] });
  const key = (asset: { external_key: string } | null) => asset?.external_key;

  await org.post(`/api/v1/assets/${first.id}/rename`, { external_key: 'NEW-KEY' });
  await receiver.waitFor(1);
  const renamed = receiver.received[0]?.body.data;
  expect([key(renamed?.['before']), key(renamed?.['after'])]).toEqual([first.external_key, 'NEW-KEY']);

  await org.delete(`/api/v1/assets/${first.id}/tags/${first.tags[0]?.id}`);
  await receiver.waitFor(2);
  expect(receiver.received[1]?.body).toMatchObject({
    type: 'asset.updated',
    data: { before: { tags: first.tags }, after: { id: first.id, tags: [] } },
  });

  await admin.bulkEdits.edit({ ids: [first.id, second.id], is_active: false });
  await receiver.waitFor(4);
  expect(receiver.received.slice(2).map(({ body }) => body.data['after'].is_active)).toEqual([false, false]);
  await admin.assets.deleteMany({ ids: [first.id, second.id] });
  await receiver.waitFor(6);
  const deleted = receiver.received.slice(4).map(({ body }) => [body.type, body.data['before'].id]);
  expect(deleted.toSorted((a, b) => a[1] - b[1])).toEqual([
    ['asset.deleted', first.id],
    ['asset.deleted', second.id],
  ]);

  await remove(org, nouns.locations, hall.id);
  await receiver.waitFor(7);
  expect(receiver.received[6]?.body).toMatchObject({
    type: 'location.deleted',
    data: { before: { id: hall.id, name: 'Hall' }, after: null },
  });
});
