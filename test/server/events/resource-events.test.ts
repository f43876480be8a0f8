import { expect, test } from 'vitest';
import { createAsset, createLocation, read, nouns, remove } from '../../support/factories.js';
import { createAlertingWorld } from '../../support/alerting-world.js';

test('creating, changing and deleting over REST is reported with the views before and after', async () => {
  await using world = await createAlertingWorld();
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
  expect(receiver.refused).toEqual([]);
});

test('a change that changes nothing is no event', async () => {
  await using world = await createAlertingWorld();
  const { org, receiver } = world;
  const asset = await createAsset(org);
  await world.endpoint({ event_types: ['asset.updated'] });
  await org.patch(`/api/v1/assets/${asset.id}`, {});
  await org.patch(`/api/v1/assets/${asset.id}`, { name: 'Other' });
  await receiver.waitFor(1);
  expect(receiver.received.map(({ body }) => body.data['after'].name)).toEqual(['Other']);
});

test('locations are reported too, with their parent', async () => {
  await using world = await createAlertingWorld();
  const { org, receiver } = world;
  await world.endpoint({ event_types: ['location.created', 'location.updated'] });
  const hall = await createLocation(org, { name: 'Hall' });
  const aisle = await createLocation(org, { name: 'Aisle', parent_id: hall.id });
  await receiver.waitFor(2);
  expect(receiver.received.map(({ body }) => body.data['after'])).toEqual([hall, aisle]);
  await org.patch(`/api/v1/locations/${aisle.id}`, { parent_id: null });
  await receiver.waitFor(3);
  expect(receiver.received[2]?.body.data).toMatchObject({
    before: { parent_id: hall.id, parent_external_key: hall.external_key },
    after: { parent_id: null, parent_external_key: null },
  });
});
