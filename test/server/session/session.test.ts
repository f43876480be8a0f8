import { describe, expect, it } from 'vitest';
import { removeStaleSessions } from '../../../server/session/cleanup.js';
import {
  addMember,
  addOrganization,
  createCaller,
  createCookieJar,
  createRoom,
  nobody,
  refusalOf,
} from '../../support/caller.js';

const invalid = { type: 'unauthorized', detail: 'Invalid or expired token' };
const email = 'ada@example.com';
const password = 'analytical engine';

async function signedUp() {
  const room = await createRoom();
  const jar = createCookieJar();
  const { token, user } = await createCaller(room.services, nobody, { refreshCookie: jar }).session.signUp({
    organization_name: 'Acme',
    name: 'Ada',
    email,
    password,
  });
  const { identity } = room.services;
  const as = async (accessToken: string) =>
    createCaller(room.services, await identity.identify(accessToken), { refreshCookie: jar }).session;
  return Object.assign(room, { jar, token, userId: user.id, as });
}

describe('session.signOut', () => {
  it('ends the session at once and clears the cookie', async () => {
    await using room = await signedUp();
    const { refresh } = createCaller(room.services, nobody, { refreshCookie: createCookieJar(room.jar.token) }).session;
    await (await room.as(room.token)).signOut();
    expect(room.jar.token).toBeUndefined();
    expect(await refusalOf(room.services.identity.identify(room.token))).toEqual(invalid);
    expect(await refusalOf(refresh())).toEqual(invalid);
  });

  it('without an access token clears the cookie and touches no session', async () => {
    await using room = await signedUp();
    await createCaller(room.services, nobody, { refreshCookie: room.jar }).session.signOut({});
    expect(room.jar.token).toBeUndefined();
    expect(await room.services.identity.identify(room.token)).toMatchObject({ userId: room.userId });
  });

  it('leaves other sessions alone, or ends them all', async () => {
    await using room = await signedUp();
    const { identity } = room.services;
    const { signIn } = createCaller(room.services).session;
    const others = [await signIn({ email, password }), await signIn({ email, password })] as const;
    await (await room.as(others[0].token)).signOut({ everywhere: false });
    expect(await identity.identify(others[1].token)).toMatchObject({ userId: room.userId });
    const stranger = await addMember(room, await addOrganization(room), 'viewer');
    await (await room.as(others[1].token)).signOut({ everywhere: true });
    expect(await refusalOf(identity.identify(others[1].token))).toEqual(invalid);
    expect(await refusalOf(identity.identify(room.token))).toEqual(invalid);
    expect(await identity.identify(stranger.token)).toMatchObject({ userId: stranger.userId });
  });

  it('succeeds for those who are signed out already', async () => {
    await using room = await createRoom();
    expect(await createCaller(room.services).session.signOut()).toEqual({ signed_out: true });
  });
});

describe('session.me', () => {
  it('is the person, the organization, and those to switch to', async () => {
    await using room = await signedUp();
    const otherId = await addOrganization(room, 'Zeta');
    await room.db.membership.create({ data: { orgId: otherId, userId: room.userId, role: 'viewer' } });
    const me = await (await room.as(room.token)).me();
    expect(me.user).toEqual({ id: room.userId, name: 'Ada', email });
    expect(me.organization).toMatchObject({ name: 'Acme', role: 'admin' });
    expect(me.organizations).toEqual([me.organization, { id: otherId, name: 'Zeta', role: 'viewer' }]);
  });

  it('is for sessions alone', async () => {
    await using room = await createRoom();
    const key = { kind: 'key', keyId: 'x', orgId: 1, scopes: new Set<never>() } as const;
    for (const actor of [nobody, key]) {
      expect(await refusalOf(createCaller(room.services, actor).session.me())).toMatchObject({ type: 'unauthorized' });
    }
  });
});

describe('session.switchOrganization', () => {
  it('moves the session, and tokens made before stay where they were', async () => {
    await using room = await signedUp();
    const { identity } = room.services;
    const otherId = await addOrganization(room, 'Other');
    await room.db.membership.create({ data: { orgId: otherId, userId: room.userId, role: 'viewer' } });
    const answer = await (await room.as(room.token)).switchOrganization({ organization_id: otherId });
    expect(answer.organization).toEqual({ id: otherId, name: 'Other', role: 'viewer' });
    expect(await identity.identify(answer.token)).toMatchObject({ orgId: otherId, role: 'viewer' });
    expect(await identity.identify(room.token)).toMatchObject({ role: 'admin' });
    const renewed = await createCaller(room.services, nobody, { refreshCookie: room.jar }).session.refresh();
    expect(renewed.organization.id).toBe(otherId);
  });

  it('knows only organizations the person belongs to', async () => {
    await using room = await signedUp();
    const otherId = await addOrganization(room, 'Other');
    const session = await room.as(room.token);
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
    await using room = await signedUp();
    const { db } = room;
    await createCaller(room.services).session.signIn({ email, password });
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
