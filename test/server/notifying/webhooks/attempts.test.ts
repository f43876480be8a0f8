import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { type AlertingWorld, createAlertingWorld, sharedAlertingWorld } from '../../../support/alerting-world.js';
import { refusalOf } from '../../../support/caller.js';
import { createAsset } from '../../../support/factories.js';
import { createMailServer } from '../../../support/mail-server.js';
import { pollOptions } from '../../../support/poll-options.js';

const created = { event_types: ['asset.created' as const] };

/** The newest delivery to an endpoint, with its attempts, once its state is as expected. */
async function deliveryOf({ admin }: AlertingWorld, endpointId: number, status: 'pending' | 'delivered' | 'failed') {
  const newest = async () => (await admin.webhooks.deliveries({ endpoint_id: endpointId })).data[0];
  await expect.poll(newest, pollOptions).toMatchObject({ status, attempts: expect.any(Number) });
  await expect.poll(async () => (await newest())?.attempts, pollOptions).toBeGreaterThan(0);
  return admin.webhooks.delivery({ id: (await newest())?.id ?? 0 });
}

test('an attempt that fails is repeated with the same id, and the log has each attempt with its answer', async () => {
  await using world = await sharedAlertingWorld();
  const { org, receiver } = world;
  receiver.answer = (_webhook, count) => (count === 1 ? { status: 500, body: 'x'.repeat(5000) } : { status: 200 });
  const endpoint = await world.endpoint(created);
  const asset = await createAsset(org);
  await receiver.waitFor(2);
  const [first, second] = receiver.received;
  expect(first?.body.data['after'].id).toBe(asset.id);
  expect(second?.id).toBe(first?.id);
  expect(second?.text).toBe(first?.text);
  const waitedSeconds = Number(second?.headers['webhook-timestamp']) - Number(first?.headers['webhook-timestamp']);
  expect(waitedSeconds).toBeGreaterThanOrEqual(4);
  const delivery = await deliveryOf(world, endpoint.id, 'delivered');
  expect(delivery).toMatchObject({ event_id: first?.id, attempts: 2, next_attempt_at: null, last_status_code: 200 });
  expect(delivery.attempt_list).toMatchObject([
    { status_code: 500, error: 'The endpoint answered 500', answer: 'x'.repeat(4096) },
    { status_code: 200, error: null },
  ]);
  expect(receiver.refused).toEqual([]);
}, 60_000);

test('Retry-After puts the next attempt off, and a redirect is not followed', async () => {
  await using world = await sharedAlertingWorld();
  const { org, receiver } = world;
  receiver.answer = () => ({ status: 302, headers: { Location: receiver.url, 'Retry-After': '3600' } });
  const endpoint = await world.endpoint(created);
  await createAsset(org);
  const delivery = await deliveryOf(world, endpoint.id, 'pending');
  expect(delivery).toMatchObject({ attempts: 1, last_status_code: 302 });
  const inMs = Date.parse(delivery.next_attempt_at ?? '') - Date.now();
  expect(inMs).toBeGreaterThan(3_500_000);
  expect(inMs).toBeLessThanOrEqual(3_600_000);
  expect(receiver.received).toHaveLength(1);
});

test('410 disables the endpoint, gives up what waits, and is reported by mail and in the activity log', async () => {
  await using smtp = await createMailServer();
  const mail = { smtpUrl: smtp.url, from: 'alerts@example.com' };
  await using world = await createAlertingWorld({ mail, baseUrl: 'https://whereabouts.example.com' });
  const { org, admin, receiver } = world;
  receiver.answer = () => ({ status: 410 });
  const endpoint = await world.endpoint({ ...created, name: 'Warehouse <1>' });
  await createAsset(org);
  await smtp.waitFor(1);
  expect(smtp.mails[0]?.subject).toBe('Webhook endpoint disabled: Warehouse <1>');
  expect(smtp.mails[0]?.bodies.text).toContain('It answered 410 Gone');
  expect(smtp.mails[0]?.bodies.html).toContain('Warehouse &lt;1&gt;');
  expect(smtp.mails[0]?.bodies.html).toContain(`https://whereabouts.example.com/alerts/webhooks/${endpoint.id}`);
  const [shown] = (await admin.webhooks.list()).data;
  expect(shown).toMatchObject({ is_enabled: false, disabled_reason: 'gone', pending: { count: 0 } });
  const { data } = await admin.activity.list({ kind: 'webhook_endpoint', object_id: String(endpoint.id) });
  expect(data[0]).toMatchObject({
    action: 'disabled',
    entry_point: 'system',
    actor: null,
    after: { is_enabled: false, reason: 'answered 410 Gone' },
  });
  const delivery = await deliveryOf(world, endpoint.id, 'failed');
  expect(await refusalOf(admin.webhooks.resend({ id: delivery.id }))).toMatchObject({ type: 'conflict' });
  receiver.answer = () => ({ status: 204 });
  await admin.webhooks.update({ id: endpoint.id, is_enabled: true });
  await admin.webhooks.resend({ id: delivery.id });
  await receiver.waitFor(2);
  expect(receiver.received[1]?.id).toBe(receiver.received[0]?.id);
});

