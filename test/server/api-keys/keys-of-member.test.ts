import { describe, expect, it } from 'vitest';
import { addMember, addOrganization, createCaller, createRoom, type Member, refusalOf } from '../../support/caller.js';

const wish = { scopes: ['assets:read' as const], expires_at: null };

/** Two administrators; Ben has created two active keys, and one that is revoked. */
async function organization() {
  const room = await createRoom();
  const orgId = await addOrganization(room);
  const ada = await addMember(room, orgId, 'admin');
  const ben = await addMember(room, orgId, 'admin');
  const as = (member: Member) => createCaller(room.services, member.actor);
  const adas = await as(ada).apiKeys.create({ ...wish, name: 'Dashboard' });
  const first = await as(ben).apiKeys.create({ ...wish, name: 'First' });
  const second = await as(ben).apiKeys.create({ ...wish, name: 'Second' });
  const over = await as(ben).apiKeys.create({ ...wish, name: 'Over' });
  await as(ben).apiKeys.revoke({ id: over.id });
  return Object.assign(room, { orgId, ada, ben, as, adas, first, second, admin: as(ada) });
}

type World = Awaited<ReturnType<typeof organization>>;

const revoked = { type: 'unauthorized', detail: 'API key has been revoked' };

async function revocations({ db, orgId }: World) {
  const rows = await db.$queryRaw<{ object_name: string; actor: string }[]>`
    SELECT object_name, actor FROM activity_log
     WHERE org_id = ${orgId}::int AND kind = 'api_key' AND action = 'revoked' AND object_name <> 'Over'
     ORDER BY object_name`;
  return rows.map(({ object_name: name, actor }) => [name, actor]);
}

describe('keys of a member', () => {
  it('lists the active ones, newest first', async () => {
    await using room = await organization();
    const { data } = await room.admin.apiKeys.listOfMember({ user_id: room.ben.userId });
    expect(data.map(({ name }) => name)).toEqual(['Second', 'First']);
  });

  it('are revoked with the member, in one step, and logged', async () => {
    await using room = await organization();
    const { identity } = room.services;
    await identity.identify(room.first.token);
    const removal = { user_id: room.ben.userId, revoke_api_keys: true };
    expect(await room.admin.members.remove(removal)).toEqual({ user_id: room.ben.userId, revoked_api_keys: 2 });
    for (const { token } of [room.first, room.second])
      expect(await refusalOf(identity.identify(token))).toEqual(revoked);
    expect(await identity.identify(room.adas.token)).toMatchObject({ kind: 'key' });
    const author = `user:${room.ada.userId}`;
    expect(await revocations(room)).toEqual([
      ['First', author],
      ['Second', author],
    ]);
  });

  it('stay active where the removal does not ask, or fails', async () => {
    await using room = await organization();
    const { identity } = room.services;
    const alone = { user_id: room.ada.userId, revoke_api_keys: true };
    await room.admin.members.remove({ user_id: room.ben.userId });
    expect(await refusalOf(room.admin.members.remove(alone))).toMatchObject({ type: 'conflict' });
    for (const { token } of [room.adas, room.first])
      expect(await identity.identify(token)).toMatchObject({ kind: 'key' });
  });

  it('can be found and revoked after the member has left', async () => {
    await using room = await organization();
    const user_id = room.ben.userId;
    expect((await room.admin.apiKeys.listFormerCreators()).data).toEqual([]);
    await room.admin.members.remove({ user_id });
    expect((await room.admin.apiKeys.listFormerCreators()).data).toEqual([{ user_id, name: 'admin', active_keys: 2 }]);
    const listed = await room.admin.apiKeys.list();
    expect(listed.data.find(({ id }) => id === room.first.id)?.created_by).toMatchObject({ is_member: false });
    expect(await room.admin.apiKeys.revokeOfMember({ user_id })).toEqual({ revoked: 2 });
    expect(await room.admin.apiKeys.revokeOfMember({ user_id })).toEqual({ revoked: 0 });
    expect(await refusalOf(room.services.identity.identify(room.second.token))).toEqual(revoked);
    expect((await room.admin.apiKeys.listFormerCreators()).data).toEqual([]);
  });

  it('of another organization are out of reach', async () => {
    await using room = await organization();
    const other = await addMember(room, await addOrganization(room, 'Other'), 'admin');
    const { apiKeys } = room.as(other);
    expect((await apiKeys.listOfMember({ user_id: room.ben.userId })).data).toEqual([]);
    expect(await apiKeys.revokeOfMember({ user_id: room.ben.userId })).toEqual({ revoked: 0 });
    expect(await room.services.identity.identify(room.first.token)).toMatchObject({ kind: 'key' });
  });

  it('are for administrators', async () => {
    await using room = await organization();
    const { apiKeys } = room.as(await addMember(room, room.orgId, 'manager'));
    const refusal = { type: 'forbidden', detail: 'Missing required role: admin' };
    expect(await refusalOf(apiKeys.listOfMember({ user_id: 1 }))).toEqual(refusal);
    expect(await refusalOf(apiKeys.listFormerCreators())).toEqual(refusal);
    expect(await refusalOf(apiKeys.revokeOfMember({ user_id: 1 }))).toEqual(refusal);
  });

  it('does not leave a key to somebody who creates one while being removed', async () => {
    await using room = await organization();
    const { ben } = room;
    const calls = [
      room.admin.members.remove({ user_id: ben.userId, revoke_api_keys: true }),
      ...Array.from({ length: 4 }, (_, no) => room.as(ben).apiKeys.create({ ...wish, name: `Late ${no}` })),
    ];
    await Promise.allSettled(calls);
    expect(await room.db.apiKey.count({ where: { createdBy: ben.userId, revokedAt: null } })).toBe(0);
  });
});
