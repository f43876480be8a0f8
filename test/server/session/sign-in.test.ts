import { describe, expect, it } from 'vitest';
import {
  addOrganization,
  createCaller,
  createCookieJar,
  createRoom,
  nobody,
  refusalOf,
  type Room,
} from '../../support/caller.js';

const email = 'ada@example.com';
const password = 'analytical engine';
const wrong = { type: 'unauthorized', detail: 'The e-mail address or the password is wrong' };

async function signedUp() {
  const room = await createRoom();
  const answer = await createCaller(room.services).session.signUp({
    organization_name: 'Acme',
    name: 'Ada',
    email,
    password,
  });
  return Object.assign(room, { userId: answer.user.id, orgId: answer.organization.id });
}

/** Sets every counter that has begun to so many failures. */
async function setFailures({ db }: Room, prefix: string, failures: number): Promise<void> {
  await db.signInThrottle.updateMany({ where: { key: { startsWith: prefix } }, data: { failures } });
}

function from(room: Room, clientAddress: string) {
  return createCaller(room.services, nobody, { clientAddress }).session;
}

describe('session.signIn', () => {
  it('opens a session of its own each time', async () => {
    await using room = await signedUp();
    const refreshCookie = createCookieJar();
    const answer = await createCaller(room.services, nobody, { refreshCookie }).session.signIn({
      email: 'ADA@example.com',
      password,
    });
    expect(answer.user).toEqual({ id: room.userId, name: 'Ada', email });
    expect(answer.organization).toEqual({ id: room.orgId, name: 'Acme', role: 'admin' });
    expect(await room.services.identity.identify(answer.token)).toMatchObject({ userId: room.userId });
    expect(refreshCookie.token).toBeDefined();
    expect(await room.db.session.count()).toBe(2);
  });

  it('says the same of a wrong password and of an unknown address', async () => {
    await using room = await signedUp();
    const { signIn } = createCaller(room.services).session;
    expect(await refusalOf(signIn({ email, password: 'difference engine' }))).toEqual(wrong);
    expect(await refusalOf(signIn({ email: 'eve@example.com', password }))).toEqual(wrong);
    expect(await room.db.session.count()).toBe(1);
  });

  it('goes to the organisation of the latest session, or the one joined first', async () => {
    await using room = await signedUp();
    const { userId } = room;
    const { signIn } = createCaller(room.services).session;
    const otherId = await addOrganization(room, 'Other');
    await room.db.membership.create({ data: { orgId: otherId, userId, role: 'viewer' } });
    expect((await signIn({ email, password })).organization.id).toBe(room.orgId);
    await room.db.session.create({
      data: {
        id: '7b0c3e8e-0000-4000-8000-000000000001',
        userId,
        orgId: otherId,
        createdAt: new Date(Date.now() + 1000),
      },
    });
    expect((await signIn({ email, password })).organization).toEqual({ id: otherId, name: 'Other', role: 'viewer' });
    await room.db.membership.deleteMany({ where: { orgId: otherId } });
    expect((await signIn({ email, password })).organization.id).toBe(room.orgId);
  });

  it('is of no use without any organisation', async () => {
    await using room = await signedUp();
    await room.db.membership.deleteMany();
    expect(await refusalOf(createCaller(room.services).session.signIn({ email, password }))).toEqual({
      type: 'forbidden',
      detail: 'You are not a member of any organization',
    });
  });
});

