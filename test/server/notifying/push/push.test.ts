import { beforeEach, expect, test } from 'vitest';
import { germanWords } from '../../../../server/people/mail/german.js';
import { type AlertingWorld, createAlertingWorld } from '../../../support/alerting-world.js';
import { refusalOf } from '../../../support/caller.js';
import { addSession, createAsset, type TestSession } from '../../../support/factories.js';
import { createPushService } from '../../../support/push-service.js';
import { fileWorld } from '../../../support/shared.js';

const service = fileWorld(createPushService);
const world = fileWorld(createAlertingWorld);

beforeEach(() => {
  service.pushes.length = 0;
  service.statuses.clear();
});

/** A new organization with a person, whose only rule notifies the person of new assets. */
async function createNotified() {
  const org = await world.organization();
  const session = await addSession(world, org.orgId, 'manager');
  const person = await world.as(session);
  await person.alertRules.create({
    name: 'New things',
    event_type: 'asset.created',
    notify: { app: true, email_user_ids: [session.userId], email_mode: 'each', endpoint_ids: [] },
  });
  return { org, session, person };
}

type Caller = AlertingWorld['admin'];

/** Subscribes a device, and returns its endpoint. */
async function subscribe(person: Caller, name: string): Promise<string> {
  const { name: _, ...device } = service.device(name);
  const { public_key } = await person.push.list();
  await person.push.subscribe({ ...device, public_key });
  return device.endpoint;
}

const waiting = () => world.db.alertEmail.count();

test('an alert comes to each device of the people that its rule notifies, encrypted, in their language', async () => {
  const { org, session, person } = await createNotified();
  await person.session.updatePreferences({ language: 'de', time_zone: 'UTC', locale: null, hour_cycle: null });
  const other = await addSession(world, org.orgId, 'viewer');
  const endpoints = [await subscribe(person, 'phone'), await subscribe(person, 'desk')];
  await subscribe(await world.as(other), 'other');
  expect((await person.push.list()).endpoints.toSorted()).toEqual(endpoints.toSorted());
  await createAsset(org, { name: 'Stapler' });
  await expect.poll(() => service.pushes.map(({ device }) => device).toSorted()).toEqual(['desk', 'phone']);
  const [alert] = await world.db.alert.findMany({ where: { orgId: org.orgId } });
  const path = `/alerts/${alert?.id}`;
  expect(service.pushes[0]?.notice).toEqual({
    title: germanWords['{0} was created']?.replace('{0}', 'Stapler'),
    path,
    tag: path,
    body: expect.stringMatching(/^New things, .* UTC$/),
  });
  expect(service.pushes[0]?.headers).toMatchObject({ 'content-encoding': 'aes128gcm', ttl: '86400', urgency: 'high' });
  expect(await world.db.alertEmail.count({ where: { userId: session.userId } })).toBe(0);
});

test('alerts within a minute come together', async () => {
  const { org, session, person } = await createNotified();
  await subscribe(person, 'tablet');
  await createAsset(org, { name: 'One' });
  await expect.poll(() => service.pushes.length).toBe(1);
  await createAsset(org, { name: 'Two' });
  await createAsset(org, { name: 'Three' });
  await expect.poll(waiting).toBe(2);
  expect(service.pushes).toHaveLength(1);
  // The minute is over.
  await world.db.$executeRaw`
    SELECT graphile_worker.add_job('push_alerts', json_build_object('org_id', ${org.orgId}::int, 'user_id', ${session.userId}::int))::text`;
  await expect.poll(() => service.pushes.length).toBe(2);
  expect(service.pushes[1]?.notice).toMatchObject({
    title: '2 alerts in Acme',
    body: 'Two was created\nThree was created',
    path: '/alerts',
  });
});

test('a device that is gone is removed; one whose push service fails is tried again, alone', async () => {
  const { org, person } = await createNotified();
  const [gone, kept] = [await subscribe(person, 'gone'), await subscribe(person, 'kept')];
  const failing = await subscribe(person, 'failing');
  service.statuses.set('gone', 410).set('failing', 503);
  await createAsset(org);
  await expect.poll(async () => (await person.push.list()).endpoints.toSorted()).toEqual([failing, kept].toSorted());
  expect(gone).not.toBe(kept);
  await expect.poll(() => service.pushes.filter(({ device }) => device === 'failing').length).toBe(1);
  service.statuses.clear();
  await expect
    .poll(() => service.pushes.filter(({ device }) => device === 'failing').length, { timeout: 20_000 })
    .toBe(2);
  expect(service.pushes.filter(({ device }) => device === 'kept')).toHaveLength(1);
});

