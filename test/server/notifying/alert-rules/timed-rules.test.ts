import { beforeEach, expect, test } from 'vitest';
import { openTestDb } from '../../../support/models.js';
import { createCore } from '../../../../server/index.js';
import { createLog } from '../../../../server/kernel/log.js';
import { createAlertingWorld } from '../../../support/alerting-world.js';
import { expectDescribed } from '../../../support/described-events.js';
import { addSightings, createAsset, createLocation } from '../../../support/factories.js';
import { fileWorld } from '../../../support/shared.js';

/** A check comes every second. */
const checked = { timeout: 40_000, interval: 50 };

const world = fileWorld(createAlertingWorld);

beforeEach(async () => {
  const { admin, receiver } = world;
  for (const { id } of (await admin.alertRules.list()).data) await admin.alertRules.delete({ id });
  for (const { id } of (await admin.webhooks.list()).data) await admin.webhooks.delete({ id });
  receiver.received.length = 0;
});

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();

async function notifying() {
  const { id } = await world.endpoint({ event_types: ['reader.online'] });
  return { app: true, email_user_ids: [], email_mode: 'each' as const, endpoint_ids: [id] };
}

test('a silent reader is reported once by each rule, and its return once, though two rules had reported it', async () => {
  const { admin, receiver, db } = world;
  const reader = await admin.readers.create({ name: 'Gate', format: 'native' });
  const receiveAt = (at: string) =>
    db.$executeRaw`UPDATE readers SET last_message_at = ${at}::timestamptz WHERE id = ${reader.id}::int`;
  const silentSince = minutesAgo(60);
  await receiveAt(silentSince);
  const notify = await notifying();
  for (const minutes of [10, 20]) {
    const name = `Silent for ${minutes}`;
    await admin.alertRules.create({ name, event_type: 'reader.offline', limit_seconds: minutes * 60, notify });
  }
  await receiver.waitFor(2);
  expect(receiver.received.map(({ body }) => body.type)).toEqual(['reader.offline', 'reader.offline']);
  expect(receiver.received[0]?.body.data).toMatchObject({
    reader: { id: reader.id, name: 'Gate' },
    last_message_at: silentSince,
  });
  await receiveAt(new Date().toISOString());
  await expect.poll(() => admin.alerts.openCount(), checked).toMatchObject({ count: 0 });
  await receiver.waitFor(3);
  expect(receiver.received[2]?.body).toMatchObject({ type: 'reader.online', data: { reader: { id: reader.id } } });
  // Silent and back again: that is another event, so the one before is the only one of its silence.
  await receiveAt(minutesAgo(15));
  await receiver.waitFor(4);
  await receiveAt(new Date().toISOString());
  await receiver.waitFor(5);
  expect(receiver.received.map(({ body }) => body.type).slice(3)).toEqual(['reader.offline', 'reader.online']);
  for (const { body } of receiver.received) expectDescribed(body);
}, 120_000);

test('conditions that late reads reveal are reported, although they began before the period that was checked', async () => {
  const { admin, org, receiver } = world;
  const hall = await createLocation(org, { name: 'Hall' });
  const [early, late] = [await createAsset(org, { name: 'Early' }), await createAsset(org, { name: 'Late' })];
  const stay = (assetId: number, at: string) =>
    addSightings(world, [{ orgId: org.orgId, assetId, locationId: hall.id, at }]);
  await stay(early.id, minutesAgo(120));
  const notify = await notifying();
  const locations = { kind: 'chosen' as const, ids: [hall.id], include_sublocations: false };
  await admin.alertRules.create({
    name: 'Too long',
    event_type: 'asset.dwell_exceeded',
    limit_seconds: 3600,
    locations,
    notify,
  });
  await receiver.waitFor(1);
  // A reader was without a network, and sends now what it read three hours ago.
  await stay(late.id, minutesAgo(180));
  await receiver.waitFor(2);
  expect(receiver.received.map(({ body }) => body.data['asset'].name)).toEqual(['Early', 'Late']);
}, 60_000);

