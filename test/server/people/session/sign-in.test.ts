import { describe, expect, it } from 'vitest';
import type { DeviceCookie } from '../../../../server/context.js';
import { rateLimited } from '../../../../server/kernel/errors.js';
import { boundSignInThrottles } from '../../../../server/people/session/throttle.js';
import {
  addOrganization,
  createCaller,
  createCookieJar,
  createServicesWorld,
  nobody,
  refusalOf,
  type ServicesWorld,
} from '../../../support/caller.js';

const email = 'ada@example.com';
const password = 'analytical engine';
const wrong = { type: 'unauthorized', detail: 'The email address or the password is wrong' };

async function signedUp() {
  const world = await createServicesWorld();
  const answer = await createCaller(world.services).session.signUp({
    organization_name: 'Acme',
    name: 'Ada',
    email,
    password,
  });
  return Object.assign(world, { userId: answer.user.id, orgId: answer.organization.id });
}

/** Sets every existing counter to this many failures. */
async function setFailures({ db }: ServicesWorld, prefix: string, failures: number): Promise<void> {
  await db.signInThrottle.updateMany({ where: { key: { startsWith: prefix } }, data: { failures } });
}

function from(world: ServicesWorld, clientAddress: string, deviceCookie?: DeviceCookie) {
  return createCaller(world.services, nobody, { clientAddress, deviceCookie }).session;
}

function createDevice(): DeviceCookie {
  let value: string | undefined;
  return { read: () => value, write: (next) => void (value = next) };
}

describe('session.signIn', () => {
  it('opens a session of its own each time', async () => {
    await using world = await signedUp();
    const refreshCookie = createCookieJar();
    const answer = await createCaller(world.services, nobody, { refreshCookie }).session.signIn({
      email: 'ADA@example.com',
      password,
    });
    expect(answer.user).toEqual({ id: world.userId, name: 'Ada', email });
    expect(answer.organization).toEqual({ id: world.orgId, name: 'Acme', role: 'admin' });
    expect(await world.services.identity.identify(answer.token)).toMatchObject({ userId: world.userId });
    expect(refreshCookie.token).toBeDefined();
    expect(await world.db.session.count()).toBe(2);
  });

  it('answers the same for a wrong password and an unknown address', async () => {
    await using world = await signedUp();
    const { signIn } = createCaller(world.services).session;
    expect(await refusalOf(signIn({ email, password: 'difference engine' }))).toEqual(wrong);
    expect(await refusalOf(signIn({ email: 'eve@example.com', password }))).toEqual(wrong);
    expect(await world.db.session.count()).toBe(1);
  });

  it('goes to the organization of the latest session, or the one joined first', async () => {
    await using world = await signedUp();
    const { userId } = world;
    const { signIn } = createCaller(world.services).session;
    const otherId = await addOrganization(world, 'Other');
    await world.db.membership.create({ data: { orgId: otherId, userId, role: 'viewer' } });
    expect((await signIn({ email, password })).organization.id).toBe(world.orgId);
    await world.db.session.create({
      data: {
        id: '7b0c3e8e-0000-4000-8000-000000000001',
        userId,
        orgId: otherId,
        createdAt: new Date(Date.now() + 1000),
      },
    });
    expect((await signIn({ email, password })).organization).toEqual({ id: otherId, name: 'Other', role: 'viewer' });
    await world.db.membership.deleteMany({ where: { orgId: otherId } });
    expect((await signIn({ email, password })).organization.id).toBe(world.orgId);
  });

  it('is rejected without any organization', async () => {
    await using world = await signedUp();
    await world.db.membership.deleteMany();
    expect(await refusalOf(createCaller(world.services).session.signIn({ email, password }))).toEqual({
      type: 'forbidden',
      detail: 'You are not a member of any organization. Ask for an invitation',
    });
  });
});

