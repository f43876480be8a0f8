import { describe, expect, it } from 'vitest';
import { Prisma } from '../../../../generated/prisma/client.js';
import {
  addMember,
  addOrganization,
  colliding,
  createCaller,
  type Member,
  refusalOf,
} from '../../../support/caller.js';
import { createMembersWorld } from './world.js';

const lastAdministrator = {
  type: 'conflict',
  detail: 'An organization needs an administrator; make another member an administrator first',
};

describe('members.list', () => {
  it('lists the people of the organization', async () => {
    await using world = await createMembersWorld();
    const viewer = await addMember(world, world.orgId, 'viewer');
    await addMember(world, await addOrganization(world, 'Other'), 'admin');
    const page = await world.members.list();
    expect(page).toMatchObject({ limit: 50, offset: 0, total_count: 2 });
    expect(page.data.map(({ user_id, role }) => [user_id, role])).toEqual([
      [world.admin.userId, 'admin'],
      [viewer.userId, 'viewer'],
    ]);
    expect(page.data[1]).toEqual({
      user_id: viewer.userId,
      name: 'viewer',
      email: viewer.email,
      role: 'viewer',
      created_at: expect.stringMatching(/\.\d{3}Z$/),
      has_sign_on: false,
    });
    expect((await world.members.list({ limit: 1, offset: 1 })).data).toEqual([page.data[1]]);
  });
});

describe('members.setRole', () => {
  it('counts from the next request on', async () => {
    await using world = await createMembersWorld();
    const viewer = await addMember(world, world.orgId, 'viewer');
    expect(await world.members.setRole({ user_id: viewer.userId, role: 'manager' })).toEqual({
      user_id: viewer.userId,
      role: 'manager',
    });
    expect(await world.services.identity.identify(viewer.token)).toMatchObject({ role: 'manager' });
  });

  it('leaves an administrator', async () => {
    await using world = await createMembersWorld();
    expect(await refusalOf(world.members.setRole({ user_id: world.admin.userId, role: 'manager' }))).toEqual(
      lastAdministrator,
    );
    await world.members.setRole({ user_id: world.admin.userId, role: 'admin' });
    const second = await addMember(world, world.orgId, 'viewer');
    await world.members.setRole({ user_id: second.userId, role: 'admin' });
    await world.members.setRole({ user_id: world.admin.userId, role: 'manager' });
    const promoted = await world.services.identity.identify(second.token);
    const { members } = createCaller(world.services, promoted);
    expect(await refusalOf(members.remove({ user_id: second.userId }))).toEqual(lastAdministrator);
  });

  it('knows only members of the organization', async () => {
    await using world = await createMembersWorld();
    const outsider = await addMember(world, await addOrganization(world, 'Other'), 'viewer');
    for (const user_id of [outsider.userId, 2147483647]) {
      const refusal = { type: 'not_found', detail: 'Member not found' };
      expect(await refusalOf(world.members.setRole({ user_id, role: 'viewer' }))).toEqual(refusal);
      expect(await refusalOf(world.members.remove({ user_id }))).toEqual(refusal);
    }
  });

  it('reports the errors of its input', async () => {
    await using world = await createMembersWorld();
    for (const [change, field, code] of [
      [{ role: 'owner' }, 'role', 'invalid_value'],
      [{ role: null }, 'role', 'invalid_value'],
      [{ role: undefined }, 'role', 'required'],
      [{ user_id: 0 }, 'user_id', 'too_small'],
      [{ user_id: undefined }, 'user_id', 'required'],
    ] as const) {
      const refusal = await refusalOf(world.members.setRole({ user_id: 1, role: 'viewer', ...change } as never));
      expect(refusal, JSON.stringify(change)).toMatchObject({ type: 'validation_error', fields: [{ field, code }] });
    }
  });
});

describe('members.remove', () => {
  it('ends the sessions in this organization and leaves the others', async () => {
    await using world = await createMembersWorld();
    const { identity } = world.services;
    const member = await addMember(world, world.orgId, 'manager');
    const otherId = await addOrganization(world, 'Other');
    await world.db.membership.create({ data: { orgId: otherId, userId: member.userId, role: 'viewer' } });
    const elsewhere = await world.db.session.create({
      data: { id: '7b0c3e8e-0000-4000-8000-000000000001', userId: member.userId, orgId: otherId },
    });
    const otherToken = await identity.signSession({ id: elsewhere.id, userId: member.userId, orgId: otherId });
    await world.members.remove({ user_id: member.userId });
    expect(await refusalOf(identity.identify(member.token))).toEqual({
      type: 'unauthorized',
      detail: 'Invalid or expired token',
    });
    expect((await world.db.session.findUniqueOrThrow({ where: { id: member.sessionId } })).revokedAt).not.toBeNull();
    expect(await identity.identify(otherToken)).toMatchObject({ orgId: otherId });
  });

  it('leaves the keys the person made', async () => {
    await using world = await createMembersWorld();
    const second = await addMember(world, world.orgId, 'admin');
    const { apiKeys } = createCaller(world.services, second.actor);
    const { token, id } = await apiKeys.create({ name: 'Warehouse', scopes: ['assets:read'], expires_at: null });
    await world.members.remove({ user_id: second.userId });
    expect(await world.services.identity.identify(token)).toMatchObject({ keyId: id });
  });

  it('leaves an administrator', async () => {
    await using world = await createMembersWorld();
    await addMember(world, world.orgId, 'manager');
    expect(await refusalOf(world.members.remove({ user_id: world.admin.userId }))).toEqual(lastAdministrator);
    expect(await world.db.membership.count()).toBe(2);
  });
});

describe('administrators against each other', () => {
  it.each(['remove', 'setRole'] as const)('cannot both %s the other at once', async (change) => {
    await using world = await createMembersWorld();
    const pair = [world.admin, await addMember(world, world.orgId, 'admin')] as const;
    const act = (actor: Member, target: Member): Promise<unknown> =>
      change === 'remove'
        ? world.membersAs(actor).remove({ user_id: target.userId })
        : world.membersAs(actor).setRole({ user_id: target.userId, role: 'viewer' });
    const results = await colliding(world, { rows: Prisma.sql`SELECT FROM memberships`, waiting: 2 }, () => [
      act(pair[0], pair[1]),
      act(pair[1], pair[0]),
    ]);
    expect(results.map((result) => result.status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(results.find((result) => result.status === 'rejected')).toMatchObject({ reason: { type: 'forbidden' } });
    expect(await world.db.membership.count({ where: { role: 'admin' } })).toBe(1);
  });

  it('cannot all step down at once', async () => {
    await using world = await createMembersWorld();
    const all = [
      world.admin,
      await addMember(world, world.orgId, 'admin'),
      await addMember(world, world.orgId, 'admin'),
    ];
    const results = await colliding(world, { rows: Prisma.sql`SELECT FROM memberships`, waiting: 3 }, () =>
      all.map((member) => world.membersAs(member).remove({ user_id: member.userId })),
    );
    expect(results.filter((result) => result.status === 'rejected')).toMatchObject([{ reason: { type: 'conflict' } }]);
    expect(await world.db.membership.count({ where: { role: 'admin' } })).toBe(1);
  });
});
