import { expect, test } from 'vitest';
import { removeOldDeliveries } from '../../../../server/notifying/webhooks/retention.js';
import { type AlertingWorld, sharedAlertingWorld } from '../../../support/alerting-world.js';
import { addSession, createAsset } from '../../../support/factories.js';
import { pollOptions } from '../../../support/poll-options.js';

const created = { event_types: ['asset.created' as const] };
const mebibyte = 1024 * 1024;

type Past = { orgId: number; endpointId: number; status?: 'pending' | 'delivered'; count: number; answerMiB: number };

/** Adds deliveries to a log, as if their answers had the given size, and returns their ids, the oldest first. */
async function addPast({ db }: AlertingWorld, { orgId, endpointId, status = 'delivered', count, answerMiB }: Past) {
  const rows = await db.$queryRaw<{ id: number }[]>`
    INSERT INTO webhook_deliveries (org_id, endpoint_id, event_key, event_type, body, status, answer_bytes,
                                    next_attempt_at, created_at, finished_at)
    SELECT ${orgId}::int, ${endpointId}::int, gen_random_uuid(), 'asset.created', '{}', ${status},
           ${answerMiB * mebibyte}::int, now() + interval '1 hour', now(), CASE WHEN ${status} <> 'pending' THEN now() END
      FROM generate_series(1, ${count}::int)
    RETURNING id::float8 AS id`;
  return rows.map(({ id }) => id);
}

const idsOf = async ({ db }: AlertingWorld, orgId: number) =>
  (await db.webhookDelivery.findMany({ where: { orgId }, orderBy: { id: 'asc' } })).map(({ id }) => Number(id));

test('when the logs of an organization exceed 1 GiB, the oldest finished deliveries of all its endpoints are deleted', async () => {
  await using world = await sharedAlertingWorld();
  const { org, admin, db, receiver } = world;
  const { orgId } = org;
  const endpoint = await world.endpoint(created);
  const quiet = await admin.webhooks.create({ name: 'Quiet', url: receiver.url });
  const other = await world.organization();
  const otherAdmin = await world.as(await addSession(world, other.orgId, 'admin'));
  const elsewhere = await otherAdmin.webhooks.create({ name: 'Other', url: receiver.url });
  const ofOther = await addPast(world, { orgId: other.orgId, endpointId: elsewhere.id, count: 1, answerMiB: 1000 });
  const waiting = await addPast(world, { orgId, endpointId: quiet.id, status: 'pending', count: 1, answerMiB: 100 });
  const oldest = await addPast(world, { orgId, endpointId: quiet.id, count: 2, answerMiB: 150 });
  const newer = await addPast(world, { orgId, endpointId: endpoint.id, count: 4, answerMiB: 150 });

  // 1,000 MiB. One more with a long answer makes it 1,099 MiB.
  await createAsset(org);
  await receiver.waitFor(1);
  const delivered = () => db.webhookDelivery.count({ where: { orgId, status: 'delivered' } });
  await expect.poll(delivered, pollOptions).toBe(7);
  const latest = (await idsOf(world, orgId)).at(-1) ?? 0;
  await db.$executeRaw`UPDATE webhook_deliveries SET answer_bytes = ${99 * mebibyte}::int WHERE id = ${latest}::int8`;

  await createAsset(org);
  await receiver.waitFor(2);
  await expect.poll(() => idsOf(world, orgId), pollOptions).not.toContain(oldest[0]);
  const kept = await idsOf(world, orgId);
  expect(kept).not.toContain(oldest[1]);
  expect(kept).toEqual(expect.arrayContaining([...waiting, ...newer, latest]));
  expect(await idsOf(world, other.orgId)).toEqual(ofOther);
  // The counts of the endpoints match the stored rows.
  const [{ counted, stored }] = await db.$queryRaw<[{ counted: number; stored: number }]>`
    SELECT (SELECT sum(log_bytes)::float8 FROM webhook_endpoints WHERE org_id = ${orgId}::int) AS counted,
           (SELECT sum(octet_length(body) + answer_bytes)::float8 FROM webhook_deliveries WHERE org_id = ${orgId}::int) AS stored`;
  expect(counted).toBe(stored);
  expect(counted).toBeLessThan(1024 * mebibyte);
});

test('while pending deliveries fill the log, answers to them are not stored', async () => {
  await using world = await sharedAlertingWorld();
  const { org, admin, db, receiver } = world;
  const { orgId } = org;
  const endpoint = await world.endpoint(created);
  receiver.answer = () => ({ status: 503, body: 'Closed for stocktaking', headers: { 'Retry-After': '3600' } });
  await addPast(world, { orgId, endpointId: endpoint.id, status: 'pending', count: 2, answerMiB: 600 });
  await createAsset(org);
  await receiver.waitFor(1);
  const newest = async () => (await admin.webhooks.deliveries({ endpoint_id: endpoint.id })).data[0];
  await expect.poll(newest, pollOptions).toMatchObject({ attempts: 1, last_status_code: 503 });
  const id = (await newest())?.id ?? 0;
  expect((await admin.webhooks.delivery({ id })).attempt_list).toMatchObject([{ status_code: 503, answer: null }]);
  expect(await db.webhookDelivery.count({ where: { orgId } })).toBe(3);
});

test('the maintenance shortens a log to which nothing is delivered any more', async () => {
  await using world = await sharedAlertingWorld();
  const { orgId } = world.org;
  const endpoint = await world.endpoint();
  const past = await addPast(world, { orgId, endpointId: endpoint.id, count: 5, answerMiB: 290 });
  await world.admin.webhooks.update({ id: endpoint.id, is_enabled: false });
  await removeOldDeliveries(world.db);
  // Deletes until at most 900 MiB are left.
  expect(await idsOf(world, orgId)).toEqual(past.slice(2));
});
