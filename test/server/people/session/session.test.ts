import { describe, expect, it } from 'vitest';
import { removeStaleSessions } from '../../../../server/people/session/cleanup.js';
import {
  addMember,
  addOrganization,
  createCaller,
  createCookieJar,
  createServicesWorld,
  nobody,
  refusalOf,
} from '../../../support/caller.js';

const invalid = { type: 'unauthorized', detail: 'Invalid or expired token' };
const email = 'ada@example.com';
const password = 'analytical engine';

async function signedUp() {
  const world = await createServicesWorld();
  const jar = createCookieJar();
  const { token, user } = await createCaller(world.services, nobody, { refreshCookie: jar }).session.signUp({
    organization_name: 'Acme',
    name: 'Ada',
    email,
    password,
  });
  const { identity } = world.services;
  const as = async (accessToken: string) =>
    createCaller(world.services, await identity.identify(accessToken), { refreshCookie: jar }).session;
  return Object.assign(world, { jar, token, userId: user.id, as });
}

describe('session.signOut', () => {
  it('ends the session at once and clears the cookie', async () => {
    await using world = await signedUp();
    const { refresh } = createCaller(world.services, nobody, {
      refreshCookie: createCookieJar(world.jar.token),
    }).session;
    await (await world.as(world.token)).signOut();
    expect(world.jar.token).toBeUndefined();
    expect(await refusalOf(world.services.identity.identify(world.token))).toEqual(invalid);
    expect(await refusalOf(refresh())).toEqual(invalid);
  });

  it('without an access token clears the cookie and touches no session', async () => {
    await using world = await signedUp();
    await createCaller(world.services, nobody, { refreshCookie: world.jar }).session.signOut({});
    expect(world.jar.token).toBeUndefined();
    expect(await world.services.identity.identify(world.token)).toMatchObject({ userId: world.userId });
  });

  it('leaves other sessions alone, or ends them all', async () => {
    await using world = await signedUp();
    const { identity } = world.services;
    const { signIn } = createCaller(world.services).session;
    const others = [await signIn({ email, password }), await signIn({ email, password })] as const;
    await (await world.as(others[0].token)).signOut({ everywhere: false });
    expect(await identity.identify(others[1].token)).toMatchObject({ userId: world.userId });
    const outsider = await addMember(world, await addOrganization(world), 'viewer');
    await (await world.as(others[1].token)).signOut({ everywhere: true });
    expect(await refusalOf(identity.identify(others[1].token))).toEqual(invalid);
    expect(await refusalOf(identity.identify(world.token))).toEqual(invalid);
    expect(await identity.identify(outsider.token)).toMatchObject({ userId: outsider.userId });
  });

  it('succeeds for those who are signed out already', async () => {
    await using world = await createServicesWorld();
    expect(await createCaller(world.services).session.signOut()).toEqual({ signed_out: true });
  });
});

describe('session.me', () => {
  it('is the person, the organization, and those to switch to', async () => {
    await using world = await signedUp();
    const otherId = await addOrganization(world, 'Zeta');
    await world.db.membership.create({ data: { orgId: otherId, userId: world.userId, role: 'viewer' } });
    const me = await (await world.as(world.token)).me();
    expect(me.user).toEqual({ id: world.userId, name: 'Ada', email });
    expect(me.organization).toMatchObject({ name: 'Acme', role: 'admin' });
    expect(me.organizations).toEqual([me.organization, { id: otherId, name: 'Zeta', role: 'viewer' }]);
  });
});

describe('session.switchOrganization', () => {
  it('moves the session, and tokens made before stay where they were', async () => {
    await using world = await signedUp();
    const { identity } = world.services;
    const otherId = await addOrganization(world, 'Other');
    await world.db.membership.create({ data: { orgId: otherId, userId: world.userId, role: 'viewer' } });
    const answer = await (await world.as(world.token)).switchOrganization({ organization_id: otherId });
    expect(answer.organization).toEqual({ id: otherId, name: 'Other', role: 'viewer' });
    expect(await identity.identify(answer.token)).toMatchObject({ orgId: otherId, role: 'viewer' });
    expect(await identity.identify(world.token)).toMatchObject({ role: 'admin' });
    const renewed = await createCaller(world.services, nobody, { refreshCookie: world.jar }).session.refresh();
    expect(renewed.organization.id).toBe(otherId);
  });

  it('knows only organizations the person belongs to', async () => {
    await using world = await signedUp();
    const otherId = await addOrganization(world, 'Other');
    const session = await world.as(world.token);
    for (const organization_id of [otherId, 2147483647]) {
      expect(await refusalOf(session.switchOrganization({ organization_id }))).toEqual({
        type: 'not_found',
        detail: 'Organization not found',
      });
    }
  });
});

describe('the clean-up', () => {
  it('keeps what still decides something', async () => {
    await using world = await signedUp();
    const { db } = world;
    await createCaller(world.services).session.signIn({ email, password });
    await removeStaleSessions(db);
    expect([await db.session.count(), await db.refreshToken.count()]).toEqual([2, 2]);
    const longAgo = new Date(Date.now() - 40 * 86_400_000);
    const [stale] = await db.session.findMany();
    await db.session.updateMany({ data: { createdAt: longAgo } });
    await db.refreshToken.updateMany({ where: { sessionId: stale?.id ?? '' }, data: { expiresAt: longAgo } });
    await db.signInThrottle.updateMany({ data: { windowStartedAt: longAgo } });
    await removeStaleSessions(db);
    expect([await db.session.count(), await db.refreshToken.count(), await db.signInThrottle.count()]).toEqual([
      1, 1, 0,
    ]);
  });
});