test('an endpoint without a success for five days is disabled', async () => {
  await using smtp = await createMailServer();
  await using world = await createAlertingWorld({ mail: { smtpUrl: smtp.url, from: 'alerts@example.com' } });
  const { org, admin, receiver, db } = world;
  receiver.answer = () => ({ status: 503 });
  const endpoint = await world.endpoint(created);
  await createAsset(org);
  await deliveryOf(world, endpoint.id, 'pending');
  expect((await admin.webhooks.list()).data[0]).toMatchObject({ is_enabled: true });
  await db.$executeRaw`UPDATE webhook_endpoints SET failing_since = failing_since - interval '5 days 1 minute'`;
  await createAsset(org);
  await smtp.waitFor(1);
  expect(smtp.mails[0]?.bodies.text).toContain('None of its attempts succeeded for five days');
  expect((await admin.webhooks.list()).data[0]).toMatchObject({ is_enabled: false, disabled_reason: 'failing' });
});

test('a secret is shown once, and for 24 hours after a rotation both verify', async () => {
  await using world = await sharedAlertingWorld();
  const { admin, receiver, db } = world;
  const endpoint = await world.endpoint();
  expect(endpoint.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(JSON.stringify(await admin.webhooks.list())).not.toContain(endpoint.secret);
  const rotated = await admin.webhooks.rotateSecret({ id: endpoint.id });
  expect(rotated.secret).not.toBe(endpoint.secret);
  expect(Date.parse(rotated.previous_secret_until ?? '') - Date.now()).toBeGreaterThan(86_000_000);
  await admin.webhooks.sendTest({ id: endpoint.id });
  await receiver.waitFor(1);
  const [test] = receiver.received;
  for (const secret of [endpoint.secret, rotated.secret]) {
    expect(new Webhook(secret).verify(test?.text ?? '', test?.headers ?? {})).toMatchObject({ type: 'webhook.test' });
  }
  await db.$executeRaw`UPDATE webhook_endpoints SET previous_secret_until = now()`;
  receiver.secret = rotated.secret;
  await admin.webhooks.sendTest({ id: endpoint.id });
  await receiver.waitFor(2);
  expect(() =>
    new Webhook(endpoint.secret).verify(receiver.received[1]?.text ?? '', receiver.received[1]?.headers ?? {}),
  ).toThrow('No matching signature found');
  const log = JSON.stringify(await admin.activity.list({ kind: 'webhook_endpoint' }));
  expect(log).toContain('secret_rotated');
  expect(log).not.toContain('whsec_');
});

test('an endpoint at a private address is rejected when it is saved, and when a name leads to one', async () => {
  await using world = await createAlertingWorld({ webhooksAllowPrivateAddresses: false });
  const { admin, db, org } = world;
  const refused = [
    'http://example.com/',
    'https://127.0.0.1/',
    'https://[::1]/',
    'https://169.254.169.254/',
    'https://10.0.0.1/',
  ];
  for (const url of refused) {
    expect(await refusalOf(admin.webhooks.create({ name: 'Private', url })), url).toMatchObject({
      type: 'validation_error',
      fields: [{ field: 'url', code: 'invalid_value' }],
    });
  }
  const seen: string[] = [];
  const server = http.createServer((request, response) => {
    seen.push(request.url ?? '');
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const endpoint = await admin.webhooks.create({
    ...created,
    name: 'Name',
    url: `https://whereabouts.invalid:${port}/`,
  });
  // An address that was saved while private ones were allowed.
  await db.$executeRaw`UPDATE webhook_endpoints SET url = ${`http://127.0.0.1:${port}/`}`;
  await createAsset(org);
  const delivery = await deliveryOf(world, endpoint.id, 'pending');
  expect(delivery.last_error).toBe('The address does not begin with https://');
  await db.$executeRaw`UPDATE webhook_endpoints SET url = ${`https://127.0.0.1:${port}/`}`;
  const { delivery_id: id } = await admin.webhooks.sendTest({ id: endpoint.id });
  const errorOf = async () => (await admin.webhooks.delivery({ id })).last_error;
  await expect.poll(errorOf, pollOptions).toBe('The address is not on the public Internet');
  expect(seen).toEqual([]);
  await new Promise((resolve) => server.close(resolve));
});
