import { expect, test } from 'vitest';
import { sharedAlertingWorld } from '../../../support/alerting-world.js';
import { refusalOf } from '../../../support/caller.js';
import { addSession, createLocation } from '../../../support/factories.js';

test('changes of rules are logged with names, before and after, and a save that changes nothing is not', async () => {
  await using world = await sharedAlertingWorld();
  const { org, admin, session } = world;
  const hall = await createLocation(org, { name: 'Hall', external_key: 'H-1' });
  const { id: endpoint } = await world.endpoint({ name: 'ERP' });
  const rule = {
    name: 'Leaves',
    event_type: 'asset.location_changed' as const,
    direction: 'leaving' as const,
    locations: { kind: 'chosen' as const, ids: [hall.id], include_sublocations: true },
    schedule: { time_zone: 'Europe/Berlin', days: [1, 2], from: '22:00', to: '06:00' },
    notify: { app: true, email_user_ids: [session.userId], email_mode: 'daily' as const, endpoint_ids: [endpoint] },
  };
  const { id } = await admin.alertRules.create(rule);
  await admin.alertRules.update({ id, ...rule });
  const notify = { ...rule.notify, endpoint_ids: [] };
  await admin.alertRules.update({ id, ...rule, name: 'Leaves the hall', quiet_seconds: 60, notify });
  await admin.alertRules.setEnabled({ id, is_enabled: false });
  await admin.alertRules.delete({ id });
  const manager = await world.as(await addSession(world, org.orgId, 'manager'));
  const { data } = await manager.activity.list({ kind: 'alert_rule', object_id: String(id) });
  const common = { kind: 'alert_rule', entry_point: 'app', actor: { kind: 'user', id: String(session.userId) } };
  expect(data).toMatchObject([
    { ...common, action: 'deleted', object_name: 'Leaves the hall', before: { name: 'Leaves the hall' }, after: {} },
    { ...common, action: 'updated', before: { is_enabled: true }, after: { is_enabled: false } },
    { ...common, action: 'updated', object_name: 'Leaves the hall' },
    { ...common, action: 'created', object_name: 'Leaves' },
  ]);
  expect(data[2]).toMatchObject({
    before: { name: 'Leaves', quiet_seconds: 0, endpoints: ['ERP'] },
    after: { name: 'Leaves the hall', quiet_seconds: 60, endpoints: [] },
  });
  expect(data[3]?.after).toMatchObject({
    assets: 'All assets',
    locations: ['Hall (H-1)', 'with sublocations'],
    schedule: 'Mon, Tue, 22:00 to 06:00, Europe/Berlin',
    email_recipients: ['admin'],
    endpoints: ['ERP'],
  });
  const viewer = await world.as(await addSession(world, org.orgId, 'viewer'));
  expect(await refusalOf(viewer.activity.list({ kind: 'alert_rule' }))).toMatchObject({ type: 'forbidden' });
});

test('changes of endpoints are logged for administrators, without secrets', async () => {
  await using world = await sharedAlertingWorld();
  const { org, admin } = world;
  const endpoint = await world.endpoint({ name: 'ERP', event_types: ['asset.created'] });
  await admin.webhooks.update({ id: endpoint.id, name: 'ERP' });
  await admin.webhooks.update({ id: endpoint.id, event_types: ['asset.created', 'asset.deleted'] });
  const rotated = await admin.webhooks.rotateSecret({ id: endpoint.id });
  await admin.webhooks.update({ id: endpoint.id, is_enabled: false });
  await admin.webhooks.delete({ id: endpoint.id });
  const { data } = await admin.activity.list({ kind: 'webhook_endpoint' });
  expect(data.map(({ action, before, after }) => ({ action, before, after }))).toMatchObject([
    { action: 'deleted', before: { name: 'ERP', url: endpoint.url }, after: {} },
    { action: 'updated', before: { is_enabled: true }, after: { is_enabled: false } },
    { action: 'secret_rotated', before: {}, after: {} },
    {
      action: 'updated',
      before: { event_types: ['asset.created'] },
      after: { event_types: ['asset.created', 'asset.deleted'] },
    },
    { action: 'created', before: {}, after: { name: 'ERP', url: endpoint.url, is_enabled: true } },
  ]);
  const stored = JSON.stringify(await world.db.activityEntry.findMany(), (_key, value: unknown) =>
    typeof value === 'bigint' ? Number(value) : value,
  );
  for (const { secret } of [endpoint, rotated]) expect(stored).not.toContain(secret);
  const manager = await world.as(await addSession(world, org.orgId, 'manager'));
  expect(await refusalOf(manager.activity.list({ kind: 'webhook_endpoint' }))).toMatchObject({ type: 'forbidden' });
});
