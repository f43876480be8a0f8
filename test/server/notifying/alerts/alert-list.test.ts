import { ulid } from 'ulid';
import { expect, test } from 'vitest';
import { sharedAlertingWorld } from '../../../support/alerting-world.js';
import { addSession, createAsset, createLocation } from '../../../support/factories.js';

test('alerts are found by asset, rule and location with sublocations, and contain who acknowledged them and where they were sent', async () => {
  await using world = await sharedAlertingWorld();
  const { org, admin, receiver } = world;
  const plant = await createLocation(org, { name: 'Plant' });
  const hall = await createLocation(org, { name: 'Hall', parent_id: plant.id });
  const dock = await createLocation(org, { name: 'Dock', parent_id: plant.id });
  const yard = await createLocation(org, { name: 'Yard' });
  const forklift = await createAsset(org, { name: 'Forklift' });
  const pallet = await createAsset(org, { name: 'Pallet' });
  const endpoint = await world.endpoint();
  const notify = { app: true, email_user_ids: [], email_mode: 'each' as const, endpoint_ids: [endpoint.id] };
  const leaves = await admin.alertRules.create({
    name: 'Leaves the hall',
    event_type: 'asset.location_changed',
    direction: 'leaving',
    locations: { kind: 'chosen', ids: [hall.id] },
    notify,
  });
  const hidden = { ...notify, app: false, endpoint_ids: [] };
  await admin.alertRules.create({ name: 'Not in the app', event_type: 'asset.location_changed', notify: hidden });
  await world.interested('asset.location_changed');
  const place = (locationId: number, ...assetIds: number[]) =>
    admin.scans.submit({
      submission_id: ulid(),
      location_id: locationId,
      reads: assetIds.map((asset_id) => ({ asset_id })),
    });
  await place(hall.id, forklift.id, pallet.id);
  await place(dock.id, forklift.id);
  await place(yard.id, pallet.id);
  await receiver.waitFor(2);
  await expect.poll(async () => (await admin.alerts.list({})).data.length).toBe(2);

  const assetsOf = async (filter: Parameters<typeof admin.alerts.list>[0]) =>
    (await admin.alerts.list(filter)).data.map(({ asset_id }) => asset_id ?? 0).toSorted((one, other) => one - other);
  expect(await assetsOf({ location_id: hall.id })).toEqual([forklift.id, pallet.id]);
  expect(await assetsOf({ location_id: plant.id })).toEqual([forklift.id, pallet.id]);
  expect(await assetsOf({ location_id: dock.id })).toEqual([forklift.id]);
  expect(await assetsOf({ location_id: yard.id })).toEqual([pallet.id]);
  expect(await assetsOf({ asset_id: pallet.id })).toEqual([pallet.id]);
  expect(await assetsOf({ rule_id: leaves.id, asset_id: forklift.id })).toEqual([forklift.id]);
  expect(await admin.alerts.rules()).toEqual({ data: [{ id: leaves.id, name: 'Leaves the hall' }] });

  const [alert] = (await admin.alerts.list({ asset_id: forklift.id })).data;
  const id = alert?.id ?? 0;
  const viewer = await world.as(await addSession(world, org.orgId, 'viewer'));
  await expect(viewer.alerts.acknowledge({ ids: [id] })).rejects.toMatchObject({ type: 'forbidden' });
  const operator = await world.as(await addSession(world, org.orgId, 'operator'));
  await operator.alerts.acknowledge({ ids: [id] });
  expect(await viewer.alerts.get({ id })).toMatchObject({
    is_open: false,
    is_condition: false,
    acknowledged_by: { name: 'operator' },
    deliveries: null,
  });
  await expect
    .poll(async () => (await admin.alerts.get({ id })).deliveries)
    .toMatchObject([{ endpoint_id: endpoint.id, endpoint_name: 'Receiver', status: 'delivered', attempts: 1 }]);

  const other = await world.organization();
  const outsider = await world.as(await addSession(world, other.orgId, 'admin'));
  await expect(outsider.alerts.get({ id })).rejects.toMatchObject({ type: 'not_found' });
  expect((await outsider.alerts.list({ location_id: hall.id })).data).toEqual([]);
  expect(await outsider.alerts.rules()).toEqual({ data: [] });
}, 60_000);

