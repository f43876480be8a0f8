import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { createAlertingWorld } from '../../../support/alerting-world.js';
import { addSession, createAsset } from '../../../support/factories.js';
import { freePort } from '../../../support/program.js';
import { createReceiver } from '../../../support/webhook-receiver.js';
import { pollOptions } from '../../../support/poll-options.js';

const created = { event_types: ['asset.created' as const] };

test('receivers that hang, fail or are gone delay no delivery to others, of the same organization or another', async () => {
  await using world = await createAlertingWorld();
  const { org, admin, receiver } = world;
  await using hanging = await createReceiver();
  hanging.answer = () => 'hang';
  await using failing = await createReceiver();
  failing.answer = () => ({ status: 500 });
  await using gone = await createReceiver();
  gone.answer = () => ({ status: 410 });
  // They could hold 48 requests, more than an organization may have under way.
  for (let no = 0; no < 6; no += 1) {
    const { secret } = await admin.webhooks.create({ name: 'Hanging', url: hanging.url, ...created });
    hanging.secret = secret;
    await world.db.$executeRaw`UPDATE webhook_endpoints SET secret = ${secret} WHERE url = ${hanging.url}`;
  }
  failing.secret = (await admin.webhooks.create({ name: 'Failing', url: failing.url, ...created })).secret;
  gone.secret = (await admin.webhooks.create({ name: 'Gone', url: gone.url, ...created })).secret;
  const closed = `http://127.0.0.1:${await freePort()}/`;
  await admin.webhooks.create({ name: 'Closed', url: closed, ...created });
  await world.endpoint(created);

  const other = await world.organization();
  const otherAdmin = await world.as(await addSession(world, other.orgId, 'admin'));
  await using otherReceiver = await createReceiver();
  otherReceiver.secret = (
    await otherAdmin.webhooks.create({ name: 'Other', url: otherReceiver.url, ...created })
  ).secret;

  const count = 40;
  const numbers = Array.from({ length: count }, (_, no) => no);
  await Promise.all(
    numbers.flatMap((no) => [createAsset(org, { name: `Asset ${no}` }), createAsset(other, { name: `Other ${no}` })]),
  );
  // None of the hanging requests ends before its 15 seconds are over; these are here long before.
  await Promise.all([receiver.waitFor(count), otherReceiver.waitFor(count)]);
  expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(count);
  expect(new Set(otherReceiver.received.map(({ id }) => id)).size).toBe(count);
  const pending = await admin.webhooks.deliveries({
    endpoint_id: (await admin.webhooks.list()).data.find(({ name }) => name === 'Hanging')?.id ?? 0,
    status: 'pending',
  });
  expect(pending.data.every(({ attempts }) => attempts === 0)).toBe(true);
  // A receiver knows of a request before the service has noted its answer.
  const states = async () =>
    Object.fromEntries((await admin.webhooks.list()).data.map((endpoint) => [endpoint.name, endpoint]));
  await expect.poll(states, pollOptions).toMatchObject({
    Gone: { is_enabled: false, disabled_reason: 'gone' },
    Failing: { is_enabled: true, failing_since: expect.any(String) },
    Closed: { is_enabled: true, failing_since: expect.any(String) },
    Receiver: { is_enabled: true, failing_since: null, pending: { count: 0 } },
  });
}, 60_000);

test('an endpoint that fails gets two requests at a time, and eight once it answers', async () => {
  await using world = await createAlertingWorld();
  const { org, receiver, db } = world;
  const endpoint = await world.endpoint(created);
  await db.$executeRaw`UPDATE webhook_endpoints SET failing_since = now() WHERE id = ${endpoint.id}::int`;
  let release = () => {};
  const isReleased = new Promise<void>((resolve) => {
    release = resolve;
  });
  let open = 0;
  let most = 0;
  receiver.answer = async () => {
    open += 1;
    most = Math.max(most, open);
    await isReleased;
    open -= 1;
    return { status: 204 };
  };
  for (let no = 0; no < 12; no += 1) await createAsset(org);
  await receiver.waitFor(2);
  const claimed = () =>
    db.$queryRaw<[{ n: number }]>`SELECT count(*)::int AS n FROM webhook_deliveries WHERE claimed_until > now()`;
  await expect.poll(async () => await db.webhookDelivery.count({ where: { status: 'pending' } }), pollOptions).toBe(12);
  expect((await claimed())[0].n).toBe(2);
  expect(most).toBe(2);
  release();
  // The two are accepted, and then all follow.
  await expect.poll(async () => db.webhookDelivery.count({ where: { status: 'delivered' } }), pollOptions).toBe(12);
  expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(12);
}, 60_000);

