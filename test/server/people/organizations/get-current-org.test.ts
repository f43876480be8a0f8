import { expect, it } from 'vitest';
import {
  addMember,
  addOrganization,
  createCaller,
  createServicesWorld,
  nobody,
  refusalOf,
} from '../../../support/caller.js';

async function withKey() {
  const world = await createServicesWorld();
  const orgId = await addOrganization(world);
  const admin = await addMember(world, orgId, 'admin');
  const key = await createCaller(world.services, admin.actor).apiKeys.create({
    name: 'k',
    scopes: ['tracking:read', 'assets:read'],
    expires_at: null,
  });
  const currentOrg = async () =>
    createCaller(world.services, await world.services.identity.identify(key.token)).organizations.me({});
  return Object.assign(world, { orgId, admin, key, currentOrg });
}

it('is the organization and the scopes of the key', async () => {
  await using world = await withKey();
  expect(await world.currentOrg()).toEqual({
    data: { id: world.orgId, name: 'Acme', scopes: ['assets:read', 'tracking:read'], api_key_id: world.key.id },
  });
});

it('is rejected for callers without an API key', async () => {
  await using world = await withKey();
  expect(await refusalOf(createCaller(world.services, world.admin.actor).organizations.me({}))).toEqual({
    type: 'unauthorized',
    detail: 'API key authentication required',
  });
  expect(await refusalOf(createCaller(world.services, nobody).organizations.me({}))).toMatchObject({
    type: 'unauthorized',
  });
});

it('is an error once the organization is deleted, before and after the cache expires', async () => {
  await using world = await withKey();
  await world.currentOrg();
  await world.db.organization.delete({ where: { id: world.orgId } });
  const refusal = { type: 'missing_org_context', detail: 'An active organization context is required' };
  expect(await refusalOf(world.currentOrg())).toEqual(refusal);
  world.services.identity.forgetApiKey(world.key.id);
  expect(await refusalOf(world.currentOrg())).toEqual(refusal);
});