describe('the throttle of sign-ins', () => {
  it('rejects the eleventh attempt from one address, even with the right password, and says when to retry', async () => {
    await using world = await signedUp();
    const here = from(world, '192.0.2.1');
    for (let n = 0; n < 10; n += 1) expect(await refusalOf(here.signIn({ email, password: 'guess' }))).toEqual(wrong);
    const refusal = await refusalOf(here.signIn({ email, password }));
    expect(refusal.type).toBe('rate_limited');
    expect(refusal.retryAfterSeconds).toBeGreaterThan(14 * 60);
    expect(refusal.retryAfterSeconds).toBeLessThanOrEqual(15 * 60);
    expect(refusal.detail).toBe(`Retry after ${refusal.retryAfterSeconds} seconds`);
    await from(world, '198.51.100.7').signIn({ email, password });
  });

  it('holds when all attempts come at once', async () => {
    await using world = await signedUp();
    const here = from(world, '192.0.2.1');
    const refusals = await Promise.all(
      Array.from({ length: 30 }, () => refusalOf(here.signIn({ email, password: 'guess' }))),
    );
    expect(refusals.filter(({ type }) => type === 'unauthorized')).toHaveLength(10);
    expect(refusals.filter(({ type }) => type === 'rate_limited')).toHaveLength(20);
  });

  it('begins anew after a success for the person, and not for the address', async () => {
    await using world = await signedUp();
    const here = from(world, '192.0.2.1');
    for (let n = 0; n < 9; n += 1) await refusalOf(here.signIn({ email, password: 'guess' }));
    await here.signIn({ email, password });
    const counters = await world.db.signInThrottle.findMany({ where: { NOT: { key: { startsWith: 'sign-up:' } } } });
    expect(counters.map(({ key, failures }) => [key, failures])).toEqual([['address:192.0.2.1', 9]]);
  });

  it('begins anew after a quarter of an hour', async () => {
    await using world = await signedUp();
    const here = from(world, '192.0.2.1');
    await refusalOf(here.signIn({ email, password: 'guess' }));
    await setFailures(world, 'pair:', 10);
    expect(await refusalOf(here.signIn({ email, password }))).toMatchObject({ type: 'rate_limited' });
    await world.db.signInThrottle.updateMany({ data: { windowStartedAt: new Date(Date.now() - 15 * 60_000 - 1) } });
    await here.signIn({ email, password });
  });

  it('leaves everybody a few attempts when others failed a hundred times at an address or for a person', async () => {
    await using world = await signedUp();
    for (const [prefix, clientAddress] of [
      ['address:', '192.0.2.1'],
      ['email:', '198.51.100.7'],
    ] as const) {
      await refusalOf(from(world, '192.0.2.1').signIn({ email, password: 'guess' }));
      await world.db.signInThrottle.deleteMany({ where: { key: { startsWith: 'pair:' } } });
      await setFailures(world, prefix, 100);
      const here = from(world, clientAddress);
      for (let n = 0; n < 3; n += 1) expect(await refusalOf(here.signIn({ email, password: 'guess' }))).toEqual(wrong);
      expect(await refusalOf(here.signIn({ email, password }))).toMatchObject({ type: 'rate_limited' });
      await world.db.signInThrottle.deleteMany({ where: { key: { startsWith: 'pair:' } } });
      await here.signIn({ email, password });
    }
  });

  it('stops an address, and guesses of one person, after a thousand failures', async () => {
    await using world = await signedUp();
    await refusalOf(from(world, '192.0.2.1').signIn({ email, password: 'guess' }));
    await setFailures(world, 'email:', 1000);
    expect(await refusalOf(from(world, '198.51.100.7').signIn({ email, password }))).toMatchObject({
      type: 'rate_limited',
    });
    await setFailures(world, 'email:', 0);
    await setFailures(world, 'address:', 1000);
    expect(await refusalOf(from(world, '192.0.2.1').signIn({ email: 'eve@example.com', password }))).toMatchObject({
      type: 'rate_limited',
    });
    await from(world, '198.51.100.7').signIn({ email, password });
  });

  it('accepts a device that the person signed in with before, even after failures from others', async () => {
    await using world = await signedUp();
    const device = createDevice();
    await from(world, '192.0.2.1', device).signIn({ email, password });
    await refusalOf(from(world, '192.0.2.1').signIn({ email, password: 'guess' }));
    await setFailures(world, '', 1000);
    expect(await refusalOf(from(world, '192.0.2.1').signIn({ email, password }))).toMatchObject({
      type: 'rate_limited',
    });
    await from(world, '192.0.2.1', device).signIn({ email, password });
    await from(world, '198.51.100.7', device).signIn({ email, password });
  });

  it('counts guesses on a known device by themselves', async () => {
    await using world = await signedUp();
    const device = createDevice();
    const here = from(world, '192.0.2.1', device);
    await here.signIn({ email, password });
    for (let n = 0; n < 10; n += 1) expect(await refusalOf(here.signIn({ email, password: 'guess' }))).toEqual(wrong);
    expect(await refusalOf(here.signIn({ email, password }))).toMatchObject({ type: 'rate_limited' });
    await from(world, '192.0.2.1').signIn({ email, password });
  });

  it('recognizes a device only for the last eight people who signed in with it', async () => {
    await using world = await signedUp();
    const { devices } = world.services.identity;
    const device = createDevice();
    const peopleKnown = () => {
      const known = devices.read(device.read());
      return Array.from({ length: 9 }, (_, n) => known !== undefined && devices.knows(known, `${n}@example.com`));
    };
    for (let n = 0; n < 9; n += 1) {
      device.write(devices.cookieFor(devices.read(device.read()) ?? devices.create(), `${n}@example.com`));
    }
    expect(peopleKnown()).toEqual([false, true, true, true, true, true, true, true, true]);
    const [id, ...rest] = device.read()?.split('.') ?? [];
    for (const forged of ['', '.', `${id}x.${rest.join('.')}`, `${id}.${rest.slice(1).join('.')}`, 'x'.repeat(5000)]) {
      expect(devices.read(forged)).toBeUndefined();
    }
  });

  it('gives an attempt back that the service was too busy to check', async () => {
    await using world = await signedUp();
    const { identity } = world.services;
    const busy = { ...identity, passwords: { ...identity.passwords, verify: () => Promise.reject(rateLimited(1)) } };
    const caller = createCaller({ ...world.services, identity: busy }, nobody, { clientAddress: '192.0.2.1' });
    for (let n = 0; n < 11; n += 1) {
      expect(await refusalOf(caller.session.signIn({ email, password }))).toMatchObject({ retryAfterSeconds: 1 });
    }
    await from(world, '192.0.2.1').signIn({ email, password });
  });

  it('keeps a bounded number of counters, and no longer than they count', async () => {
    await using world = await signedUp();
    const now = new Date();
    const data = Array.from({ length: 30 }, (_, n) => ({ key: `email:${n}`, failures: n + 1, windowStartedAt: now }));
    await world.db.signInThrottle.createMany({ data });
    const over = { key: 'email:over', failures: 50, windowStartedAt: new Date(now.getTime() - 16 * 60_000) };
    await world.db.signInThrottle.create({ data: over });
    await boundSignInThrottles(world.db, 20);
    const left = await world.db.signInThrottle.findMany({ orderBy: { failures: 'asc' } });
    expect(left.map(({ failures }) => failures)).toEqual(Array.from({ length: 20 }, (_, n) => n + 11));
  });

  it('does not count a rejected attempt, so that nobody can lock a user out from one address', async () => {
    await using world = await signedUp();
    const here = from(world, '192.0.2.1');
    await refusalOf(here.signIn({ email, password: 'guess' }));
    await setFailures(world, 'pair:', 10);
    for (let n = 0; n < 5; n += 1) await refusalOf(here.signIn({ email, password: 'guess' }));
    const counters = await world.db.signInThrottle.findMany({
      where: { NOT: { key: { startsWith: 'sign-up:' } } },
      orderBy: { key: 'asc' },
    });
    expect(counters.map(({ key, failures }) => [key, failures])).toEqual([
      ['address:192.0.2.1', 1],
      [`email:${email}`, 1],
      [`pair:192.0.2.1 ${email}`, 10],
    ]);
  });

  it('counts IPv6 addresses by /64, /56 and /48, and IPv4 addresses by themselves', async () => {
    await using world = await signedUp();
    for (const [address, networks] of [
      ['2001:db8:1:2ab:3:4:5:6', ['2001:db8:1:2ab::/64', '2001:db8:1:200::/56', '2001:db8:1::/48']],
      ['2001:DB8:1:2FF::9', ['2001:db8:1:2ff::/64', '2001:db8:1:200::/56', '2001:db8:1::/48']],
      ['::1', ['0:0:0:0::/64', '0:0:0:0::/56', '0:0:0::/48']],
      ['fe80::1%eth0', ['fe80:0:0:0::/64', 'fe80:0:0:0::/56', 'fe80:0:0::/48']],
      ['::ffff:192.0.2.1', ['192.0.2.1']],
      ['192.0.2.1', ['192.0.2.1']],
    ] as const) {
      await world.db.signInThrottle.deleteMany();
      await refusalOf(from(world, address).signIn({ email, password: 'guess' }));
      const counters = await world.db.signInThrottle.findMany({ where: { key: { startsWith: 'address:' } } });
      expect(counters.map(({ key }) => key).sort()).toEqual(networks.map((network) => `address:${network}`).sort());
    }
  });

  it('stops a /56 after twice the failures of a /64, however many of its addresses are used', async () => {
    await using world = await signedUp();
    await refusalOf(from(world, '2001:db8:1:2ab::1').signIn({ email, password: 'guess' }));
    await world.db.signInThrottle.updateMany({ where: { key: { endsWith: '/56' } }, data: { failures: 2000 } });
    expect(await refusalOf(from(world, '2001:db8:1:2ff::1').signIn({ email, password }))).toMatchObject({
      type: 'rate_limited',
    });
    await from(world, '2001:db8:1:3ff::1').signIn({ email, password });
  });
});
