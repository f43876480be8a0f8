import { ulid } from 'ulid';
import { beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { type AlertingWorld, createAlertingWorld } from '../../../support/alerting-world.js';
import { createAsset, createLocation, type Row } from '../../../support/factories.js';
import { pollOptions } from '../../../support/poll-options.js';
import { fileWorld } from '../../../support/shared.js';

const world = fileWorld(createAlertingWorld);
let plant: Row;
let hall: Row;
let yard: Row;
let asset: Row;

beforeAll(async () => {
  const { org } = world;
  plant = await createLocation(org, { name: 'Plant' });
  hall = await createLocation(org, { name: 'Hall', parent_id: plant.id });
  yard = await createLocation(org, { name: 'Yard' });
});

beforeEach(async () => {
  const { admin, org } = world;
  for (const { id } of (await admin.alertRules.list()).data) await admin.alertRules.delete({ id });
  await world.db.alert.deleteMany();
  asset = await createAsset(org, { name: 'Forklift 7', metadata: { owner: 'Acme', size: 3 } });
  await moveTo(hall.id);
  // Routed later, this move would be one of the test's own rules.
  await vi.waitUntil(async () => (await world.db.outboxEvent.count()) === 0, pollOptions);
});

function moveTo(locationId: number, assetId = asset.id) {
  return world.admin.scans.submit({
    submission_id: ulid(),
    location_id: locationId,
    reads: [{ asset_id: assetId }],
  });
}

type RuleInput = Parameters<AlertingWorld['admin']['alertRules']['create']>[0];

/** Creates rules on moves, and a last one without a condition that shows when all events have been routed. */
async function rules(...more: Partial<RuleInput>[]) {
  for (const [index, rule] of [...more, {}].entries()) {
    await world.admin.alertRules.create({
      name: index === more.length ? 'last' : `rule ${index}`,
      event_type: 'asset.location_changed',
      ...rule,
    });
  }
  await world.interested('asset.location_changed');
}

/** Returns the names of the rules that fired, once the last rule has fired `count` times. */
async function fired(count: number): Promise<string[]> {
  const names = async () => (await world.admin.alerts.list({ limit: 200 })).data.map(({ rule }) => rule.name);
  await expect.poll(async () => (await names()).filter((name) => name === 'last').length, pollOptions).toBe(count);
  return (await names()).filter((name) => name !== 'last').toSorted();
}

const chosen = (ids: number[], include_sublocations = true) => ({ kind: 'chosen' as const, ids, include_sublocations });

test('a rule can be limited to kinds of assets, for moves and for changes of assets', async () => {
  const { admin } = world;
  const kind = { icon: 'box', color: 'gray' } as const;
  const { id: trucks } = await admin.assetKinds.create({ ...kind, name: 'Truck' });
  const { id: beds } = await admin.assetKinds.create({ ...kind, name: 'Bed' });
  await admin.assetKinds.setOfAsset({ asset_id: asset.id, kind_id: trucks });
  const limitedTo = (kind_ids: number[]) => ({ assets: { kind: 'all' as const, kind_ids } });
  await rules({ name: 'trucks', ...limitedTo([trucks]) }, { name: 'beds', ...limitedTo([beds]) });
  await moveTo(yard.id);
  expect(await fired(1)).toEqual(['trucks']);
  await admin.assetKinds.setOfAsset({ asset_id: asset.id, kind_id: null });
  await moveTo(hall.id);
  expect(await fired(2)).toEqual(['trucks']);
  await expect(rules({ name: 'none', ...limitedTo([999_999]) })).rejects.toThrow('999999');
});

test('a rule fires on entering, leaving, or both, with sublocations or without', async () => {
  await rules(
    { name: 'leaves the plant', locations: chosen([plant.id]), direction: 'leaving' },
    { name: 'enters the plant', locations: chosen([plant.id]), direction: 'entering' },
    { name: 'crosses the plant', locations: chosen([plant.id]), direction: 'both' },
    { name: 'leaves the plant itself', locations: chosen([plant.id], false), direction: 'leaving' },
    { name: 'enters the yard', locations: chosen([yard.id]), direction: 'entering' },
  );
  await moveTo(yard.id);
  expect(await fired(1)).toEqual(['crosses the plant', 'enters the yard', 'leaves the plant']);
  // From the plant to the hall in it is no crossing of the plant.
  await moveTo(plant.id);
  await moveTo(hall.id);
  expect(await fired(3)).toEqual([
    'crosses the plant',
    'crosses the plant',
    'enters the plant',
    'enters the yard',
    'leaves the plant',
    'leaves the plant itself',
  ]);
});

test('a rule fires for chosen assets, or where the name, the key or metadata matches, ignoring case', async () => {
  const match = (
    field: 'name' | 'external_key' | 'metadata',
    operator: 'equals' | 'contains' | 'starts_with',
    value: string,
  ) => ({
    kind: 'match' as const,
    field,
    operator,
    value,
  });
  const other = await createAsset(world.org, { name: 'Other' });
  await rules(
    { name: 'chosen', assets: { kind: 'chosen', ids: [asset.id] } },
    { name: 'other chosen', assets: { kind: 'chosen', ids: [other.id] } },
    { name: 'name', assets: match('name', 'starts_with', 'FORK') },
    { name: 'other name', assets: match('name', 'equals', 'forklift') },
    { name: 'key', assets: match('external_key', 'equals', asset.external_key.toLowerCase()) },
    { name: 'metadata', assets: { ...match('metadata', 'contains', 'cm'), metadata_key: 'owner' } },
    { name: 'number', assets: { ...match('metadata', 'equals', '3'), metadata_key: 'size' } },
    { name: 'other metadata', assets: { ...match('metadata', 'equals', 'Acme'), metadata_key: 'maker' } },
  );
  await moveTo(yard.id);
  expect(await fired(1)).toEqual(['chosen', 'key', 'metadata', 'name', 'number']);
});

test('a rule reports an asset once within its quiet time, and other assets meanwhile', async () => {
  const other = await createAsset(world.org, { name: 'Other' });
  await rules({ name: 'quiet', quiet_seconds: 3600 });
  await moveTo(yard.id);
  await moveTo(hall.id);
  await moveTo(yard.id, other.id);
  expect(await fired(3)).toEqual(['quiet', 'quiet']);
  await world.db.$executeRaw`UPDATE alerts SET opened_at = opened_at - interval '61 minutes'`;
  await moveTo(yard.id);
  expect(await fired(4)).toEqual(['quiet', 'quiet', 'quiet']);
});

test('a rule fires only in its active hours', async () => {
  const hours = (fromNow: number) => new Date(Date.now() + fromNow * 3_600_000).toISOString().slice(11, 16);
  const days = [1, 2, 3, 4, 5, 6, 7];
  await rules(
    { name: 'now', schedule: { time_zone: 'UTC', days, from: hours(-2), to: hours(2) } },
    { name: 'later', schedule: { time_zone: 'UTC', days, from: hours(2), to: hours(4) } },
  );
  await moveTo(yard.id);
  expect(await fired(1)).toEqual(['now']);
});

test('an alert is open until it is acknowledged, once, and keeps the person who did it', async () => {
  await rules();
  await moveTo(yard.id);
  await fired(1);
  const { admin, session } = world;
  const [alert] = (await admin.alerts.list({ status: 'open' })).data;
  const ids = [alert?.id ?? 0];
  expect(await admin.alerts.openCount()).toEqual({ count: 1, is_more: false });
  expect(await admin.alerts.acknowledge({ ids })).toEqual({ acknowledged: 1 });
  expect(await admin.alerts.acknowledge({ ids })).toEqual({ acknowledged: 0 });
  expect(await admin.alerts.openCount()).toEqual({ count: 0, is_more: false });
  expect((await admin.alerts.list({ status: 'acknowledged' })).data).toMatchObject([
    { id: ids[0], is_open: false, acknowledged_by: { id: session.userId, name: 'admin' } },
  ]);
});

test('the preview counts what a rule would have reported, before it is saved', async () => {
  await moveTo(yard.id);
  await moveTo(hall.id);
  const { admin } = world;
  const rule = {
    name: 'Leaves',
    event_type: 'asset.location_changed' as const,
    direction: 'leaving' as const,
    assets: { kind: 'chosen' as const, ids: [asset.id] },
    locations: chosen([plant.id]),
  };
  const preview = await admin.alertRules.preview(rule);
  expect(preview).toMatchObject({ days: 7, count: 1, is_at_least: false });
  expect(preview.examples).toMatchObject([
    {
      event_type: 'asset.location_changed',
      data: { asset: { name: 'Forklift 7' }, from: { name: 'Hall', path: ['Plant', 'Hall'] }, to: { name: 'Yard' } },
    },
  ]);
  expect((await admin.alertRules.list()).data).toEqual([]);
});

test('an event that several rules send to one endpoint arrives once, with their names', async () => {
  const { receiver } = world;
  const { id } = await world.endpoint();
  const notify = { app: false, email_user_ids: [], email_mode: 'each' as const, endpoint_ids: [id] };
  await rules({ name: 'one', notify }, { name: 'two', notify });
  await moveTo(yard.id);
  await receiver.waitFor(1);
  await world.admin.webhooks.sendTest({ id });
  await receiver.waitFor(2);
  expect(receiver.received.map(({ body }) => body.type)).toEqual(['asset.location_changed', 'webhook.test']);
  expect(receiver.received[0]?.body.rules?.map(({ name }) => name)).toEqual(['one', 'two']);
});

test('the form of rules offers the webhook endpoints that are not deleted', async () => {
  const { admin } = world;
  await admin.webhooks.create({ name: 'Kept', url: 'https://example.com/kept' });
  const deleted = await admin.webhooks.create({ name: 'Deleted', url: 'https://example.com/deleted' });
  await admin.webhooks.delete({ id: deleted.id });
  const offered = (await admin.alertRules.options()).endpoints.map(({ name }) => name);
  expect(offered).toContain('Kept');
  expect(offered).not.toContain('Deleted');
});
