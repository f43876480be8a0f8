import { expect, it } from 'vitest';
import '../../support/expect-error.js';
import { addSession } from '../../support/factories.js';
import { sharedWorld } from '../../support/world.js';

const path = '/api/v1/orgs/me';

const world = await sharedWorld();

it('returns the organization, the scopes and the id of the caller’s key', async () => {
  const organization = await world.organization('Müller & Söhne');
  const scopes = ['assets:read', 'tracking:read'] as const;
  const key = await organization.withScopes(scopes);
  const answer = await key.get(path);
  expect(answer.status).toBe(200);
  expect(answer.body).toEqual({
    data: { id: organization.orgId, name: 'Müller & Söhne', scopes, api_key_id: key.keyId },
  });
  const [, claims = ''] = key.token.split('.');
  expect(JSON.parse(Buffer.from(claims, 'base64url').toString()).sub).toBe(key.keyId);
});

it('requires no scope', async () => {
  const organization = await world.organization();
  const answer = await (await organization.withScopes([])).get(path);
  expect(answer.body.data.scopes).toEqual([]);
});

it('rejects a session', async () => {
  const { orgId } = await world.organization();
  const session = await addSession(world, orgId, 'admin');
  expect(await session.get(path)).toBeError({
    type: 'unauthorized',
    detail: 'API key authentication required',
    instance: path,
  });
});

it('rejects a key whose organization was deleted', async () => {
  const organization = await world.organization();
  await world.db.organization.delete({ where: { id: organization.orgId } });
  const detail = 'An active organization context is required';
  expect(await organization.get(path)).toBeError({ type: 'missing_org_context', detail });
});

it('rejects list parameters', async () => {
  const organization = await world.organization();
  expect(await organization.get(`${path}?limit=1&include_deleted=true`)).toBeInvalid(
    { field: 'limit', code: 'unknown_field', message: 'unknown parameter: limit' },
    { field: 'include_deleted', code: 'unknown_field', message: 'unknown parameter: include_deleted' },
  );
});
