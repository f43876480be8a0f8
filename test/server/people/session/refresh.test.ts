import { describe, expect, it } from 'vitest';
import { Prisma } from '../../../../generated/prisma/client.js';
import { createIdentity } from '../../../../server/people/auth/identity.js';
import {
  authSecret,
  type CookieJar,
  colliding,
  createCaller,
  createCookieJar,
  createServicesWorld,
  nobody,
  refusalOf,
} from '../../../support/caller.js';

const invalid = { type: 'unauthorized', detail: 'Invalid or expired token' };
const account = { organization_name: 'Acme', name: 'Ada', email: 'ada@example.com', password: 'analytical engine' };

type Cookies = ReturnType<typeof createCookies>;

function createCookies(token?: string, device?: string) {
  const deviceCookie = {
    value: device,
    read: () => deviceCookie.value,
    write: (value: string) => void (deviceCookie.value = value),
  };
  return { refreshCookie: createCookieJar(token), deviceCookie };
}

async function signedUp() {
  const world = await createServicesWorld();
  const own = createCookies();
  const answer = await createCaller(world.services, nobody, own).session.signUp(account);
  const refreshOn = (cookies: Cookies, services = world.services) =>
    createCaller(services, nobody, cookies).session.refresh();
  return Object.assign(world, {
    jar: own.refreshCookie,
    device: own.deviceCookie,
    answer,
    first: own.refreshCookie.token ?? '',
    refreshOn,
    /** From the device that signed up. */
    refreshWith: (refreshCookie: CookieJar) => refreshOn({ ...own, refreshCookie }),
    /** Returns a copy of the browser with the given token. */
    cookies: (token: string) => createCookies(token, own.deviceCookie.value),
    identityWith(secret: string) {
      const { db, log, settings } = world.services;
      const { environment } = settings;
      const identity = createIdentity({ db, log, settings: { authSecret: secret, environment } });
      return { ...identity, [Symbol.asyncDispose]: () => identity.stop() };
    },
    /** Moves all refresh tokens back in time. */
    async letPass(ms: number) {
      await world.db.$executeRaw`
        UPDATE refresh_tokens
           SET issued_at = issued_at - make_interval(secs => ${ms / 1000}::float8),
               used_at = used_at - make_interval(secs => ${ms / 1000}::float8)`;
    },
  });
}

