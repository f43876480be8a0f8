import { expect, test } from 'vitest';
import { sharedAlertingWorld } from '../../../support/alerting-world.js';
import { addSession } from '../../../support/factories.js';
import { importFile } from '../../app/imports/import-file.js';

test('an import is reported row by row, created and changed, with its tags', async () => {
  await using world = await sharedAlertingWorld();
  const { org, receiver } = world;
  const manager = await world.as(await addSession(world, org.orgId, 'manager'));
  await world.endpoint({ event_types: ['asset.created', 'asset.updated'] });
  const columns = ['external_key', 'name', 'rfid_tags'];
  const count = 700;
  const rows = Array.from({ length: count }, (_, n) => [`B-${n}`, `Box ${n}`, `E${n}`]);
  await importFile(manager, { columns, rows });
  await receiver.waitFor(count);
  const created = receiver.received.map(({ body }) => body.data['after']);
  expect(new Set(created.map(({ external_key: key }) => key)).size).toBe(count);
  expect(created.find(({ external_key: key }) => key === 'B-5')).toMatchObject({
    name: 'Box 5',
    tags: [{ tag_type: 'rfid', value: 'E5' }],
  });
  await importFile(manager, { columns, rows: rows.with(0, ['B-0', 'Crate', 'E0']) });
  await receiver.waitFor(count + 1);
  expect(receiver.received.at(-1)?.body).toMatchObject({
    type: 'asset.updated',
    data: { before: { name: 'Box 0' }, after: { name: 'Crate' } },
  });
}, 60_000);
