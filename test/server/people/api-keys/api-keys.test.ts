import { describe, expect, it } from 'vitest';
import { roles } from '../../../../server/people/auth/scopes.js';
import { addMember, addOrganization, createCaller, createServicesWorld, refusalOf } from '../../../support/caller.js';

const wish = { name: 'Warehouse', scopes: ['assets:read' as const], expires_at: null };

async function administered() {
  const world = await createServicesWorld();
  const orgId = await addOrganization(world);
  const admin = await addMember(world, orgId, 'admin');
  return Object.assign(world, { orgId, admin, apiKeys: createCaller(world.services, admin.actor).apiKeys });
}

describe('apiKeys.create', () => {
  it('creates a key that works, and shows its token only once', async () => {
    await using world = await administered();
    const expires_at = new Date(Date.now() + 86_400_000).toISOString();
    const key = await world.apiKeys.create({
      ...wish,
      scopes: ['tracking:read', 'assets:read', 'tracking:read'],
      expires_at,
    });
    expect(key).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      token: expect.any(String),
      name: 'Warehouse',
      scopes: ['assets:read', 'tracking:read'],
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      expires_at,
      last_used_at: null,
      revoked_at: null,
      created_by: { user_id: world.admin.userId, name: 'admin', is_member: true },
    });
    const claims = JSON.parse(Buffer.from(key.token.split('.')[1] ?? '', 'base64url').toString());
    expect(claims).toMatchObject({ sub: key.id, exp: Math.ceil(Date.parse(expires_at) / 1000) });
    expect(await world.services.identity.identify(key.token)).toMatchObject({
      kind: 'key',
      keyId: key.id,
      orgId: world.orgId,
    });
    expect(JSON.stringify(await world.db.apiKey.findMany())).not.toContain(key.token);
    expect(JSON.stringify(await world.apiKeys.list())).not.toContain(key.token);
  });

  it('is for administrators', async () => {
    await using world = await administered();
    for (const role of roles.filter((name) => name !== 'admin')) {
      const { actor } = await addMember(world, world.orgId, role);
      const { apiKeys } = createCaller(world.services, actor);
      const refusal = { type: 'forbidden', detail: 'Missing required role: admin' };
      expect(await refusalOf(apiKeys.create(wish))).toEqual(refusal);
      expect(await refusalOf(apiKeys.list())).toEqual(refusal);
      expect(await refusalOf(apiKeys.revoke({ id: '00000000-0000-4000-8000-000000000000' }))).toEqual(refusal);
    }
  });

  it('can be for another organization that the caller administers', async () => {
    await using world = await administered();
    const otherId = await addOrganization(world, 'Other');
    const call = () => world.apiKeys.create({ ...wish, organization_id: otherId });
    expect(await refusalOf(call())).toMatchObject({
      type: 'validation_error',
      fields: [{ field: 'organization_id', code: 'fk_not_found', message: `organization_id ${otherId} not found` }],
    });
    await world.db.membership.create({ data: { orgId: otherId, userId: world.admin.userId, role: 'manager' } });
    expect(await refusalOf(call())).toEqual({ type: 'forbidden', detail: 'Missing required role: admin' });
    await world.db.membership.updateMany({ where: { orgId: otherId }, data: { role: 'admin' } });
    expect(await world.services.identity.identify((await call()).token)).toMatchObject({ orgId: otherId });
    expect((await world.apiKeys.list()).total_count).toBe(0);
  });

  it('reports the errors of its input', async () => {
    await using world = await administered();
    for (const [change, field, code] of [
      [{ name: '' }, 'name', 'too_short'],
      [{ name: 'x'.repeat(256) }, 'name', 'too_long'],
      [{ name: undefined }, 'name', 'required'],
      [{ scopes: [] }, 'scopes', 'too_short'],
      [{ scopes: undefined }, 'scopes', 'required'],
      [{ scopes: null }, 'scopes', 'invalid_value'],
      [{ scopes: 'assets:read' }, 'scopes', 'invalid_value'],
      [{ scopes: ['keys:admin'] }, 'scopes', 'invalid_value'],
      [{ scopes: ['assets:read', 'assets:*'] }, 'scopes', 'invalid_value'],
      [{ expires_at: undefined }, 'expires_at', 'required'],
      [{ expires_at: '2099-01-01' }, 'expires_at', 'invalid_value'],
      [{ expires_at: '2020-01-01T00:00:00Z' }, 'expires_at', 'invalid_value'],
      [{ organization_id: null }, 'organization_id', 'required'],
      [{ organization_id: 0 }, 'organization_id', 'too_small'],
      [{ token: 'x' }, 'token', 'unknown_field'],
    ] as const) {
      const refusal = await refusalOf(world.apiKeys.create({ ...wish, ...change } as never));
      expect(refusal, JSON.stringify(change)).toMatchObject({ type: 'validation_error', fields: [{ field, code }] });
    }
    expect(await world.db.apiKey.count()).toBe(0);
  });

  it('names the scopes there are', async () => {
    await using world = await administered();
    const refusal = await refusalOf(world.apiKeys.create({ ...wish, scopes: ['keys:admin'] as never }));
    expect(refusal.fields?.[0]?.params).toEqual({
      allowed_values: ['assets:read', 'assets:write', 'locations:read', 'locations:write', 'tracking:read'],
    });
  });
});

describe('apiKeys.list', () => {
  it("pages through the organization's own keys, newest first", async () => {
    await using world = await administered();
    const outsider = await addMember(world, await addOrganization(world, 'Other'), 'admin');
    await createCaller(world.services, outsider.actor).apiKeys.create(wish);
    for (const name of ['one', 'two', 'three']) await world.apiKeys.create({ ...wish, name });
    const page = await world.apiKeys.list({ limit: 2, offset: 1 });
    expect(page).toMatchObject({ data: [{ name: 'two' }, { name: 'one' }], limit: 2, offset: 1, total_count: 3 });
    expect(await world.apiKeys.list({ offset: 10 })).toEqual({ data: [], limit: 50, offset: 10, total_count: 3 });
  });

  it('shows when a key was last used', async () => {
    await using world = await administered();
    const { token } = await world.apiKeys.create(wish);
    await world.services.identity.identify(token);
    await world.services.identity.stop();
    expect((await world.apiKeys.list()).data[0]?.last_used_at).toMatch(/Z$/);
  });
});

describe('apiKeys.revoke', () => {
  it('counts from the next request on, and again changes nothing', async () => {
    await using world = await administered();
    const { id, token } = await world.apiKeys.create(wish);
    await world.services.identity.identify(token);
    const revoked = await world.apiKeys.revoke({ id: id.toUpperCase() });
    expect(revoked).toMatchObject({ id, revoked_at: expect.any(String) });
    expect(await refusalOf(world.services.identity.identify(token))).toEqual({
      type: 'unauthorized',
      detail: 'API key has been revoked',
    });
    expect(await world.apiKeys.revoke({ id })).toEqual(revoked);
  });

  it("knows only the organization's own keys", async () => {
    await using world = await administered();
    const outsider = await addMember(world, await addOrganization(world, 'Other'), 'admin');
    const { id, token } = await createCaller(world.services, outsider.actor).apiKeys.create(wish);
    expect(await refusalOf(world.apiKeys.revoke({ id }))).toEqual({ type: 'not_found', detail: 'API key not found' });
    expect(await world.services.identity.identify(token)).toMatchObject({ keyId: id });
    expect(await refusalOf(world.apiKeys.revoke({ id: 'x' }))).toMatchObject({ fields: [{ field: 'id' }] });
  });
});
