import { describe, expect, it } from 'vitest';
import { Prisma } from '../../../generated/prisma/client.js';
import { colliding, createCaller, createCookieJar, createRoom, nobody, refusalOf } from '../../support/caller.js';

const invalid = { type: 'unauthorized', detail: 'Invalid or expired token' };
const account = { organization_name: 'Acme', name: 'Ada', email: 'ada@example.com', password: 'analytical engine' };

async function signedUp() {
  const room = await createRoom();
  const jar = createCookieJar();
  const answer = await createCaller(room.services, nobody, { refreshCookie: jar }).session.signUp(account);
  const refreshWith = (refreshCookie: typeof jar) =>
    createCaller(room.services, nobody, { refreshCookie }).session.refresh();
  return Object.assign(room, { jar, answer, refreshWith, first: jar.token ?? '' });
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

  it('renews one of many that bring the same token at once, and tells the others to come again', async () => {
    await using room = await signedUp();
    const results = await colliding(room, { rows: Prisma.sql`SELECT FROM refresh_tokens`, waiting: 3 }, () =>
      Array.from({ length: 3 }, () => room.refreshWith(createCookieJar(room.first))),
    );
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1);
    for (const result of results) {
      if (result.status === 'fulfilled') continue;
      expect(result.reason).toMatchObject({
        type: 'conflict',
        message: 'The session was renewed by another request; try again',
      });
    }
    expect(await room.db.refreshToken.count({ where: { usedAt: null } })).toBe(1);
  });

  it('leaves the cookie to the winner of two', async () => {
    await using room = await signedUp();
    await room.refreshWith(room.jar);
    const late = createCookieJar(room.first);
    await refusalOf(room.refreshWith(late));
    expect(late.token).toBe(room.first);
    await room.refreshWith(room.jar);
  });

  it('ends the session when a used token comes back later, for thief and owner alike', async () => {
    await using room = await signedUp();
    const { token } = await room.refreshWith(room.jar);
    await room.db.refreshToken.updateMany({
      where: { NOT: { usedAt: null } },
      data: { usedAt: new Date(Date.now() - 10_500) },
    });
    const stolen = createCookieJar(room.first);
    expect(await refusalOf(room.refreshWith(stolen))).toEqual(invalid);
    expect(stolen.token).toBeUndefined();
    expect(await refusalOf(room.services.identity.identify(token))).toEqual(invalid);
    expect(await refusalOf(room.refreshWith(room.jar))).toEqual(invalid);
  });

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
