import { ulid } from 'ulid';
import { expect, test } from 'vitest';
import { eventTypes, isLimit, isTimed } from '../../../../server/notifying/events/event-types.js';
import { removeOldAlerts } from '../../../../server/notifying/alerts/queries.js';
import { removeFailedJobs } from '../../../../server/kernel/jobs/queue-queries.js';
import { removeOldDeliveries } from '../../../../server/notifying/webhooks/retention.js';
import { sharedAlertingWorld } from '../../../support/alerting-world.js';
import { expectDescribed } from '../../../support/described-events.js';
import { addSightings, createAsset, createLocation, daysAgo } from '../../../support/factories.js';

test('assets that are not read, or stay too long, open alerts without any message, and reading them ends the alert', async () => {
  await using world = await sharedAlertingWorld();
  const { org, admin, receiver } = world;
  const hall = await createLocation(org, { name: 'Hall' });
  const asset = await createAsset(org, { name: 'Forklift' });
  const sighting = { orgId: org.orgId, assetId: asset.id, locationId: hall.id };
  const seenAt = daysAgo(1);
  await addSightings(world, [{ ...sighting, at: seenAt }]);
  const { id } = await world.endpoint();
  const notify = { app: true, email_user_ids: [], email_mode: 'each' as const, endpoint_ids: [id] };
  await admin.alertRules.create({ name: 'Unseen', event_type: 'asset.overdue', limit_seconds: 3600, notify });
  await admin.alertRules.create({
    name: 'Stays',
    event_type: 'asset.dwell_exceeded',
    limit_seconds: 3600,
    notify,
    locations: { kind: 'chosen', ids: [hall.id], include_sublocations: true },
  });
  await receiver.waitFor(2);
  expect(receiver.received.map(({ body }) => body.type).toSorted()).toEqual(['asset.dwell_exceeded', 'asset.overdue']);
  const dataOf = (type: string) => receiver.received.find(({ body }) => body.type === type)?.body.data;
  const common = {
    organization_id: org.orgId,
    occurred_at: expect.any(String),
    limit_seconds: 3600,
    asset: { id: asset.id, external_key: asset.external_key, name: 'Forklift' },
    location: { id: hall.id, external_key: hall.external_key, name: 'Hall', path: ['Hall'] },
  };
  expect(dataOf('asset.overdue')).toEqual({ ...common, last_seen_at: seenAt });
  expect(dataOf('asset.dwell_exceeded')).toEqual({ ...common, since: seenAt });
  for (const { body } of receiver.received) expectDescribed(body);
  expect(await admin.alerts.openCount()).toEqual({ count: 2, is_more: false });
  await addSightings(world, [{ ...sighting, at: new Date().toISOString() }]);
  await expect.poll(() => admin.alerts.openCount(), { timeout: 40_000 }).toEqual({ count: 1, is_more: false });
  const { data } = await admin.alerts.list({ status: 'open' });
  expect(data[0]).toMatchObject({ event_type: 'asset.dwell_exceeded', asset_id: asset.id, rule: { name: 'Stays' } });
  expect(await admin.alerts.acknowledge({ ids: data.map((alert) => alert.id) })).toEqual({ acknowledged: 1 });
  expect(await admin.alerts.openCount()).toEqual({ count: 0, is_more: false });
  for (const event_type of eventTypes) {
    const limit_seconds = isTimed(event_type) ? 3600 : null;
    const threshold = isLimit(event_type) ? 20 : null;
    const preview = await admin.alertRules.preview({ name: 'Any', event_type, limit_seconds, threshold });
    expect(preview.days).toBe(7);
    if (event_type === 'asset.dwell_exceeded') expect(preview.count).toBe(1);
  }
  await removeOldAlerts(world.db);
  await removeOldDeliveries(world.db);
  await removeFailedJobs(world.db);
}, 90_000);

test('an asset that was placed by hand is still not seen: the alert has when it was, and does not end', async () => {
  await using world = await sharedAlertingWorld();
  const { org, admin, receiver } = world;
  const hall = await createLocation(org, { name: 'Hall' });
  const asset = await createAsset(org, { name: 'Forklift' });
  const seenAt = daysAgo(1);
  await addSightings(world, [{ orgId: org.orgId, assetId: asset.id, locationId: hall.id, at: seenAt }]);
  const place = (is_by_hand: boolean) =>
    admin.scans.submit({
      submission_id: ulid(),
      location_id: hall.id,
      reads: [{ asset_id: asset.id }],
      ...(is_by_hand && { is_by_hand }),
    });
  await place(true);
  const { id } = await world.endpoint();
  const notify = { app: true, email_user_ids: [], email_mode: 'each' as const, endpoint_ids: [id] };
  const rule = { name: 'Unseen', event_type: 'asset.overdue' as const, limit_seconds: 3600, notify };
  expect((await admin.alertRules.preview({ ...rule, threshold: null })).count).toBe(1);
  await admin.alertRules.create(rule);
  await receiver.waitFor(1);
  expect(receiver.received[0]?.body).toMatchObject({ type: 'asset.overdue', data: { last_seen_at: seenAt } });
  await place(true);
  // A later condition of the same rule shows that the rule was checked again meanwhile.
  const other = await createAsset(org, { name: 'Crate' });
  await addSightings(world, [{ orgId: org.orgId, assetId: other.id, locationId: hall.id, at: daysAgo(1) }]);
  await receiver.waitFor(2);
  expect(await admin.alerts.openCount()).toMatchObject({ count: 2 });
  await place(false);
  await expect.poll(() => admin.alerts.openCount(), { timeout: 40_000 }).toMatchObject({ count: 1 });
}, 90_000);