test('a device gets nothing more when its session ends, its person leaves, or somebody else uses it', async () => {
  const { org, session, person } = await createNotified();
  const counted = () => world.db.pushSubscription.count({ where: { orgId: org.orgId } });
  const another = await world.as(await sessionOf(session, org.orgId));
  await subscribe(person, 'mine');
  await subscribe(another, 'mine too');
  await person.session.signOut();
  expect((await another.push.list()).endpoints).toEqual([`${service.origin}/mine too`]);
  expect(await counted()).toBe(1);
  await another.session.signOut({ everywhere: true });
  expect(await counted()).toBe(0);
  // The device of a session that has ended otherwise is not used.
  const third = await sessionOf(session, org.orgId);
  await subscribe(await world.as(third), 'late');
  await world.db.session.update({ where: { id: third.sessionId }, data: { revokedAt: new Date() } });
  await createAsset(org);
  await expect.poll(() => world.db.alert.count({ where: { orgId: org.orgId } })).toBe(1);
  await expect.poll(waiting).toBe(0);

  const shared = service.device('shared');
  const colleague = await addSession(world, org.orgId, 'viewer');
  for (const { token } of [await sessionOf(session, org.orgId), colleague]) {
    const caller = await world.as({ token } as TestSession);
    const { name: _, ...device } = shared;
    await caller.push.subscribe({ ...device, public_key: (await caller.push.list()).public_key });
  }
  expect(await world.db.pushSubscription.findMany({ where: { endpoint: shared.endpoint } })).toMatchObject([
    { userId: colleague.userId },
  ]);
  const admin = await world.as(await addSession(world, org.orgId, 'admin'));
  await admin.members.remove({ user_id: colleague.userId });
  expect(await world.db.pushSubscription.count({ where: { endpoint: shared.endpoint } })).toBe(0);
  expect(service.pushes).toEqual([]);
});

/** Another session of the same person. */
async function sessionOf({ userId }: TestSession, orgId: number): Promise<TestSession> {
  const { id: sessionId } = await world.db.session.create({ data: { id: crypto.randomUUID(), userId, orgId } });
  const token = await world.identity.signSession({ id: sessionId, userId, orgId });
  return { sessionId, userId, token } as TestSession;
}

test('a person has at most ten devices, the oldest is removed first, and each can be turned off', async () => {
  const { person } = await createNotified();
  for (let n = 0; n < 11; n += 1) await subscribe(person, `device-${n}`);
  const { endpoints } = await person.push.list();
  expect(endpoints).toHaveLength(10);
  expect(endpoints).not.toContain(`${service.origin}/device-0`);
  await person.push.unsubscribe({ endpoint: `${service.origin}/device-5` });
  expect((await person.push.list()).endpoints).toHaveLength(9);
});

test('addresses of internal services, and keys of others, are rejected', async () => {
  await using strict = await createAlertingWorld({ webhooksAllowPrivateAddresses: false });
  const { public_key } = await strict.admin.push.list();
  const { name: _, ...device } = service.device('internal');
  for (const endpoint of [
    'http://push.example.com/1',
    'https://127.0.0.1/1',
    'https://[::1]/1',
    'https://u:p@example.com',
    'x',
  ]) {
    const refusal = await refusalOf(strict.admin.push.subscribe({ ...device, endpoint, public_key }));
    expect(refusal).toMatchObject({ type: 'validation_error', fields: [{ field: 'endpoint' }] });
  }
  expect(
    await refusalOf(
      strict.admin.push.subscribe({ ...device, endpoint: 'https://example.com', public_key: device.p256dh }),
    ),
  ).toMatchObject({ type: 'validation_error', fields: [{ field: 'public_key' }] });
});

test('a device whose key is not in AUTH_SECRET any more is removed', async () => {
  const { org, person } = await createNotified();
  await subscribe(person, 'rotated');
  await world.db.pushSubscription.updateMany({ where: { orgId: org.orgId }, data: { keyId: 'another' } });
  await createAsset(org);
  await expect.poll(() => world.db.pushSubscription.count({ where: { orgId: org.orgId } })).toBe(0);
  expect(service.pushes).toEqual([]);
});
