import { describe, expect, it } from 'vitest';
import { createCaller, createCookieJar, createServicesWorld, nobody, refusalOf } from '../../../support/caller.js';

const ada = { organization_name: 'Acme', name: 'Ada', email: 'ada@example.com', password: 'analytical engine' };

describe('session.signUp', () => {
  it('makes an organization, its administrator and a session', async () => {
    await using world = await createServicesWorld();
    const refreshCookie = createCookieJar();
    const answer = await createCaller(world.services, nobody, { refreshCookie }).session.signUp({
      ...ada,
      email: ' Ada@Example.COM ',
    });
    expect(answer).toEqual({
      token: expect.any(String),
      user: { id: expect.any(Number), name: 'Ada', email: 'ada@example.com' },
      organization: { id: expect.any(Number), name: 'Acme', role: 'admin' },
      has_earlier_memberships: false,
    });
    const actor = await world.services.identity.identify(answer.token);
    expect(actor).toMatchObject({ userId: answer.user.id, orgId: answer.organization.id, role: 'admin' });
    expect(refreshCookie.token).toMatch(/^[\w-]{43}$/);
  });

  it('is in the activity log of the organization', async () => {
    await using world = await createServicesWorld();
    const { token, user, organization } = await createCaller(world.services).session.signUp(ada);
    const caller = createCaller(world.services, await world.services.identity.identify(token));
    const actor = { kind: 'user', id: String(user.id), name: 'Ada' };
    expect((await caller.activity.list()).data.toReversed()).toMatchObject([
      {
        kind: 'organization',
        object_id: String(organization.id),
        object_name: 'Acme',
        action: 'created',
        entry_point: 'app',
        actor,
        before: {},
        after: { name: 'Acme' },
      },
      {
        kind: 'member',
        object_id: String(user.id),
        object_name: 'Ada',
        action: 'created',
        entry_point: 'app',
        actor,
        after: { name: 'Ada', email: 'ada@example.com', role: 'admin' },
      },
    ]);
  });

  it('stores neither the password nor the refresh token', async () => {
    await using world = await createServicesWorld();
    const refreshCookie = createCookieJar();
    await createCaller(world.services, nobody, { refreshCookie }).session.signUp(ada);
    const user = await world.db.user.findFirstOrThrow();
    expect(user.passwordHash).toMatch(/^\$argon2id\$/);
    const token = await world.db.refreshToken.findFirstOrThrow();
    expect(token.tokenHash).toMatch(/^[0-9a-f]{64}$/);
    expect(JSON.stringify([user, token])).not.toContain(refreshCookie.token);
  });

  it('is closed once there is a user', async () => {
    await using world = await createServicesWorld();
    const caller = createCaller(world.services);
    await caller.session.signUp(ada);
    expect(await refusalOf(caller.session.signUp({ ...ada, email: 'eve@example.com' }))).toEqual({
      type: 'forbidden',
      detail: 'Sign-up is closed',
    });
  });

  it('lets exactly one of two first ones in', async () => {
    await using world = await createServicesWorld();
    const caller = createCaller(world.services);
    const results = await Promise.allSettled(
      ['a', 'b', 'c'].map((name) => caller.session.signUp({ ...ada, email: `${name}@example.com` })),
    );
    expect(results.map((result) => result.status).sort()).toEqual(['fulfilled', 'rejected', 'rejected']);
    expect(results.find((result) => result.status === 'rejected')).toMatchObject({ reason: { type: 'forbidden' } });
    expect([await world.db.user.count(), await world.db.organization.count()]).toEqual([1, 1]);
  });

  it('stays open where that is set, once for each address', async () => {
    await using world = await createServicesWorld({ settings: { signUp: 'open' } });
    const caller = createCaller(world.services);
    const first = await caller.session.signUp(ada);
    const second = await caller.session.signUp({ ...ada, email: 'eve@example.com' });
    expect(second.organization.id).not.toBe(first.organization.id);
    expect(await refusalOf(caller.session.signUp({ ...ada, email: 'EVE@example.com' }))).toEqual({
      type: 'conflict',
      detail: 'user with email eve@example.com already exists',
    });
    expect(await world.db.organization.count()).toBe(2);
  });

  it('is limited for one client address', async () => {
    await using world = await createServicesWorld({ settings: { signUp: 'open' } });
    await world.db.signInThrottle.create({
      data: { key: 'sign-up:192.0.2.1', failures: 1000, windowStartedAt: new Date() },
    });
    expect(await refusalOf(createCaller(world.services).session.signUp(ada))).toMatchObject({ type: 'rate_limited' });
    await createCaller(world.services, nobody, { clientAddress: '192.0.2.2' }).session.signUp(ada);
  });

  it('reports the error of each field, and never repeats a password', async () => {
    await using world = await createServicesWorld();
    const wish = { organization_name: '', name: ' Ada', email: 'nowhere', password: 'hunter2' };
    const refusal = await refusalOf(createCaller(world.services).session.signUp(wish));
    expect(refusal.fields?.map(({ field, code }) => [field, code])).toEqual([
      ['organization_name', 'too_short'],
      ['name', 'invalid_value'],
      ['email', 'invalid_value'],
      ['password', 'too_short'],
    ]);
    expect(refusal.fields?.[2]?.message).toBe('email must be an email address');
    expect(refusal.fields?.[3]).toMatchObject({
      message: 'password must be at least 8 character(s)',
      params: { min_length: 8 },
    });
    expect(JSON.stringify(refusal)).not.toContain('hunter2');
  });

  it('reports the errors of its input', async () => {
    await using world = await createServicesWorld();
    for (const [change, field, code] of [
      [{ password: 'x'.repeat(201) }, 'password', 'too_long'],
      [{ email: `${'x'.repeat(250)}@example.com` }, 'email', 'too_long'],
      [{ email: 'a b@example.com' }, 'email', 'invalid_value'],
      [{ email: 'a@b@example.com' }, 'email', 'invalid_value'],
      [{ email: 'a\u0000@example.com' }, 'email', 'invalid_value'],
      [{ email: '@example.com' }, 'email', 'invalid_value'],
      [{ password: null }, 'password', 'invalid_value'],
      [{ password: 12345678 }, 'password', 'invalid_value'],
      [{ email: undefined }, 'email', 'required'],
      [{ role: 'admin' }, 'role', 'unknown_field'],
    ] as const) {
      const refusal = await refusalOf(createCaller(world.services).session.signUp({ ...ada, ...change } as never));
      expect(refusal, JSON.stringify(change)).toMatchObject({ type: 'validation_error', fields: [{ field, code }] });
    }
  });
});
