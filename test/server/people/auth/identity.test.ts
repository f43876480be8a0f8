import { randomUUID } from 'node:crypto';
import { expect, it, describe, vi } from 'vitest';
import { createIdentity } from '../../../../server/people/auth/identity.js';
import { parseAuthSecrets } from '../../../../server/people/auth/secrets.js';
import { createTokens } from '../../../../server/people/auth/tokens.js';
import { addMember, addOrganization, authSecret, createServicesWorld, refusalOf } from '../../../support/caller.js';
import { addKey, handClock, silentLog } from './keys.js';

const invalid = { type: 'unauthorized', detail: 'Invalid or expired token' };
const revoked = { type: 'unauthorized', detail: 'API key has been revoked' };
const expired = { type: 'unauthorized', detail: 'API key has expired' };

describe('an API key', () => {
  it('has the organization and scopes of its row, not of the token', async () => {
    await using world = await createServicesWorld();
    const orgId = await addOrganization(world);
    const { id, token } = await addKey(world, orgId, { scopes: ['tracking:read', 'assets:write'] });
    const actor = await world.services.identity.identify(token);
    expect(actor).toEqual({ kind: 'key', keyId: id, orgId, scopes: new Set(['assets:write', 'tracking:read']) });
  });

  it('without an organization is rejected everywhere', async () => {
    await using world = await createServicesWorld();
    const orgId = await addOrganization(world);
    const { id, token } = await addKey(world, orgId);
    await world.db.organization.delete({ where: { id: orgId } });
    expect(await world.services.identity.identify(token)).toEqual({
      kind: 'key',
      keyId: id,
      orgId: null,
      scopes: new Set(),
    });
  });

  it('unknown, revoked or expired is rejected in its own words', async () => {
    await using world = await createServicesWorld();
    const { identity } = world.services;
    const orgId = await addOrganization(world);
    const past = new Date(Date.now() - 1000);
    const unknown = await identity.signApiKey({ id: randomUUID(), expiresAtMs: null });
    expect(await refusalOf(identity.identify(unknown))).toEqual(invalid);
    expect(await refusalOf(identity.identify((await addKey(world, orgId, { revokedAt: past })).token))).toEqual(
      revoked,
    );
    expect(await refusalOf(identity.identify((await addKey(world, orgId, { expiresAt: past })).token))).toEqual(
      expired,
    );
    const both = await addKey(world, orgId, { revokedAt: past, expiresAt: past });
    expect(await refusalOf(identity.identify(both.token))).toEqual(revoked);
    for (const token of ['', 'x', 'a.b.c', `${unknown.slice(0, -4)}AAAA`]) {
      expect(await refusalOf(identity.identify(token))).toEqual(invalid);
    }
  });

  it('expires when its row says so, earlier or later than its token', async () => {
    await using world = await createServicesWorld();
    const { identity } = world.services;
    const { id, token } = await addKey(world, await addOrganization(world), {
      expiresAt: new Date(Date.now() + 60_000),
    });
    await identity.identify(token);
    await world.db.apiKey.update({ where: { id }, data: { expiresAt: new Date(Date.now() - 1) } });
    identity.forgetApiKey(id);
    expect(await refusalOf(identity.identify(token))).toEqual(expired);
    const short = await identity.signApiKey({ id, expiresAtMs: Date.now() - 1000 });
    await world.db.apiKey.update({ where: { id }, data: { expiresAt: null } });
    identity.forgetApiKey(id);
    expect(await identity.identify(short)).toMatchObject({ keyId: id });
  });

  it('expires to the millisecond, even between two reads of its row', async () => {
    const clock = handClock();
    await using world = await createServicesWorld({ clocks: clock });
    const expiresAtMs = clock.ms + 300;
    const { token } = await addKey(world, await addOrganization(world), { expiresAt: new Date(expiresAtMs) });
    await world.services.identity.identify(token);
    clock.ms = expiresAtMs - 1;
    await world.services.identity.identify(token);
    clock.ms = expiresAtMs;
    expect(await refusalOf(world.services.identity.identify(token))).toEqual(expired);
  });

  it('revoked by another process counts within a second, by this one at once', async () => {
    const clock = handClock();
    await using world = await createServicesWorld({ clocks: clock });
    const { identity } = world.services;
    const { id, token } = await addKey(world, await addOrganization(world));
    await identity.identify(token);
    await world.db.apiKey.update({ where: { id }, data: { revokedAt: new Date() } });
    clock.ms += 899;
    expect(await identity.identify(token)).toMatchObject({ keyId: id });
    clock.ms += 1;
    expect(await refusalOf(identity.identify(token))).toEqual(revoked);
    await world.db.apiKey.update({ where: { id }, data: { revokedAt: null } });
    identity.forgetApiKey(id);
    expect(await identity.identify(token)).toMatchObject({ keyId: id });
  });

  it('of the other environment is unknown here, with the same secret and the same database', async () => {
    await using world = await createServicesWorld();
    const { token } = await addKey(world, await addOrganization(world));
    const preview = createIdentity({ db: world.db, log: silentLog, settings: { authSecret, environment: 'preview' } });
    expect(await refusalOf(preview.identify(token))).toEqual(invalid);
  });

  it('is rejected as a session token, and a session token as an API key', async () => {
    await using world = await createServicesWorld();
    const orgId = await addOrganization(world);
    const { sessionId, userId } = await addMember(world, orgId, 'admin');
    const { id } = await addKey(world, orgId);
    const tokens = createTokens({ secrets: parseAuthSecrets(authSecret), environment: 'production', now: Date.now });
    const { identity } = world.services;
    expect(await refusalOf(identity.identify(await tokens.signApiKey({ id: sessionId, expiresAtMs: null })))).toEqual(
      invalid,
    );
    expect(await refusalOf(identity.identify(await tokens.signSession({ id, userId, orgId })))).toEqual(invalid);
  });
});