describe('session.refresh', () => {
  it('gives a new access token and a new refresh token', async () => {
    await using world = await signedUp();
    const answer = await world.refreshWith(world.jar);
    expect(answer.user).toEqual(world.answer.user);
    expect(answer.organization).toEqual(world.answer.organization);
    expect(await world.services.identity.identify(answer.token)).toMatchObject({ userId: answer.user.id });
    expect(world.jar.token).toBeDefined();
    expect(world.jar.token).not.toBe(world.first);
    await world.refreshWith(world.jar);
    expect(await world.db.session.count()).toBe(1);
  });

  it('gives the same successor to all who bring the same token at once', async () => {
    await using world = await signedUp();
    const jars = Array.from({ length: 3 }, () => world.cookies(world.first));
    await colliding(world, { rows: Prisma.sql`SELECT FROM refresh_tokens`, waiting: 3 }, () =>
      jars.map((jar) => world.refreshOn(jar)),
    );
    expect(new Set(jars.map(({ refreshCookie }) => refreshCookie.token)).size).toBe(1);
    expect(jars[0]?.refreshCookie.token).not.toBe(world.first);
    expect(await world.db.refreshToken.count({ where: { usedAt: null } })).toBe(1);
  });

  it('gives the same successor again for 60 seconds, though that one was brought meanwhile', async () => {
    await using world = await signedUp();
    await world.refreshWith(world.jar);
    const successor = world.jar.token;
    await world.refreshWith(world.jar);
    // As long as a slow machine may take for these steps is left.
    await world.letPass(40_000);
    const repeated = world.cookies(world.first);
    await world.refreshOn(repeated);
    expect(repeated.refreshCookie.token).toBe(successor);
    expect(world.jar.token).toBe(successor);
    await world.letPass(20_500);
    await world.refreshWith(world.jar);
    expect(world.jar.token).not.toBe(successor);
  });

  it('finds the successor again while the signing secret is being replaced', async () => {
    await using world = await signedUp();
    await world.refreshWith(world.jar);
    await using identity = world.identityWith(`${'n'.repeat(32)},${authSecret}`);
    const repeated = world.cookies(world.first);
    await world.refreshOn(repeated, { ...world.services, identity });
    expect(repeated.refreshCookie.token).toBe(world.jar.token);
  });

  it('ends the session when a used token comes back after 60 seconds, for thief and owner alike', async () => {
    await using world = await signedUp();
    const { token } = await world.refreshWith(world.jar);
    await world.letPass(60_500);
    const stolen = world.cookies(world.first);
    expect(await refusalOf(world.refreshOn(stolen))).toEqual(invalid);
    expect(stolen.refreshCookie.token).toBeUndefined();
    expect(await refusalOf(world.services.identity.identify(token))).toEqual(invalid);
    expect(await refusalOf(world.refreshWith(world.jar))).toEqual(invalid);
  });

  it('ends the session when a successor that two of them hold is used by both', async () => {
    await using world = await signedUp();
    await world.refreshWith(world.jar);
    const copied = world.cookies(world.first);
    await world.refreshOn(copied);
    await world.letPass(60_500);
    await world.refreshWith(world.jar);
    await world.letPass(60_500);
    expect(await refusalOf(world.refreshOn(copied))).toEqual(invalid);
    expect(await refusalOf(world.refreshWith(world.jar))).toEqual(invalid);
  });

  it.each(['no device', 'another device', 'a forged device'])(
    'ends the session when a used token comes at once with %s',
    async (what) => {
      await using world = await signedUp();
      await world.refreshWith(world.jar);
      const stolen = world.cookies(world.first);
      const { devices } = world.services.identity;
      if (what === 'no device') stolen.deviceCookie.value = undefined;
      if (what === 'another device') stolen.deviceCookie.value = devices.cookieFor(devices.create(), account.email);
      if (what === 'a forged device')
        stolen.deviceCookie.value = `${world.device.value?.split('.')[0]}.${'x'.repeat(43)}`;
      expect(await refusalOf(world.refreshOn(stolen))).toEqual(invalid);
      expect(await refusalOf(world.refreshWith(world.jar))).toEqual(invalid);
    },
  );

  it.each([
    'no cookie',
    'an empty cookie',
    'an unknown token',
    'an expired token',
    'a revoked session',
    'a membership that ended',
    'an access token',
  ])('rejects %s', async (what) => {
    await using world = await signedUp();
    const { db } = world;
    let jar: typeof world.jar | undefined = world.jar;
    if (what === 'no cookie') jar = undefined;
    if (what === 'an empty cookie') jar = createCookieJar('');
    if (what === 'an unknown token') jar = createCookieJar('x'.repeat(43));
    if (what === 'an expired token') await db.refreshToken.updateMany({ data: { expiresAt: new Date() } });
    if (what === 'a revoked session') await db.session.updateMany({ data: { revokedAt: new Date() } });
    if (what === 'a membership that ended') await db.membership.deleteMany();
    if (what === 'an access token') jar = createCookieJar(world.answer.token);
    const { refresh } = createCaller(world.services, nobody, { refreshCookie: jar }).session;
    expect(await refusalOf(refresh())).toEqual(invalid);
    expect(jar?.token).toBeUndefined();
  });

  it('lasts 30 days from each use', async () => {
    await using world = await signedUp();
    const written: number[] = [];
    const jar = {
      ...createCookieJar(world.first),
      write: (_token: string, expiresAtMs: number) => void written.push(expiresAtMs),
    };
    await world.refreshWith(jar);
    expect(Math.abs((written[0] ?? 0) - Date.now() - 30 * 86_400_000)).toBeLessThan(60_000);
  });
});
