import { describe, expect, it } from 'vitest';
import { Prisma } from '../../../generated/prisma/client.js';
import { createIdentity } from '../../../server/auth/identity.js';
import {
  authSecret,
  type CookieJar,
  colliding,
  createCaller,
  createCookieJar,
  createRoom,
  nobody,
  refusalOf,
} from '../../support/caller.js';

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
  const room = await createRoom();
  const own = createCookies();
  const answer = await createCaller(room.services, nobody, own).session.signUp(account);
  const refreshOn = (cookies: Cookies, services = room.services) =>
    createCaller(services, nobody, cookies).session.refresh();
  return Object.assign(room, {
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
      const { db, log, settings } = room.services;
      const { environment } = settings;
      const identity = createIdentity({ db, log, settings: { authSecret: secret, environment } });
      return { ...identity, [Symbol.asyncDispose]: () => identity.stop() };
    },
    /** Moves all refresh tokens back in time. */
    async letPass(ms: number) {
      await room.db.$executeRaw`
        UPDATE refresh_tokens
           SET issued_at = issued_at - make_interval(secs => ${ms / 1000}::float8),
               used_at = used_at - make_interval(secs => ${ms / 1000}::float8)`;
    },
  });
}

describe('session.refresh', () => {
  it('gives a new access token and a new refresh token', async () => {
    await using room = await signedUp();
    const answer = await room.refreshWith(room.jar);
    expect(answer.user).toEqual(room.answer.user);
    expect(answer.organization).toEqual(room.answer.organization);
    expect(await room.services.identity.identify(answer.token)).toMatchObject({ userId: answer.user.id });
    expect(room.jar.token).toBeDefined();
    expect(room.jar.token).not.toBe(room.first);
    await room.refreshWith(room.jar);
    expect(await room.db.session.count()).toBe(1);
  });

  it('gives the same successor to all who bring the same token at once', async () => {
    await using room = await signedUp();
    const jars = Array.from({ length: 3 }, () => room.cookies(room.first));
    await colliding(room, { rows: Prisma.sql`SELECT FROM refresh_tokens`, waiting: 3 }, () =>
      jars.map((jar) => room.refreshOn(jar)),
    );
    expect(new Set(jars.map(({ refreshCookie }) => refreshCookie.token)).size).toBe(1);
    expect(jars[0]?.refreshCookie.token).not.toBe(room.first);
    expect(await room.db.refreshToken.count({ where: { usedAt: null } })).toBe(1);
  });

  it('gives the same successor again for 60 seconds, though that one was brought meanwhile', async () => {
    await using room = await signedUp();
    await room.refreshWith(room.jar);
    const successor = room.jar.token;
    await room.refreshWith(room.jar);
    await room.letPass(59_000);
    const repeated = room.cookies(room.first);
    await room.refreshOn(repeated);
    expect(repeated.refreshCookie.token).toBe(successor);
    expect(room.jar.token).toBe(successor);
    await room.letPass(2000);
    await room.refreshWith(room.jar);
    expect(room.jar.token).not.toBe(successor);
  });

  it('finds the successor again while the signing secret is being replaced', async () => {
    await using room = await signedUp();
    await room.refreshWith(room.jar);
    await using identity = room.identityWith(`${'n'.repeat(32)},${authSecret}`);
    const repeated = room.cookies(room.first);
    await room.refreshOn(repeated, { ...room.services, identity });
    expect(repeated.refreshCookie.token).toBe(room.jar.token);
  });

  it('ends the session when a used token comes back after 60 seconds, for thief and owner alike', async () => {
    await using room = await signedUp();
    const { token } = await room.refreshWith(room.jar);
    await room.letPass(60_500);
    const stolen = room.cookies(room.first);
    expect(await refusalOf(room.refreshOn(stolen))).toEqual(invalid);
    expect(stolen.refreshCookie.token).toBeUndefined();
    expect(await refusalOf(room.services.identity.identify(token))).toEqual(invalid);
    expect(await refusalOf(room.refreshWith(room.jar))).toEqual(invalid);
  });

  it('ends the session when a successor that two of them hold is used by both', async () => {
    await using room = await signedUp();
    await room.refreshWith(room.jar);
    const copied = room.cookies(room.first);
    await room.refreshOn(copied);
    await room.letPass(60_500);
    await room.refreshWith(room.jar);
    await room.letPass(60_500);
    expect(await refusalOf(room.refreshOn(copied))).toEqual(invalid);
    expect(await refusalOf(room.refreshWith(room.jar))).toEqual(invalid);
  });

  it.each(['no device', 'another device', 'a forged device'])(
    'ends the session when a used token comes at once with %s',
    async (what) => {
      await using room = await signedUp();
      await room.refreshWith(room.jar);
      const stolen = room.cookies(room.first);
      const { devices } = room.services.identity;
      if (what === 'no device') stolen.deviceCookie.value = undefined;
      if (what === 'another device') stolen.deviceCookie.value = devices.cookieFor(devices.create(), account.email);
      if (what === 'a forged device')
        stolen.deviceCookie.value = `${room.device.value?.split('.')[0]}.${'x'.repeat(43)}`;
      expect(await refusalOf(room.refreshOn(stolen))).toEqual(invalid);
      expect(await refusalOf(room.refreshWith(room.jar))).toEqual(invalid);
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
  ])('refuses %s', async (what) => {
    await using room = await signedUp();
    const { db } = room;
    let jar: typeof room.jar | undefined = room.jar;
    if (what === 'no cookie') jar = undefined;
    if (what === 'an empty cookie') jar = createCookieJar('');
    if (what === 'an unknown token') jar = createCookieJar('x'.repeat(43));
    if (what === 'an expired token') await db.refreshToken.updateMany({ data: { expiresAt: new Date() } });
    if (what === 'a revoked session') await db.session.updateMany({ data: { revokedAt: new Date() } });
    if (what === 'a membership that ended') await db.membership.deleteMany();
    if (what === 'an access token') jar = createCookieJar(room.answer.token);
    const { refresh } = createCaller(room.services, nobody, { refreshCookie: jar }).session;
    expect(await refusalOf(refresh())).toEqual(invalid);
    expect(jar?.token).toBeUndefined();
  });

  it('lasts 30 days from each use', async () => {
    await using room = await signedUp();
    const written: number[] = [];
    const jar = {
      ...createCookieJar(room.first),
      write: (_token: string, expiresAtMs: number) => void written.push(expiresAtMs),
    };
    await room.refreshWith(jar);
    expect(Math.abs((written[0] ?? 0) - Date.now() - 30 * 86_400_000)).toBeLessThan(60_000);
  });
});