describe('the last use of a key', () => {
  it('is written at the first use and again after a minute', async () => {
    const clock = handClock();
    await using world = await createServicesWorld({ clocks: clock });
    const { identity } = world.services;
    const { id, token } = await addKey(world, await addOrganization(world));
    const lastUse = async () => (await world.db.apiKey.findUniqueOrThrow({ where: { id } })).lastUsedAt?.getTime();
    expect(await lastUse()).toBeUndefined();
    await identity.identify(token);
    await identity.stop();
    const first = (await lastUse()) ?? 0;
    expect(Math.abs(first - Date.now())).toBeLessThan(60_000);
    clock.ms += 1000;
    await identity.identify(token);
    await identity.stop();
    expect(await lastUse()).toBe(first);
    await world.db.apiKey.update({ where: { id }, data: { lastUsedAt: new Date(first - 61_000) } });
    clock.ms += 1000;
    await identity.identify(token);
    await identity.stop();
    expect(await lastUse()).toBeGreaterThanOrEqual(first);
  });

  it('does not affect requests: a fault is logged, and the key goes on working', async () => {
    await using world = await createServicesWorld();
    const warn = vi.fn();
    const db = new Proxy(world.db, {
      get: (target, name) =>
        name === '$executeRaw' ? () => Promise.reject(new Error('read-only')) : Reflect.get(target, name),
    });
    const identity = createIdentity({ db, log: { warn }, settings: { authSecret, environment: 'production' } });
    const { id, token } = await addKey(world, await addOrganization(world));
    expect(await identity.identify(token)).toMatchObject({ keyId: id });
    await identity.stop();
    expect(warn).toHaveBeenCalledOnce();
  });

  it('is not written for rejected requests', async () => {
    await using world = await createServicesWorld();
    const { id, token } = await addKey(world, await addOrganization(world), { revokedAt: new Date() });
    await refusalOf(world.services.identity.identify(token));
    await world.services.identity.stop();
    expect((await world.db.apiKey.findUniqueOrThrow({ where: { id } })).lastUsedAt).toBeNull();
  });
});

describe('a session', () => {
  it('has the role of its membership, as it is now', async () => {
    await using world = await createServicesWorld();
    const { identity } = world.services;
    const orgId = await addOrganization(world);
    const { userId, token, sessionId } = await addMember(world, orgId, 'viewer');
    expect(await identity.identify(token)).toMatchObject({ kind: 'session', sessionId, userId, orgId, role: 'viewer' });
    await world.db.membership.updateMany({ where: { userId }, data: { role: 'manager' } });
    identity.forgetSessions();
    const actor = await identity.identify(token);
    expect(actor).toMatchObject({ role: 'manager' });
    expect(actor.kind !== 'none' && actor.scopes.has('assets:write')).toBe(true);
  });

  it.each(['session revoked', 'membership removed', 'person deleted', 'token expired', 'another organization'])(
    'is rejected: %s',
    async (what) => {
      const clock = handClock();
      await using world = await createServicesWorld({ clocks: clock });
      const { identity } = world.services;
      const orgId = await addOrganization(world);
      const { userId, sessionId, token } = await addMember(world, orgId, 'admin');
      let presented = token;
      if (what === 'session revoked')
        await world.db.session.update({ where: { id: sessionId }, data: { revokedAt: new Date() } });
      if (what === 'membership removed') await world.db.membership.deleteMany({ where: { userId } });
      if (what === 'person deleted') await world.db.user.delete({ where: { id: userId } });
      if (what === 'token expired') clock.ms += 15 * 60_000;
      if (what === 'another organization') {
        const otherId = await addOrganization(world, 'Other');
        presented = await identity.signSession({ id: sessionId, userId, orgId: otherId });
      }
      identity.forgetSessions();
      expect(await refusalOf(identity.identify(presented))).toEqual(invalid);
    },
  );

  it('of one person cannot be claimed by another', async () => {
    await using world = await createServicesWorld();
    const { identity } = world.services;
    const orgId = await addOrganization(world);
    const { sessionId } = await addMember(world, orgId, 'viewer');
    const { userId } = await addMember(world, orgId, 'admin');
    expect(await refusalOf(identity.identify(await identity.signSession({ id: sessionId, userId, orgId })))).toEqual(
      invalid,
    );
  });
});