test('the backlog of an organization is bounded, shown, and no matter for another organization', async () => {
  await using world = await createAlertingWorld();
  const { org, admin, db, receiver } = world;
  receiver.answer = () => ({ status: 503, headers: { 'Retry-After': '3600' } });
  const endpoint = await world.endpoint(created);
  await db.$executeRaw`
    INSERT INTO webhook_deliveries (org_id, endpoint_id, event_key, event_type, body, next_attempt_at, created_at)
    SELECT ${org.orgId}::int, ${endpoint.id}::int, gen_random_uuid(), 'asset.created', '{}', now() + interval '1 hour', now()
      FROM generate_series(1, 99999)`;
  await createAsset(org);
  await receiver.waitFor(1);
  await createAsset(org);
  const shown = async () => (await admin.webhooks.list()).data[0];
  await expect.poll(shown, pollOptions).toMatchObject({ dropped_count: 1, pending: { count: 100_000 } });
  expect((await shown())?.last_dropped_at).not.toBeNull();
  expect(await db.webhookDelivery.count({ where: { orgId: org.orgId, status: 'pending' } })).toBe(100_000);

  const other = await world.organization();
  const otherAdmin = await world.as(await addSession(world, other.orgId, 'admin'));
  await using otherReceiver = await createReceiver();
  otherReceiver.secret = (
    await otherAdmin.webhooks.create({ name: 'Other', url: otherReceiver.url, ...created })
  ).secret;
  await createAsset(other, { name: randomUUID() });
  await otherReceiver.waitFor(1);
}, 60_000);

test('the backlog of an organization is limited in bytes as well, and finished deliveries do not count', async () => {
  await using world = await createAlertingWorld();
  const { org, admin, db, receiver } = world;
  receiver.answer = () => ({ status: 503, headers: { 'Retry-After': '3600' } });
  const endpoint = await world.endpoint(created);
  const full = await admin.webhooks.create({ name: 'Full', url: receiver.url });
  const size = 64 * 1024;
  await db.$executeRaw`
    INSERT INTO webhook_deliveries (org_id, endpoint_id, event_key, event_type, body, next_attempt_at, created_at)
    SELECT ${org.orgId}::int, ${full.id}::int, gen_random_uuid(), 'asset.created', repeat('x', ${size}::int),
           now() + interval '1 hour', now()
      FROM generate_series(1, 4096)`;
  const shown = async () => (await admin.webhooks.list()).data.find(({ id }) => id === endpoint.id);
  const fullShown = async () => (await admin.webhooks.list()).data.find(({ id }) => id === full.id);
  expect((await fullShown())?.pending).toEqual({ count: 4096, bytes: 4096 * size });
  await createAsset(org);
  await expect.poll(shown, pollOptions).toMatchObject({ dropped_count: 1, pending: { count: 0, bytes: 0 } });

  await db.$executeRaw`
    UPDATE webhook_deliveries SET status = 'delivered', finished_at = now()
     WHERE id = (SELECT min(id) FROM webhook_deliveries WHERE endpoint_id = ${full.id}::int)`;
  expect((await fullShown())?.pending).toEqual({ count: 4095, bytes: 4095 * size });
  await createAsset(org);
  await receiver.waitFor(1);
  const bytes = Buffer.byteLength(receiver.received[0]?.text ?? '');
  expect(await shown()).toMatchObject({ dropped_count: 1, pending: { count: 1, bytes } });

  // Disabling an endpoint gives up what waits for it.
  await admin.webhooks.update({ id: full.id, is_enabled: false });
  expect((await fullShown())?.pending).toEqual({ count: 0, bytes: 0 });
  await admin.webhooks.delete({ id: endpoint.id });
  expect(await db.webhookDelivery.count({ where: { orgId: org.orgId, status: 'pending' } })).toBe(0);
}, 60_000);