test('a rule is read with the names of what it applies to, deleted ones too', async () => {
  await using world = await sharedAlertingWorld();
  const { org, admin } = world;
  const plant = await createLocation(org, { name: 'Plant' });
  const hall = await createLocation(org, { name: 'Hall', parent_id: plant.id });
  const assets = [];
  for (const name of ['A', 'B', 'C', 'D']) assets.push(await createAsset(org, { name }));
  const ids = assets.map(({ id }) => id);
  const { id } = await admin.alertRules.create({
    name: 'Rule',
    event_type: 'asset.location_changed',
    assets: { kind: 'chosen', ids },
    locations: { kind: 'chosen', ids: [hall.id] },
  });
  await org.delete(`/api/v1/assets/${ids[3]}`);
  const { rule, names } = await admin.alertRules.get({ id });
  expect(rule).toMatchObject({ name: 'Rule', assets: { ids } });
  expect(new Map(names.assets.map(({ name, is_deleted }) => [name, is_deleted]))).toEqual(
    new Map([
      ['A', false],
      ['B', false],
      ['C', false],
      ['D', true],
    ]),
  );
  expect(names.locations).toMatchObject([{ id: hall.id, name: 'Hall', path: ['Plant', 'Hall'], is_deleted: false }]);
  const list = await admin.alertRules.list();
  expect(list.names.assets.map(({ name }) => name).toSorted()).toEqual(['A', 'B', 'C']);
}, 60_000);

test('an endpoint that somebody else has changed is not overwritten, however soon after', async () => {
  await using world = await sharedAlertingWorld();
  const { admin, receiver } = world;
  const { id, updated_at } = await admin.webhooks.create({ name: 'First', url: receiver.url });
  const refusal = { type: 'validation_error', fields: [{ field: 'updated_at', code: 'read_only' }] };
  let last = updated_at;
  const seen = new Set([last]);
  for (const change of [{ name: 'Second' }, { is_enabled: false }, { is_enabled: true, url: receiver.url }]) {
    last = (await admin.webhooks.update({ id, updated_at: last, ...change })).updated_at;
    expect(seen).not.toContain(last);
    seen.add(last);
    await expect(admin.webhooks.update({ id, updated_at, name: 'Third' })).rejects.toMatchObject(refusal);
  }
  last = (await admin.webhooks.rotateSecret({ id })).updated_at;
  expect(seen).not.toContain(last);
  const both = [
    admin.webhooks.update({ id, updated_at: last, name: 'A' }),
    admin.webhooks.update({ id, updated_at: last, name: 'B' }),
  ];
  expect((await Promise.allSettled(both)).map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  await admin.webhooks.update({ id, name: 'Unconditional' });
  expect((await admin.webhooks.list()).data[0]?.name).toBe('Unconditional');
}, 60_000);

test('a rule that somebody else has changed is not replaced with the state of before', async () => {
  await using world = await sharedAlertingWorld();
  const { admin } = world;
  const rule = { event_type: 'tag.unknown' as const };
  const { id, updated_at } = await admin.alertRules.create({ name: 'First', ...rule });
  const second = await admin.alertRules.update({ id, updated_at, name: 'Second', ...rule });
  await expect(admin.alertRules.update({ id, updated_at, name: 'Third', ...rule })).rejects.toMatchObject({
    type: 'validation_error',
    fields: [{ field: 'updated_at', code: 'read_only' }],
  });
  expect((await admin.alertRules.get({ id })).rule.name).toBe('Second');
  await admin.alertRules.update({ id, updated_at: second.updated_at, name: 'Third', ...rule });
  await admin.alertRules.update({ id, name: 'Fourth', ...rule });
  expect((await admin.alertRules.get({ id })).rule.name).toBe('Fourth');
}, 60_000);
