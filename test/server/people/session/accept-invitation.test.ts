import { describe, expect, it } from 'vitest';
import { Prisma } from '../../../../generated/prisma/client.js';
import type { Actor } from '../../../../server/people/actor.js';
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

const ben = { name: 'Ben', email: 'ben@example.com', password: 'difference engine' };
const noOffer = {
  type: 'not_found',
  detail: 'This invitation is no longer valid; ask for a new link',
};

async function inviting() {
  const world = await createServicesWorld();
  const orgId = await addOrganization(world);
  const admin = await addMember(world, orgId, 'admin');
  const { members } = createCaller(world.services, admin.actor);
  const refreshCookie = createCookieJar();
  const as = (actor: Actor) => createCaller(world.services, actor, { refreshCookie }).session;
  return Object.assign(world, { orgId, admin, members, as, session: as(nobody), refreshCookie });
}

describe('session.invitation', () => {
  it('returns the contents of the link', async () => {
    await using world = await inviting();
    const { token, expires_at } = await world.members.invite({ role: 'manager', email: ben.email });
    expect(await world.session.invitation({ token })).toEqual({
      organization: { name: 'Acme' },
      role: 'manager',
      email: ben.email,
      expires_at,
    });
  });

  it('answers the same for links that are unknown, used, revoked or expired', async () => {
    await using world = await inviting();
    const used = await world.members.invite({ role: 'viewer' });
    await world.session.acceptInvitation({ token: used.token, person: ben });
    const revoked = await world.members.invite({ role: 'viewer' });
    await world.members.revokeInvitation({ id: revoked.id });
    const over = await world.members.invite({ role: 'viewer' });
    await world.db.invitation.update({ where: { id: over.id }, data: { expiresAt: new Date() } });
    const person = { ...ben, email: 'eve@example.com' };
    for (const token of [used.token, revoked.token, over.token, 'x', 'x'.repeat(43)]) {
      expect(await refusalOf(world.session.invitation({ token }))).toEqual(noOffer);
      expect(await refusalOf(world.session.acceptInvitation({ token, person }))).toEqual(noOffer);
      expect(await refusalOf(world.as(world.admin.actor).acceptInvitation({ token }))).toEqual(noOffer);
    }
    expect(await world.db.user.count({ where: { email: person.email } })).toBe(0);
  });
});

describe('session.acceptInvitation of somebody new', () => {
  it('makes an account, a membership with the role offered, and a session', async () => {
    await using world = await inviting();
    const { token } = await world.members.invite({ role: 'operator' });
    const answer = await world.session.acceptInvitation({ token, person: { ...ben, email: ' Ben@Example.com' } });
    expect(answer).toEqual({
      token: expect.any(String),
      user: { id: expect.any(Number), name: 'Ben', email: 'ben@example.com' },
      organization: { id: world.orgId, name: 'Acme', role: 'operator' },
      has_earlier_memberships: false,
    });
    expect(world.refreshCookie.token).toMatch(/^[\w-]{43}$/);
    expect(await world.services.identity.identify(answer.token)).toMatchObject({
      orgId: world.orgId,
      role: 'operator',
    });
    const again = await world.session.signIn({ email: ben.email, password: ben.password });
    expect(again.organization).toEqual(answer.organization);
  });

  it('is accepted only with the address that was invited', async () => {
    await using world = await inviting();
    const { token } = await world.members.invite({ role: 'viewer', email: ben.email });
    const refusal = await refusalOf(
      world.session.acceptInvitation({ token, person: { ...ben, email: 'eve@example.com' } }),
    );
    expect(refusal).toMatchObject({
      type: 'validation_error',
      fields: [{ field: 'email', code: 'invalid_value', message: expect.stringContaining(ben.email) }],
    });
    await world.session.acceptInvitation({ token, person: ben });
  });

  it('leaves the link good for a person who has an account already', async () => {
    await using world = await inviting();
    const elsewhere = await addMember(world, await addOrganization(world, 'Other'), 'viewer');
    const { token } = await world.members.invite({ role: 'viewer' });
    const refusal = await refusalOf(
      world.session.acceptInvitation({ token, person: { ...ben, email: elsewhere.email } }),
    );
    expect(refusal).toEqual({
      type: 'conflict',
      detail: `user with email ${elsewhere.email} already exists`,
    });
    await world.as(elsewhere.actor).acceptInvitation({ token });
  });

  it('reports the error of each field', async () => {
    await using world = await inviting();
    const { token } = await world.members.invite({ role: 'viewer' });
    const person = { name: '', email: 'nowhere', password: 'hunter2' };
    const refusal = await refusalOf(world.session.acceptInvitation({ token, person }));
    expect(refusal.fields?.map(({ field, code }) => [field, code])).toEqual([
      ['name', 'too_short'],
      ['email', 'invalid_value'],
      ['password', 'too_short'],
    ]);
    expect(JSON.stringify(refusal)).not.toContain('hunter2');
  });

  it('is limited for one client address', async () => {
    await using world = await inviting();
    await world.db.signInThrottle.create({
      data: { key: 'sign-up:192.0.2.1', failures: 1000, windowStartedAt: new Date() },
    });
    const { token } = await world.members.invite({ role: 'viewer' });
    expect(await refusalOf(world.session.acceptInvitation({ token, person: ben }))).toMatchObject({
      type: 'rate_limited',
    });
  });
});

