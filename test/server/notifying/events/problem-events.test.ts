import { ulid } from 'ulid';
import { expect, test } from 'vitest';
import { sharedAlertingWorld } from '../../../support/alerting-world.js';
import { expectDescribed } from '../../../support/described-events.js';
import { createAsset, createLocation } from '../../../support/factories.js';

test('a reported problem is an event with the asset, its location, the words, and who reported it', async () => {
  await using world = await sharedAlertingWorld();
  const { org, admin, receiver, session } = world;
  const ward = await createLocation(org, { name: 'Ward 3A' });
  const asset = await createAsset(org, { name: 'Pump 6' });
  await admin.scans.submit({ submission_id: ulid(), location_id: ward.id, reads: [{ asset_id: asset.id }] });
  const report = (text: string, submission_id = ulid()) =>
    admin.assetProblems.report({ asset_id: asset.id, text, submission_id });
  // Nobody has asked for it yet.
  await report('Too early');
  await world.endpoint({ event_types: ['asset.problem_reported'] });
  const id = ulid();
  const { id: problemId } = await report('Broken', id);
  await report('Broken', id);
  await report('Broken');
  await report('Needs cleaning');
  await receiver.waitFor(2);
  expect(receiver.received.map(({ body }) => body)).toMatchObject([
    {
      type: 'asset.problem_reported',
      data: {
        organization_id: org.orgId,
        asset: { id: asset.id, external_key: asset.external_key, name: 'Pump 6' },
        location: { id: ward.id, external_key: ward.external_key, name: 'Ward 3A', path: ['Ward 3A'] },
        problem: { id: problemId, text: 'Broken' },
        user: { id: session.userId, name: 'admin' },
      },
    },
    { type: 'asset.problem_reported', data: { problem: { text: 'Needs cleaning' } } },
  ]);
  for (const { body } of receiver.received) expectDescribed(body);
});

test('a rule about reported problems fires for its locations, and says before how often it would have', async () => {
  await using world = await sharedAlertingWorld();
  const { org, admin } = world;
  const [ward, store] = [await createLocation(org, { name: 'Ward' }), await createLocation(org, { name: 'Store' })];
  const [pump, bed] = [await createAsset(org, { name: 'Pump' }), await createAsset(org, { name: 'Bed' })];
  const place = (assetId: number, locationId: number) =>
    admin.scans.submit({ submission_id: ulid(), location_id: locationId, reads: [{ asset_id: assetId }] });
  await place(pump.id, ward.id);
  await place(bed.id, store.id);
  const report = (assetId: number, text: string) => admin.assetProblems.report({ asset_id: assetId, text });
  await report(pump.id, 'Broken');
  await report(bed.id, 'Broken');
  const rule = {
    name: 'Broken in the ward',
    event_type: 'asset.problem_reported' as const,
    locations: { kind: 'chosen' as const, ids: [ward.id] },
  };
  expect(await admin.alertRules.preview(rule)).toMatchObject({
    count: 1,
    is_at_least: true,
    examples: [{ data: { asset: { name: 'Pump' }, location: { name: 'Ward' }, problem: { text: 'Broken' } } }],
  });
  await admin.alertRules.create(rule);
  await report(bed.id, 'Incomplete');
  await report(pump.id, 'Incomplete');
  await expect.poll(async () => (await admin.alerts.list({})).data, { timeout: 20_000 }).toHaveLength(1);
  expect((await admin.alerts.list({})).data).toMatchObject([
    {
      event_type: 'asset.problem_reported',
      data: { asset: { name: 'Pump' }, location: { name: 'Ward' }, problem: { text: 'Incomplete' } },
    },
  ]);
});
