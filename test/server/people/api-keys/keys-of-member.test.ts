import { describe, expect, it } from 'vitest';
import { addMember, addOrganization, createOrganizationWorld, refusalOf } from '../../../support/caller.js';

const wish = { scopes: ['assets:read' as const], expires_at: null };

/** Two administrators; Ben has created two active keys, and one that is revoked. */
async function createKeysWorld() {
  const world = await createOrganizationWorld();
  const { orgId, admin: ada, as } = world;
  const ben = await addMember(world, orgId, 'admin');
  const adas = await as(ada).apiKeys.create({ ...wish, name: 'Dashboard' });
  const first = await as(ben).apiKeys.create({ ...wish, name: 'First' });
  const second = await as(ben).apiKeys.create({ ...wish, name: 'Second' });
  const over = await as(ben).apiKeys.create({ ...wish, name: 'Over' });
  await as(ben).apiKeys.revoke({ id: over.id });
  return Object.assign(world, { ada, ben, adas, first, second, asAda: as(ada) });
}

type World = Awaited<ReturnType<typeof createKeysWorld>>;

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
    await using world = await createKeysWorld();
    const { data } = await world.asAda.apiKeys.listOfMember({ user_id: world.ben.userId });
    expect(data.map(({ name }) => name)).toEqual(['Second', 'First']);
  });

  it('are revoked with the member, in one step, and logged', async () => {
    await using world = await createKeysWorld();
    const { identity } = world.services;
    await identity.identify(world.first.token);
    const removal = { user_id: world.ben.userId, revoke_api_keys: true };
    expect(await world.asAda.members.remove(removal)).toEqual({ user_id: world.ben.userId, revoked_api_keys: 2 });
    for (const { token } of [world.first, world.second])
      expect(await refusalOf(identity.identify(token))).toEqual(revoked);
    expect(await identity.identify(world.adas.token)).toMatchObject({ kind: 'key' });
    const author = `user:${world.ada.userId}`;
    expect(await revocations(world)).toEqual([
      ['First', author],
      ['Second', author],
    ]);
  });

  it('stay active where the removal does not ask, or fails', async () => {
    await using world = await createKeysWorld();
    const { identity } = world.services;
    const alone = { user_id: world.ada.userId, revoke_api_keys: true };
    await world.asAda.members.remove({ user_id: world.ben.userId });
    expect(await refusalOf(world.asAda.members.remove(alone))).toMatchObject({ type: 'conflict' });
    for (const { token } of [world.adas, world.first])
      expect(await identity.identify(token)).toMatchObject({ kind: 'key' });
  });

  it('can be found and revoked after the member has left', async () => {
    await using world = await createKeysWorld();
    const user_id = world.ben.userId;
    expect((await world.asAda.apiKeys.listFormerCreators()).data).toEqual([]);
    await world.asAda.members.remove({ user_id });
    expect((await world.asAda.apiKeys.listFormerCreators()).data).toEqual([{ user_id, name: 'admin', active_keys: 2 }]);
    const listed = await world.asAda.apiKeys.list();
    expect(listed.data.find(({ id }) => id === world.first.id)?.created_by).toMatchObject({ is_member: false });
    expect(await world.asAda.apiKeys.revokeOfMember({ user_id })).toEqual({ revoked: 2 });
    expect(await world.asAda.apiKeys.revokeOfMember({ user_id })).toEqual({ revoked: 0 });
    expect(await refusalOf(world.services.identity.identify(world.second.token))).toEqual(revoked);
    expect((await world.asAda.apiKeys.listFormerCreators()).data).toEqual([]);
  });

  it('of another organization are out of reach', async () => {
    await using world = await createKeysWorld();
    const other = await addMember(world, await addOrganization(world, 'Other'), 'admin');
    const { apiKeys } = world.as(other);
    expect((await apiKeys.listOfMember({ user_id: world.ben.userId })).data).toEqual([]);
    expect(await apiKeys.revokeOfMember({ user_id: world.ben.userId })).toEqual({ revoked: 0 });
    expect(await world.services.identity.identify(world.first.token)).toMatchObject({ kind: 'key' });
  });

  it('does not leave a key to somebody who creates one while being removed', async () => {
    await using world = await createKeysWorld();
    const { ben } = world;
    const calls = [
      world.asAda.members.remove({ user_id: ben.userId, revoke_api_keys: true }),
      ...Array.from({ length: 4 }, (_, no) => world.as(ben).apiKeys.create({ ...wish, name: `Late ${no}` })),
    ];
    await Promise.allSettled(calls);
    expect(await world.db.apiKey.count({ where: { createdBy: ben.userId, revokedAt: null } })).toBe(0);
  });
});