describe('the throttle of sign-ins', () => {
  it('stops the eleventh attempt from one place, even with the right password, and says when to come back', async () => {
    await using room = await signedUp();
    const here = from(room, '192.0.2.1');
    for (let n = 0; n < 10; n += 1) expect(await refusalOf(here.signIn({ email, password: 'guess' }))).toEqual(wrong);
    const refusal = await refusalOf(here.signIn({ email, password }));
    expect(refusal.type).toBe('rate_limited');
    expect(refusal.retryAfterSeconds).toBeGreaterThan(14 * 60);
    expect(refusal.retryAfterSeconds).toBeLessThanOrEqual(15 * 60);
    expect(refusal.detail).toBe(`Retry after ${refusal.retryAfterSeconds} seconds`);
    await from(room, '198.51.100.7').signIn({ email, password });
  });

  it('holds when all attempts come at once', async () => {
    await using room = await signedUp();
    const here = from(room, '192.0.2.1');
    const refusals = await Promise.all(
      Array.from({ length: 30 }, () => refusalOf(here.signIn({ email, password: 'guess' }))),
    );
    expect(refusals.filter(({ type }) => type === 'unauthorized')).toHaveLength(10);
    expect(refusals.filter(({ type }) => type === 'rate_limited')).toHaveLength(20);
  });

  it('begins anew after a success, for the person and not for the place', async () => {
    await using room = await signedUp();
    const here = from(room, '192.0.2.1');
    for (let n = 0; n < 9; n += 1) await refusalOf(here.signIn({ email, password: 'guess' }));
    await here.signIn({ email, password });
    const counters = await room.db.signInThrottle.findMany({ where: { NOT: { key: { startsWith: 'sign-up:' } } } });
    expect(counters.map(({ key, failures }) => [key, failures])).toEqual([['address:192.0.2.1', 9]]);
  });

  it('begins anew after a quarter of an hour', async () => {
    await using room = await signedUp();
    const here = from(room, '192.0.2.1');
    await refusalOf(here.signIn({ email, password: 'guess' }));
    await setFailures(room, 'pair:', 10);
    expect(await refusalOf(here.signIn({ email, password }))).toMatchObject({ type: 'rate_limited' });
    await room.db.signInThrottle.updateMany({ data: { windowStartedAt: new Date(Date.now() - 15 * 60_000 - 1) } });
    await here.signIn({ email, password });
  });

  it('counts a person over all places, and a place over all persons', async () => {
    await using room = await signedUp();
    await refusalOf(from(room, '192.0.2.1').signIn({ email, password: 'guess' }));
    await setFailures(room, 'email:', 100);
    expect(await refusalOf(from(room, '198.51.100.7').signIn({ email, password }))).toMatchObject({
      type: 'rate_limited',
    });
    await setFailures(room, 'email:', 0);
    await setFailures(room, 'address:', 100);
    expect(await refusalOf(from(room, '192.0.2.1').signIn({ email: 'eve@example.com', password }))).toMatchObject({
      type: 'rate_limited',
    });
    await from(room, '198.51.100.7').signIn({ email, password });
  });

  it('counts a refused attempt nowhere, so that nobody can lock a person out from one place', async () => {
    await using room = await signedUp();
    const here = from(room, '192.0.2.1');
    await refusalOf(here.signIn({ email, password: 'guess' }));
    await setFailures(room, 'pair:', 10);
    for (let n = 0; n < 5; n += 1) await refusalOf(here.signIn({ email, password: 'guess' }));
    const counters = await room.db.signInThrottle.findMany({
      where: { NOT: { key: { startsWith: 'sign-up:' } } },
      orderBy: { key: 'asc' },
    });
    expect(counters.map(({ key, failures }) => [key, failures])).toEqual([
      ['address:192.0.2.1', 1],
      [`email:${email}`, 1],
      [`pair:192.0.2.1 ${email}`, 10],
    ]);
  });

  it('takes neighbouring addresses of one network for one place', async () => {
    await using room = await signedUp();
    for (const [one, other, key] of [
      ['2001:db8:1:2:3:4:5:6', '2001:DB8:1:2::9', 'address:2001:db8:1:2::/64'],
      ['2001:db8::1', '2001:0db8:0::ffff:1', 'address:2001:db8:0:0::/64'],
      ['::1', '::2', 'address:0:0:0:0::/64'],
      ['::ffff:192.0.2.1', '192.0.2.1', 'address:192.0.2.1'],
      ['fe80::1%eth0', 'fe80::1', 'address:fe80:0:0:0::/64'],
    ] as const) {
      await refusalOf(from(room, one).signIn({ email, password: 'guess' }));
      await refusalOf(from(room, other).signIn({ email, password: 'guess' }));
      expect(await room.db.signInThrottle.findUniqueOrThrow({ where: { key } })).toMatchObject({ failures: 2 });
    }
  });
});
