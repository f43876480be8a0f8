import { expect, test } from 'vitest';
import { refusalOf } from '../support/caller.js';
import { createScanWorld, sharedScanWorld } from '../support/scan-world.js';

test('a list that is none is named an array, and the message about an address fits the settings', async () => {
  await using world = await createScanWorld({ settings: { webhooksAllowPrivateAddresses: true } });
  const strict = await sharedScanWorld();
  const { admin } = await world.organization();
  const rule = { name: 'Moves', event_type: 'asset.location_changed' as const };
  expect(await refusalOf(admin.alertRules.create({ ...rule, notify: { endpoint_ids: 5 as never } }))).toMatchObject({
    fields: [
      {
        message: 'endpoint_ids must be array; received number',
        params: { expected_type: 'array', received_type: 'number' },
      },
    ],
  });
  const create = (url: string) => admin.webhooks.create({ name: 'Hook', url });
  const noWebAddress = { fields: [{ message: 'url must be a web address, such as https://example.com/events' }] };
  expect(await refusalOf(create('ftp://example.com/'))).toMatchObject(noWebAddress);
  expect(await refusalOf(create('example.com'))).toMatchObject(noWebAddress);
  expect(await create('http://example.com/events')).toMatchObject({ url: 'http://example.com/events' });
  const { admin: other } = await strict.organization();
  expect(await refusalOf(other.webhooks.create({ name: 'Hook', url: 'http://example.com/' }))).toMatchObject({
    fields: [{ message: 'url must be an address that begins with https://' }],
  });
});
