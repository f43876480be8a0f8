import { randomUUID } from 'node:crypto';
import { ulid } from 'ulid';
import { expect, test } from 'vitest';
import { sharedAlertingWorld } from '../../../support/alerting-world.js';
import { expectDescribed } from '../../../support/described-events.js';
import { createAsset, createLocation } from '../../../support/factories.js';

test('a handheld that places an asset elsewhere is reported with where from, where to, and who', async () => {
  await using world = await sharedAlertingWorld();
  const { org, admin, receiver, session } = world;
  const plant = await createLocation(org, { name: 'Plant' });
  const hall = await createLocation(org, { name: 'Hall', parent_id: plant.id });
  const yard = await createLocation(org, { name: 'Yard' });
  const asset = await createAsset(org, { name: 'Forklift' });
  const submit = (locationId: number) =>
    admin.scans.submit({ submission_id: ulid(), location_id: locationId, reads: [{ asset_id: asset.id }] });
  await submit(hall.id);
  await world.endpoint({ event_types: ['asset.location_changed', 'tag.unknown'] });
  await world.interested('asset.location_changed');
  await submit(hall.id);
  await submit(yard.id);
  await receiver.waitFor(1);
  expect(receiver.received[0]?.body).toMatchObject({
    type: 'asset.location_changed',
    data: {
      organization_id: org.orgId,
      asset: { id: asset.id, external_key: asset.external_key, name: 'Forklift' },
      from: { id: hall.id, external_key: hall.external_key, name: 'Hall', path: ['Plant', 'Hall'] },
      to: { id: yard.id, name: 'Yard', path: ['Yard'] },
      reader: null,
      user: { id: session.userId, name: 'admin' },
    },
  });

  const value = randomUUID();
  const unknown = () =>
    admin.scans.submit({ submission_id: ulid(), location_id: yard.id, reads: [{ tag_type: 'rfid', value }] });
  await unknown();
  await unknown();
  await submit(hall.id);
  await receiver.waitFor(3);
  expect(receiver.received.map(({ body }) => body.type).toSorted()).toEqual([
    'asset.location_changed',
    'asset.location_changed',
    'tag.unknown',
  ]);
  for (const { body } of receiver.received) expectDescribed(body);
});
