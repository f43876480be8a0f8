import { describe, expect, it } from 'vitest';
import { Prisma } from '../../../generated/prisma/client.js';
import {
  addMember,
  addOrganization,
  colliding,
  createCaller,
  createRoom,
  type Member,
  refusalOf,
} from '../../support/caller.js';

const lastAdministrator = {
  type: 'conflict',
  detail: 'An organization needs an administrator; make another member one first',
};

async function organization() {
  const room = await createRoom();
  const orgId = await addOrganization(room);
  const admin = await addMember(room, orgId, 'admin');
  const membersAs = (member: Member) => createCaller(room.services, member.actor).members;
  return Object.assign(room, { orgId, admin, membersAs, members: membersAs(admin) });
}

describe('members.list', () => {
  it('lists the people of the organization', async () => {
    await using room = await organization();
    const viewer = await addMember(room, room.orgId, 'viewer');
    await addMember(room, await addOrganization(room, 'Other'), 'admin');
    const page = await room.members.list();
    expect(page).toMatchObject({ limit: 50, offset: 0, total_count: 2 });
    expect(page.data.map(({ user_id, role }) => [user_id, role])).toEqual([
      [room.admin.userId, 'admin'],
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
    expect((await room.members.list({ limit: 1, offset: 1 })).data).toEqual([page.data[1]]);
  });

  it('is for administrators, as are the changes', async () => {
    await using room = await organization();
    const members = room.membersAs(await addMember(room, room.orgId, 'manager'));
    const refusal = { type: 'forbidden', detail: 'Missing required role: admin' };
    expect(await refusalOf(members.list())).toEqual(refusal);
    expect(await refusalOf(members.setRole({ user_id: room.admin.userId, role: 'viewer' }))).toEqual(refusal);
    expect(await refusalOf(members.remove({ user_id: room.admin.userId }))).toEqual(refusal);
  });
});

describe('members.setRole', () => {
  it('counts from the next request on', async () => {
    await using room = await organization();
    const viewer = await addMember(room, room.orgId, 'viewer');
    expect(await room.members.setRole({ user_id: viewer.userId, role: 'manager' })).toEqual({
      user_id: viewer.userId,
      role: 'manager',
    });
    expect(await room.services.identity.identify(viewer.token)).toMatchObject({ role: 'manager' });
  });

  it('leaves an administrator', async () => {
    await using room = await organization();
    expect(await refusalOf(room.members.setRole({ user_id: room.admin.userId, role: 'manager' }))).toEqual(
      lastAdministrator,
    );
    await room.members.setRole({ user_id: room.admin.userId, role: 'admin' });
    const second = await addMember(room, room.orgId, 'viewer');
    await room.members.setRole({ user_id: second.userId, role: 'admin' });
    await room.members.setRole({ user_id: room.admin.userId, role: 'manager' });
    const promoted = await room.services.identity.identify(second.token);
    const { members } = createCaller(room.services, promoted);
    expect(await refusalOf(members.remove({ user_id: second.userId }))).toEqual(lastAdministrator);
  });

  it('knows only members of the organization', async () => {
    await using room = await organization();
    const stranger = await addMember(room, await addOrganization(room, 'Other'), 'viewer');
    for (const user_id of [stranger.userId, 2147483647]) {
      const refusal = { type: 'not_found', detail: 'Member not found' };
      expect(await refusalOf(room.members.setRole({ user_id, role: 'viewer' }))).toEqual(refusal);
      expect(await refusalOf(room.members.remove({ user_id }))).toEqual(refusal);
    }
  });

  it('reports the errors of its input', async () => {
    await using room = await organization();
    for (const [change, field, code] of [
      [{ role: 'owner' }, 'role', 'invalid_value'],
      [{ role: null }, 'role', 'invalid_value'],
      [{ role: undefined }, 'role', 'required'],
      [{ user_id: 0 }, 'user_id', 'too_small'],
      [{ user_id: undefined }, 'user_id', 'required'],
    ] as const) {
      const refusal = await refusalOf(room.members.setRole({ user_id: 1, role: 'viewer', ...change } as never));
      expect(refusal, JSON.stringify(change)).toMatchObject({ type: 'validation_error', fields: [{ field, code }] });
    }
  });
});

describe('members.remove', () => {
  it('ends the sessions in this organization and leaves the others', async () => {
    await using room = await organization();
    const { identity } = room.services;
    const member = await addMember(room, room.orgId, 'manager');
    const otherId = await addOrganization(room, 'Other');
    await room.db.membership.create({ data: { orgId: otherId, userId: member.userId, role: 'viewer' } });
    const elsewhere = await room.db.session.create({
      data: { id: '7b0c3e8e-0000-4000-8000-000000000001', userId: member.userId, orgId: otherId },
    });
    const otherToken = await identity.signSession({ id: elsewhere.id, userId: member.userId, orgId: otherId });
    await room.members.remove({ user_id: member.userId });
    expect(await refusalOf(identity.identify(member.token))).toEqual({
      type: 'unauthorized',
      detail: 'Invalid or expired token',
    });
    expect((await room.db.session.findUniqueOrThrow({ where: { id: member.sessionId } })).revokedAt).not.toBeNull();
    expect(await identity.identify(otherToken)).toMatchObject({ orgId: otherId });
  });

  it('leaves the keys the person made', async () => {
    await using room = await organization();
    const second = await addMember(room, room.orgId, 'admin');
    const { apiKeys } = createCaller(room.services, second.actor);
    const { token, id } = await apiKeys.create({ name: 'Warehouse', scopes: ['assets:read'], expires_at: null });
    await room.members.remove({ user_id: second.userId });
    expect(await room.services.identity.identify(token)).toMatchObject({ keyId: id });
  });

  it('leaves an administrator', async () => {
    await using room = await organization();
    await addMember(room, room.orgId, 'manager');
    expect(await refusalOf(room.members.remove({ user_id: room.admin.userId }))).toEqual(lastAdministrator);
    expect(await room.db.membership.count()).toBe(2);
  });
});

describe('administrators against each other', () => {
  it.each(['remove', 'setRole'] as const)('cannot both %s the other at once', async (change) => {
    await using room = await organization();
    const pair = [room.admin, await addMember(room, room.orgId, 'admin')] as const;
    const act = (actor: Member, target: Member): Promise<unknown> =>
      change === 'remove'
        ? room.membersAs(actor).remove({ user_id: target.userId })
        : room.membersAs(actor).setRole({ user_id: target.userId, role: 'viewer' });
    const results = await colliding(room, { rows: Prisma.sql`SELECT FROM memberships`, waiting: 2 }, () => [
      act(pair[0], pair[1]),
      act(pair[1], pair[0]),
    ]);
    expect(results.map((result) => result.status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(results.find((result) => result.status === 'rejected')).toMatchObject({ reason: { type: 'forbidden' } });
    expect(await room.db.membership.count({ where: { role: 'admin' } })).toBe(1);
  });

  it('cannot all step down at once', async () => {
    await using room = await organization();
    const all = [room.admin, await addMember(room, room.orgId, 'admin'), await addMember(room, room.orgId, 'admin')];
    const results = await colliding(room, { rows: Prisma.sql`SELECT FROM memberships`, waiting: 3 }, () =>
      all.map((member) => room.membersAs(member).remove({ user_id: member.userId })),
    );
    expect(results.filter((result) => result.status === 'rejected')).toMatchObject([{ reason: { type: 'conflict' } }]);
    expect(await room.db.membership.count({ where: { role: 'admin' } })).toBe(1);
  });
});
