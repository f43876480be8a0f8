import { expect, it } from 'vitest';
import { findSubscribers } from '../../../../server/notifying/webhooks/backlog.js';
import { deletedEndpointsMax, removeDeletedEndpoints } from '../../../../server/notifying/webhooks/endpoint-queries.js';
import { createAlertingWorld } from '../../../support/alerting-world.js';
import { refusalOf } from '../../../support/caller.js';
import { fileWorld } from '../../../support/shared.js';

const world = fileWorld(createAlertingWorld);

const dayMs = 86_400_000;

/** Makes an endpoint as if it had been deleted before. */
async function age(id: number, days: number): Promise<void> {
  const deletedAt = new Date(Date.now() - days * dayMs);
  await world.db.webhookEndpoint.update({ where: { id }, data: { deletedAt } });
}

it('a deleted webhook receives nothing, and is restored with its secret, its log and its rules', async () => {
  const { admin, receiver, db, org } = world;
  const endpoint = await world.endpoint({ event_types: ['asset.created'] });
  await world.interested('asset.created');
  const notify = { app: true, email_user_ids: [], email_mode: 'each' as const, endpoint_ids: [endpoint.id] };
  const rule = await admin.alertRules.create({ name: 'Rule', event_type: 'asset.updated', notify });
  await admin.webhooks.sendTest({ id: endpoint.id });
  await receiver.waitFor(1);
  // The answer is noted after the request.
  const first = async () => (await admin.webhooks.list()).data[0];
  await expect.poll(first).toMatchObject({ pending: { count: 0 }, last_success_at: expect.any(String) });
  const { secret } = endpoint;
  const { updated_at: _, ...before } = (await first()) ?? {};

  await admin.webhooks.delete({ id: endpoint.id });
  expect((await admin.webhooks.list()).data).toEqual([]);
  expect((await admin.alertRules.get({ id: rule.id })).rule.notify.endpoint_ids).toEqual([]);
  expect(await refusalOf(admin.webhooks.sendTest({ id: endpoint.id }))).toMatchObject({ type: 'not_found' });
  expect(
    await refusalOf(admin.alertRules.update({ id: rule.id, name: 'Rule', event_type: 'asset.updated', notify })),
  ).toMatchObject({ fields: [{ code: 'fk_not_found' }] });
  // Events are routed to those that are found here.
  expect(await findSubscribers(db, [org.orgId])).toEqual([]);

  await admin.webhooks.restore({ id: endpoint.id });
  expect(await refusalOf(admin.webhooks.restore({ id: endpoint.id }))).toMatchObject({ type: 'not_found' });
  expect(await first()).toMatchObject(before);
  expect((await admin.alertRules.get({ id: rule.id })).rule.notify.endpoint_ids).toEqual([endpoint.id]);
  expect((await admin.webhooks.deliveries({ endpoint_id: endpoint.id })).data).toHaveLength(1);
  await world.interested('asset.created');
  await admin.assets.create({ name: 'Sent' });
  // The receiver checks the signature with the secret.
  await receiver.waitFor(2);
  expect(receiver.received[1]?.text).toContain('Sent');
  expect(await db.webhookEndpoint.count({ where: { id: endpoint.id, secret } })).toBe(1);
});

it('a webhook that was disabled stays so, and one of 30 days ago is gone', async () => {
  const { admin, db } = world;
  const { id } = await world.endpoint();
  await admin.webhooks.update({ id, is_enabled: false });
  await admin.webhooks.delete({ id });
  await age(id, 29.9);
  await removeDeletedEndpoints(db);
  await admin.webhooks.restore({ id });
  expect((await admin.webhooks.list()).data.find((row) => row.id === id)).toMatchObject({
    is_enabled: false,
    disabled_reason: 'user',
  });
  await admin.webhooks.delete({ id });
  await age(id, 30.1);
  expect(await refusalOf(admin.webhooks.restore({ id }))).toMatchObject({ type: 'not_found' });
  await removeDeletedEndpoints(db);
  expect(await db.webhookEndpoint.count({ where: { id } })).toBe(0);
});

it('is not restored beyond ten webhooks, and few deleted ones are kept', async () => {
  const { admin, db, org } = world;
  const { id } = await world.endpoint();
  await admin.webhooks.delete({ id });
  while ((await admin.webhooks.list()).data.length < 10) await world.endpoint();
  expect(await refusalOf(admin.webhooks.restore({ id }))).toMatchObject({ type: 'conflict' });
  const row = {
    orgId: org.orgId,
    name: 'Old',
    url: 'https://example.com',
    eventTypes: [],
    secret: 'none',
    isEnabled: false,
  };
  const at = new Date(Date.now() - dayMs);
  await db.webhookEndpoint.createMany({
    data: Array.from({ length: deletedEndpointsMax }, () => ({ ...row, createdAt: at, updatedAt: at, deletedAt: at })),
  });
  const [live] = (await admin.webhooks.list()).data;
  await admin.webhooks.delete({ id: live?.id ?? 0 });
  expect(await db.webhookEndpoint.count({ where: { orgId: org.orgId, deletedAt: { not: null } } })).toBe(
    deletedEndpointsMax,
  );
  await admin.webhooks.restore({ id: live?.id ?? 0 });
});