test('a rule reports nothing outside its active hours, and in them conditions that began before', async () => {
  const { admin, org, receiver } = world;
  const asset = await createAsset(org);
  await addSightings(world, [{ orgId: org.orgId, assetId: asset.id, locationId: null, at: minutesAgo(120) }]);
  const notify = await notifying();
  const days = [1, 2, 3, 4, 5, 6, 7];
  const hours = (fromNow: number) => new Date(Date.now() + fromNow * 3_600_000).toISOString().slice(11, 16);
  const rule = {
    name: 'Unseen',
    event_type: 'asset.overdue' as const,
    limit_seconds: 3600,
    notify,
    assets: { kind: 'chosen' as const, ids: [asset.id] },
  };
  const inactive = { time_zone: 'UTC', days, from: hours(2), to: hours(4) };
  const { id } = await admin.alertRules.create({ ...rule, schedule: inactive });
  await admin.alertRules.create({ ...rule, name: 'Always' });
  await receiver.waitFor(1);
  expect(receiver.received[0]?.body.rules).toMatchObject([{ name: 'Always' }]);
  await admin.alertRules.update({ id, ...rule, schedule: { ...inactive, from: hours(-2), to: hours(2) } });
  await receiver.waitFor(2);
  expect(receiver.received[1]?.body.rules).toMatchObject([{ name: 'Unseen' }]);
}, 60_000);

test('a rule has a thousand open conditions at most, also when several begin at once', async () => {
  const { admin, db, org } = world;
  const addSilent = (count: number) => db.$executeRaw`
    INSERT INTO readers (org_id, name, format, mqtt_username, secret_hash, publish_topic, last_message_at)
    SELECT ${org.orgId}::int, 'Gate', 'native', gen_random_uuid()::text, '', 'topic', now() - interval '1 hour'
      FROM generate_series(1, ${count}::int)`;
  await addSilent(999);
  const { id } = await admin.alertRules.create({ name: 'Silent', event_type: 'reader.offline', limit_seconds: 600 });
  const open = () => db.alert.count({ where: { ruleId: id, endedAt: null } });
  await expect.poll(open, checked).toBe(999);
  await addSilent(2);
  await expect.poll(open, checked).toBe(1000);
  // Nor does a later check open one more.
  const checkedUntil = async () =>
    (await db.alertRule.findUniqueOrThrow({ where: { id } })).checkedUntil?.getTime() ?? 0;
  const before = await checkedUntil();
  await expect.poll(checkedUntil, checked).toBeGreaterThan(before);
  expect(await open()).toBe(1000);
  await db.reader.deleteMany({ where: { name: 'Gate', publishTopic: 'topic' } });
}, 60_000);

test('only one of two processes reports a condition', async () => {
  const { databaseUrl, settings, admin, org, receiver } = world;
  const db = openTestDb(databaseUrl, 5);
  const second = createCore({ db, databaseUrl, settings, log: createLog('silent') });
  await second.start();
  try {
    const notify = await notifying();
    const assets = await Promise.all(Array.from({ length: 20 }, () => createAsset(org)));
    const sighting = { orgId: org.orgId, locationId: null, at: minutesAgo(120) };
    await addSightings(
      world,
      assets.map(({ id }) => ({ ...sighting, assetId: id })),
    );
    const ids = assets.map(({ id }) => id);
    await admin.alertRules.create({
      name: 'Unseen',
      event_type: 'asset.overdue',
      limit_seconds: 3600,
      notify,
      assets: { kind: 'chosen', ids },
    });
    await receiver.waitFor(20);
    // A rule that is checked after all the others have been checked once more.
    await admin.alertRules.create({
      name: 'Later',
      event_type: 'asset.overdue',
      limit_seconds: 3600,
      notify,
      assets: { kind: 'chosen', ids: ids.slice(0, 1) },
    });
    await receiver.waitFor(21);
    expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(21);
    expect(await world.db.alert.count({ where: { ruleName: 'Unseen', assetId: { in: ids } } })).toBe(20);
  } finally {
    await second.stop();
    await db.$disconnect();
  }
}, 60_000);
