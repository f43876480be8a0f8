import { describe, expect, it } from 'vitest';
import { Prisma } from '../../../../generated/prisma/client.js';
import {
  addMember,
  addOrganization,
  colliding,
  createCaller,
  createCookieJar,
  createServicesWorld,
  nobody,
  refusalOf,
} from '../../../support/caller.js';

const invalid = { type: 'unauthorized', detail: 'Invalid or expired token' };
const email = 'ada@example.com';
const password = 'analytical engine';
const change = { current_password: password, new_password: 'difference engine' };

async function signedUp() {
  const world = await createServicesWorld();
  const refreshCookie = createCookieJar();
  const { signUp, signIn } = createCaller(world.services, nobody, { refreshCookie }).session;
  const { token } = await signUp({ organization_name: 'Acme', name: 'Ada', email, password });
  const { identity } = world.services;
  const as = async (accessToken: string) =>
    createCaller(world.services, await identity.identify(accessToken), { refreshCookie }).session;
  return Object.assign(world, { refreshCookie, token, as, signIn });
}

describe('session.status', () => {
  it('returns whether there is a user yet, and whether everybody may sign up', async () => {
    await using world = await createServicesWorld();
    const { session } = createCaller(world.services);
    const usual = { password_reset: false, sign_on: null };
    expect(await session.status()).toEqual({ ...usual, first_run: true, sign_up_open: true });
    await addMember(world, await addOrganization(world), 'viewer');
    expect(await session.status()).toEqual({ ...usual, first_run: false, sign_up_open: false });
    const open = createCaller({ ...world.services, settings: { ...world.services.settings, signUp: 'open' } });
    expect(await open.session.status()).toEqual({ ...usual, first_run: false, sign_up_open: true });
  });
});

describe('session.updateProfile', () => {
  it('changes the name', async () => {
    await using world = await signedUp();
    const session = await world.as(world.token);
    expect(await session.updateProfile({ name: 'Ada Lovelace' })).toMatchObject({
      user: { name: 'Ada Lovelace', email },
    });
    expect((await session.me()).user.name).toBe('Ada Lovelace');
    expect(await refusalOf(session.updateProfile({ name: ' ' }))).toMatchObject({ fields: [{ field: 'name' }] });
  });
});

describe('session.changePassword', () => {
  it('accepts only the new password afterwards, and ends the other sessions', async () => {
    await using world = await signedUp();
    const other = await world.signIn({ email, password });
    await (await world.as(world.token)).changePassword(change);
    expect(await world.services.identity.identify(world.token)).toMatchObject({ kind: 'session' });
    expect(await refusalOf(world.services.identity.identify(other.token))).toEqual(invalid);
    expect(await refusalOf(world.signIn({ email, password }))).toMatchObject({ type: 'unauthorized' });
    expect((await world.signIn({ email, password: change.new_password })).user.email).toBe(email);
  });

  it('asks for the present one, and limits guesses as signing in does', async () => {
    await using world = await signedUp();
    const session = await world.as(world.token);
    const guess = { ...change, current_password: 'a guess' };
    expect(await refusalOf(session.changePassword(guess))).toMatchObject({
      type: 'validation_error',
      fields: [{ field: 'current_password', code: 'invalid_value' }],
    });
    await world.db.signInThrottle.updateMany({
      where: { key: { startsWith: 'pair:' } },
      data: { failures: 10 },
    });
    expect(await refusalOf(session.changePassword(change))).toMatchObject({ type: 'rate_limited' });
  });

  it('does not count a failure if the password is right', async () => {
    await using world = await signedUp();
    await (await world.as(world.token)).changePassword(change);
    expect(await world.db.signInThrottle.count({ where: { key: { startsWith: 'pair:' } } })).toBe(0);
  });

  it('reports the errors of its input', async () => {
    await using world = await signedUp();
    const session = await world.as(world.token);
    expect(await refusalOf(session.changePassword({ ...change, new_password: 'hunter2' }))).toMatchObject({
      fields: [{ field: 'new_password', code: 'too_short' }],
    });
  });

  it('leaves no session of a sign-in that was under way with the old one', async () => {
    await using world = await signedUp();
    const session = await world.as(world.token);
    const results = await colliding<unknown>(world, { rows: Prisma.sql`SELECT FROM users`, waiting: 2 }, () => [
      session.changePassword(change),
      world.signIn({ email, password }),
    ]);
    expect(results[0]?.status).toBe('fulfilled');
    expect(await world.db.session.count({ where: { revokedAt: null } })).toBe(1);
  });
});
