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

test('an asset away from where it belongs opens an alert, wherever it goes, which ends once it is back', async () => {
  await using world = await sharedAlertingWorld();
  const { org, admin, receiver } = world;
  const site = await createLocation(org, { name: 'Hospital' });
  const [icu, hall] = await Promise.all(
    ['ICU', 'Hall'].map((name) => createLocation(org, { name, parent_id: site.id })),
  );
  const bay = await createLocation(org, { name: 'Bay', parent_id: icu?.id ?? 0 });
  const pump = await createAsset(org, { name: 'Pump' });
  const bed = await createAsset(org, { name: 'Bed' });
  const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();
  const place = (assetId: number, locationId: number, at: string) =>
    admin.scans.submit({
      submission_id: ulid(),
      location_id: locationId,
      reads: [{ asset_id: assetId }],
      observed_at: at,
    });
  for (const { id } of [pump, bed]) await admin.assets.setBelongsTo({ asset_id: id, belongs_to_id: icu?.id ?? 0 });
  const leftAt = hoursAgo(4);
  await place(pump.id, bay.id, hoursAgo(6));
  await place(pump.id, hall?.id ?? 0, leftAt);
  // Another location that is not where it belongs: it has been away since it left.
  await place(pump.id, site.id, hoursAgo(1));
  await place(bed.id, hall?.id ?? 0, hoursAgo(6));
  await place(bed.id, bay.id, hoursAgo(5));
  const rule = {
    name: 'Away',
    event_type: 'asset.away' as const,
    limit_seconds: 3 * 3600,
    locations: { kind: 'chosen' as const, ids: [icu?.id ?? 0], include_sublocations: false },
  };
  expect(await admin.alertRules.preview(rule)).toMatchObject({
    count: 1,
    examples: [{ data: { asset: { name: 'Pump' }, belongs_to: { name: 'ICU' }, since: leftAt } }],
  });
  const { id } = await world.endpoint();
  await admin.alertRules.create({
    ...rule,
    notify: { app: true, email_user_ids: [], email_mode: 'each', endpoint_ids: [id] },
  });
  await receiver.waitFor(1);
  const [sent] = receiver.received;
  if (!sent) throw new Error('an event was sent');
  expectDescribed(sent.body);
  expect(sent.body).toMatchObject({
    type: 'asset.away',
    data: {
      asset: { id: pump.id, external_key: pump.external_key, name: 'Pump' },
      location: { id: site.id, path: ['Hospital'] },
      belongs_to: { id: icu?.id, path: ['Hospital', 'ICU'] },
      since: leftAt,
      limit_seconds: 3 * 3600,
    },
  });
  expect(await admin.alerts.openCount()).toEqual({ count: 1, is_more: false });
  await place(pump.id, bay.id, new Date().toISOString());
  await expect.poll(() => admin.alerts.openCount(), { timeout: 40_000 }).toEqual({ count: 0, is_more: false });
}, 90_000);
