import { expect, it } from 'vitest';
import { addMember, addOrganization, createCaller, createRoom, nobody, refusalOf } from '../../support/caller.js';

async function withKey() {
  const room = await createRoom();
  const orgId = await addOrganization(room);
  const admin = await addMember(room, orgId, 'admin');
  const key = await createCaller(room.services, admin.actor).apiKeys.create({
    name: 'k',
    scopes: ['tracking:read', 'assets:read'],
    expires_at: null,
  });
  const currentOrg = async () =>
    createCaller(room.services, await room.services.identity.identify(key.token)).organizations.me({});
  return Object.assign(room, { orgId, admin, key, currentOrg });
}

it('is the organization and the scopes of the key', async () => {
  await using room = await withKey();
  expect(await room.currentOrg()).toEqual({
    data: { id: room.orgId, name: 'Acme', scopes: ['assets:read', 'tracking:read'], api_key_id: room.key.id },
  });
});

it('is for keys alone', async () => {
  await using room = await withKey();
  expect(await refusalOf(createCaller(room.services, room.admin.actor).organizations.me({}))).toEqual({
    type: 'unauthorized',
    detail: 'API key authentication required',
  });
  expect(await refusalOf(createCaller(room.services, nobody).organizations.me({}))).toMatchObject({
    type: 'unauthorized',
  });
});

it('is missing once the organization is gone, before and after that is noticed', async () => {
  await using room = await withKey();
  await room.currentOrg();
  await room.db.organization.delete({ where: { id: room.orgId } });
  const refusal = { type: 'missing_org_context', detail: 'An active organization context is required' };
  expect(await refusalOf(room.currentOrg())).toEqual(refusal);
  room.services.identity.forgetApiKey(room.key.id);
  expect(await refusalOf(room.currentOrg())).toEqual(refusal);
});