describe('session.acceptInvitation of a person signed in', () => {
  it('moves the session to the organization', async () => {
    await using world = await inviting();
    const person = await addMember(world, await addOrganization(world, 'Other'), 'admin');
    const { token } = await world.members.invite({ role: 'viewer', email: person.email });
    const answer = await world.as(person.actor).acceptInvitation({ token });
    expect(answer.organization).toEqual({ id: world.orgId, name: 'Acme', role: 'viewer' });
    const actor = await world.services.identity.identify(answer.token);
    expect(actor).toMatchObject({ orgId: world.orgId, role: 'viewer', sessionId: person.sessionId });
    const { organizations } = await world.as(actor).me();
    expect(organizations.map(({ name, role }) => [name, role])).toEqual([
      ['Acme', 'viewer'],
      ['Other', 'admin'],
    ]);
  });

  it('changes no role, and leaves the link to others', async () => {
    await using world = await inviting();
    const viewer = await addMember(world, world.orgId, 'viewer');
    const { token } = await world.members.invite({ role: 'admin' });
    expect(await refusalOf(world.as(viewer.actor).acceptInvitation({ token }))).toEqual({
      type: 'conflict',
      detail: 'You are a member of this organization already',
    });
    expect(await world.services.identity.identify(viewer.token)).toMatchObject({ role: 'viewer' });
    expect(await world.session.invitation({ token })).toMatchObject({ role: 'admin' });
  });

  it('asks for a session or an account', async () => {
    await using world = await inviting();
    const { token } = await world.members.invite({ role: 'viewer' });
    expect(await refusalOf(world.session.acceptInvitation({ token }))).toEqual({
      type: 'unauthorized',
      detail: 'Session required',
    });
  });
});

describe('one link in the hands of several', () => {
  it('is accepted by one of those who use it at once', async () => {
    await using world = await inviting();
    const { token, id } = await world.members.invite({ role: 'viewer' });
    const signedIn = await addMember(world, await addOrganization(world, 'Other'), 'viewer');
    const results = await colliding(
      world,
      { rows: Prisma.sql`SELECT FROM invitations WHERE id = ${id}`, waiting: 3 },
      () => [
        world.session.acceptInvitation({ token, person: ben }),
        world.session.acceptInvitation({ token, person: { ...ben, email: 'eve@example.com' } }),
        world.as(signedIn.actor).acceptInvitation({ token }),
      ],
    );
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected', 'rejected']);
    for (const result of results) {
      if (result.status === 'rejected') expect(result.reason).toMatchObject({ type: 'not_found' });
    }
    expect(await world.db.membership.count({ where: { orgId: world.orgId } })).toBe(2);
  });

  it('is either accepted or revoked', async () => {
    await using world = await inviting();
    const { token, id } = await world.members.invite({ role: 'viewer' });
    const results = await colliding<unknown>(
      world,
      { rows: Prisma.sql`SELECT FROM invitations WHERE id = ${id}`, waiting: 2 },
      () => [world.session.acceptInvitation({ token, person: ben }), world.members.revokeInvitation({ id })],
    );
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const joined = await world.db.membership.count({ where: { orgId: world.orgId } });
    expect(joined).toBe(results[0]?.status === 'fulfilled' ? 2 : 1);
  });
});
