import { expect, test } from 'vitest';
import { sharedScanWorld } from '../../../support/scan-world.js';

// Details are read once for all keys; a detail that is null counts as none.
test('a detail that is null, and one of a large object, are shown like any other', async () => {
  const world = await sharedScanWorld();
  const org = await world.organization();
  const metadata = Object.fromEntries(Array.from({ length: 1000 }, (_, n) => [`k${n}`, n]));
  const { data } = await org.admin.assets.create({ name: 'Pump', metadata: { ...metadata, none: null, on: true } });
  const manager = await org.as('manager');
  const preview = await manager.bulkEdits.preview({
    ids: [data.id],
    set_details: { k999: 'x'.repeat(600), none: [null] },
    remove_details: ['on', 'missing'],
  });
  expect(preview.data[0]).toMatchObject({
    before: { details: { k999: '999', on: 'true' } },
    after: { details: { k999: 'x'.repeat(500), none: '[null]' } },
  });
});
