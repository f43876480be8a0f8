import { expect, test } from 'vitest';
import { delayBeforeNext } from '../../../../server/notifying/webhooks/attempt.js';
import { removeOldDeliveries } from '../../../../server/notifying/webhooks/retention.js';
import { createAlertingWorld } from '../../../support/alerting-world.js';
import { createAsset } from '../../../support/factories.js';
import { pollOptions } from '../../../support/poll-options.js';

const [second, minute, hour] = [1000, 60_000, 3_600_000];

test('attempts follow after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h and 10 h, up to a tenth later', () => {
  const delays = [5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 10 * hour];
  const delay = (attempts: number, random: number) => delayBeforeNext({ attempts, random, retryAfterMs: null });
  expect(delays.map((_, index) => delay(index + 1, 0))).toEqual(delays);
  expect(delays.map((_, index) => delay(index + 1, 1))).toEqual(delays.map((ms) => Math.round(ms * 1.1)));
  expect(delay(8, 0)).toBeUndefined();
  const asked = (retryAfterMs: number) => delayBeforeNext({ attempts: 1, random: 0, retryAfterMs });
  expect([asked(second), asked(hour), asked(100 * hour)]).toEqual([5 * second, hour, 24 * hour]);
});

test('a delivery has failed after eight attempts, and all attempts are in the log', async () => {
  await using world = await createAlertingWorld();
  const { admin, db, org, receiver } = world;
  receiver.answer = ({ body }) => ({ status: body.type === 'webhook.test' ? 204 : 500 });
  const endpoint = await world.endpoint({ event_types: ['asset.created'] });
  await createAsset(org);
  const first = async () =>
    (await admin.webhooks.deliveries({ endpoint_id: endpoint.id })).data.find(
      ({ event_type }) => event_type === 'asset.created',
    );
  for (let attempts = 0; attempts < 7; ) {
    // The second attempt comes after five seconds by itself, so that there may be more than one meanwhile.
    await expect.poll(async () => (await first())?.attempts, pollOptions).toBeGreaterThan(attempts);
    const shown = await first();
    attempts = shown?.attempts ?? 0;
    expect(shown?.status).toBe(attempts < 8 ? 'pending' : 'failed');
    // The pauses are hours: the delivery becomes due now, and another one makes the service look.
    await db.$executeRaw`UPDATE webhook_deliveries SET next_attempt_at = now() WHERE status = 'pending'`;
    await admin.webhooks.sendTest({ id: endpoint.id });
  }
  await expect.poll(first, pollOptions).toMatchObject({ status: 'failed', attempts: 8, next_attempt_at: null });
  const { attempt_list: attempts } = await admin.webhooks.delivery({ id: (await first())?.id ?? 0 });
  expect(attempts).toHaveLength(8);
  const ids = receiver.received.filter(({ body }) => body.type === 'asset.created').map(({ id }) => id);
  expect([ids.length, new Set(ids).size]).toEqual([8, 1]);
}, 120_000);

test('an attempt whose process was lost counts', async () => {
  await using world = await createAlertingWorld();
  const { db, org, admin, receiver } = world;
  const { id } = await world.endpoint();
  const claimed = [
    ['first', 0],
    ['last', 7],
  ] as const;
  for (const [type, attempts] of claimed) {
    await db.$executeRaw`
      INSERT INTO webhook_deliveries (org_id, endpoint_id, event_key, event_type, body, attempts, next_attempt_at, created_at, claimed_until)
      VALUES (${org.orgId}::int, ${id}::int, gen_random_uuid(), ${type}, '{"type":"lost"}', ${attempts}::int, now(), now(), now())`;
  }
  const shown = async () => {
    const { data } = await admin.webhooks.deliveries({ endpoint_id: id });
    return Object.fromEntries(data.map((delivery) => [delivery.event_type, delivery]));
  };
  const last_error = 'The attempt did not end: its process was lost';
  await expect.poll(shown, pollOptions).toMatchObject({
    first: { status: 'delivered', attempts: 2 },
    last: { status: 'failed', attempts: 8, last_error, next_attempt_at: null },
  });
  expect(receiver.received).toHaveLength(1);
  const { attempt_list: attempts } = await admin.webhooks.delivery({ id: (await shown())['first']?.id ?? 0 });
  expect(attempts).toMatchObject([
    { status_code: null, error: last_error },
    { status_code: 204, error: null },
  ]);
  // The endpoint is not at fault.
  expect((await admin.webhooks.list()).data[0]).toMatchObject({ failing_since: null });
});

test('deliveries are kept for 30 days, and longer while they wait', async () => {
  await using world = await createAlertingWorld();
  const { db, org, admin } = world;
  const { id } = await admin.webhooks.create({ name: 'Receiver', url: 'https://receiver.invalid/' });
  const deliveries = [
    ['old', 31, 'delivered'],
    ['failed', 31, 'failed'],
    ['waiting', 31, 'pending'],
    ['young', 29, 'delivered'],
  ] as const;
  for (const [type, days, status] of deliveries) {
    await db.$executeRaw`
      INSERT INTO webhook_deliveries (org_id, endpoint_id, event_key, event_type, body, status, next_attempt_at, created_at)
      VALUES (${org.orgId}::int, ${id}::int, gen_random_uuid(), ${type}, '{}', ${status}, now() + interval '1 hour',
              now() - make_interval(days => ${days}::int))`;
  }
  await removeOldDeliveries(db);
  const { data } = await admin.webhooks.deliveries({ endpoint_id: id });
  expect(data.map(({ event_type: type }) => type).toSorted()).toEqual(['waiting', 'young']);
});
