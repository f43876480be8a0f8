import { readFileSync } from 'node:fs';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { isPublicAddress } from '../../../../server/notifying/webhooks/resolve.js';
import { createAlertingWorld, sharedAlertingWorld } from '../../../support/alerting-world.js';
import { pollOptions } from '../../../support/poll-options.js';
import { createSelfSigned } from '../../../support/self-signed.js';

describe('an address that webhooks may be sent to', () => {
  it.each(['1.1.1.1', '93.184.216.34', '172.32.0.1', '2606:4700::1111', '2a00:1450:4001::1', '::ffff:8.8.8.8'])(
    'is %s',
    (address) => {
      expect(isPublicAddress(address)).toBe(true);
    },
  );

  it.each([
    ['loopback', ['127.0.0.1', '127.255.255.254', '::1', '::ffff:127.0.0.1']],
    ['private', ['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', 'fd00::1', '::ffff:10.0.0.1']],
    ['link-local, metadata services among them', ['169.254.169.254', '169.254.0.1', 'fe80::1', 'fd00:ec2::254']],
    ['of no host', ['0.0.0.0', '::', '255.255.255.255', '224.0.0.1', 'ff02::1', '240.0.0.1']],
    ['shared, of documentation or of translation', ['100.64.0.1', '192.0.2.1', '2001:db8::1', '64:ff9b::a00:1']],
    ['an IPv4 address in an old notation, or not assigned', ['::7f00:1', '::a00:1', '::c0a8:101', '100:0:0:1::1']],
    ['none', ['', 'localhost', '300.1.1.1', 'example.com']],
  ])('is none that is %s', (_what, addresses) => {
    for (const address of addresses) expect(isPublicAddress(address), address).toBe(false);
  });

  it('is rejected in every notation of a URL', async () => {
    await using world = await createAlertingWorld({ webhooksAllowPrivateAddresses: false });
    for (const host of ['2130706433', '0x7f.1', '0177.0.0.1', '127.1', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]']) {
      await expect(world.admin.webhooks.create({ name: 'Local', url: `https://${host}/` }), host).rejects.toMatchObject(
        {
          fields: [{ field: 'url', message: 'url must be an address of the public Internet' }],
        },
      );
    }
  });
});

it('a receiver with an untrusted certificate gets no event', async () => {
  await using world = await sharedAlertingWorld();
  using files = createSelfSigned();
  const seen: string[] = [];
  const server = https.createServer(
    { cert: readFileSync(files.certFile), key: readFileSync(files.keyFile) },
    (request, response) => {
      seen.push(request.url ?? '');
      response.end();
    },
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const { id } = await world.admin.webhooks.create({ name: 'Unknown', url: `https://localhost:${port}/` });
  const { delivery_id } = await world.admin.webhooks.sendTest({ id });
  const delivery = () => world.admin.webhooks.delivery({ id: delivery_id });
  await expect.poll(async () => (await delivery()).attempts, pollOptions).toBeGreaterThan(0);
  expect(await delivery()).toMatchObject({ status: 'pending', last_status_code: null });
  expect((await delivery()).last_error).toMatch(/certificate/);
  expect(seen).toEqual([]);
  await new Promise((resolve) => server.close(resolve));
});
