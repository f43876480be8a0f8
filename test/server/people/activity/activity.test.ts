import { describe, expect, it, vi } from 'vitest';
import type { Actor } from '../../../../server/people/actor.js';
import { scopesOfRole } from '../../../../server/people/auth/scopes.js';
import { refusalOf } from '../../../support/caller.js';
import { addSession, createAsset, createLocation } from '../../../support/factories.js';
import type { AppCaller } from '../../../support/scan-world.js';
import { undoBatch } from '../../../support/undo.js';
import { sharedWorld, type TestOrganization } from '../../../support/world.js';
import { appRouter } from '../../../../server/router.js';
import { createCallerFactory } from '../../../../server/trpc.js';

const callerFor = createCallerFactory(appRouter);

const world = await sharedWorld();

/** A person of the organization, and calls of the app as that person. */
async function person(org: TestOrganization, role: 'viewer' | 'manager' | 'admin') {
  const { userId, sessionId } = await addSession(world, org.orgId, role);
  const actor: Actor = {
    kind: 'session',
    sessionId,
    userId,
    orgId: org.orgId,
    role,
    scopes: scopesOfRole[role],
    expiresAtMs: Date.now() + 900_000,
  };
  const context = world.core.contextFor({ actor, requestId: 'test', clientAddress: '192.0.2.1' });
  return { userId, app: callerFor(context) };
}

async function entriesOf(app: AppCaller, input: Parameters<AppCaller['activity']['list']>[0] = {}) {
  return (await app.activity.list(input)).data;
}

it('lists members and keys by name to administrators, and to managers only the authors of changes that they see', async () => {
  const [org, other] = [await world.organization(), await world.organization()];
  const { app, userId } = await person(org, 'manager');
  const admin = await person(org, 'admin');
  const stranger = await person(other, 'manager');
  await stranger.app.assets.create({ name: 'Saw' });
  await admin.app.organizations.rename({ name: 'Renamed' });
  const key = { value: `key:${org.keyId}`, name: 'test', kind: 'key' };
  const everybody = [
    { value: `user:${admin.userId}`, name: 'admin', kind: 'user' },
    { value: `user:${userId}`, name: 'manager', kind: 'user' },
    key,
  ];
  expect((await admin.app.activity.actors()).data).toEqual(everybody);
  expect((await app.activity.actors()).data).toEqual([]);
  await createAsset(org);
  expect((await app.activity.actors()).data).toEqual([key]);
});

describe('activity of assets and locations', () => {
  it('says who created, changed and deleted an asset, through what, before and after', async () => {
    const org = await world.organization();
    const { app, userId } = await person(org, 'manager');
    const asset = await createAsset(org, {
      name: 'Forklift',
      metadata: { color: 'red' },
      tags: [{ tag_type: 'rfid', value: 'E280' }],
    });
    await org.patch(`/api/v1/assets/${asset.id}`, { name: 'Forklift 7', description: 'Fast' });
    await app.assets.rename({ asset_id: asset.id, external_key: 'FL-7' });
    await app.assets.delete({ asset_id: asset.id });
    const entries = await entriesOf(app, { kind: 'asset', object_id: String(asset.id) });
    const key = { kind: 'key', id: org.keyId, name: 'test' };
    const user = { kind: 'user', id: String(userId), name: expect.any(String) };
    expect(entries).toMatchObject([
      {
        action: 'deleted',
        entry_point: 'app',
        actor: user,
        object_name: 'Forklift 7',
        before: { external_key: 'FL-7', tags: ['rfid:E280'], metadata: '{"color":"red"}' },
        after: {},
      },
      { action: 'updated', entry_point: 'app', actor: user, before: { external_key: asset.external_key } },
      { action: 'updated', entry_point: 'api', actor: key },
      {
        action: 'created',
        entry_point: 'api',
        actor: key,
        object_name: 'Forklift',
        before: {},
        after: { name: 'Forklift', is_active: true, tags: ['rfid:E280'], valid_from: asset.valid_from },
      },
    ]);
    expect(entries[1]?.after).toEqual({ external_key: 'FL-7' });
    expect(entries[2]).toMatchObject({
      before: { name: 'Forklift' },
      after: { name: 'Forklift 7', description: 'Fast' },
    });
    expect(entries[2]?.before).toEqual({ name: 'Forklift' });
  });

  it('has no entry for a change that changes nothing, is rejected, or repeats the stored values', async () => {
    const org = await world.organization();
    const { app } = await person(org, 'viewer');
    const asset = await createAsset(org, { name: 'Same', external_key: 'S-1' });
    expect((await org.patch(`/api/v1/assets/${asset.id}`, { name: 'Same' })).status).toBe(200);
    expect(
      (await org.patch(`/api/v1/assets/${asset.id}`, { name: 'New', updated_at: '2020-01-01T00:00:00Z' })).status,
    ).toBe(400);
    expect((await org.post('/api/v1/assets', { name: 'Twin', external_key: 'S-1' })).status).toBe(409);
    expect((await org.post(`/api/v1/assets/${asset.id}/rename`, { external_key: 'S-1' })).status).toBe(200);
    expect((await entriesOf(app)).map(({ action }) => action)).toEqual(['created']);
  });

  it('logs tags that are attached and detached later', async () => {
    const org = await world.organization();
    const { app } = await person(org, 'viewer');
    const location = await createLocation(org, { name: 'Dock', tags: [{ tag_type: 'barcode', value: 'D-1' }] });
    const added = await org.post(`/api/v1/locations/${location.id}/tags`, { tag_type: 'rfid', value: 'AB' });
    await org.delete(`/api/v1/locations/${location.id}/tags/${added.body.data.id}`);
    expect(await entriesOf(app, { kind: 'location', object_id: String(location.id) })).toMatchObject([
      { action: 'tag_detached', object_name: 'Dock', before: { tag: 'rfid:AB' }, after: {}, entry_point: 'api' },
      { action: 'tag_attached', before: {}, after: { tag: 'rfid:AB' } },
      { action: 'created', after: { tags: ['barcode:D-1'] } },
    ]);
  });

  it('names the parent that a location was moved to', async () => {
    const org = await world.organization();
    const { app } = await person(org, 'viewer');
    const hall = await createLocation(org, { name: 'Hall', external_key: 'H-1' });
    const shelf = await createLocation(org, { name: 'Shelf', parent_id: hall.id });
    await org.patch(`/api/v1/locations/${shelf.id}`, { parent_id: null });
    const [moved, created] = await entriesOf(app, { kind: 'location', object_id: String(shelf.id) });
    expect(moved).toMatchObject({ action: 'updated', before: { parent: 'Hall (H-1)' }, after: {} });
    expect(created?.after).toMatchObject({ parent: 'Hall (H-1)' });
  });

  it('has one entry for each asset of a bulk change that changed', async () => {
    const org = await world.organization();
    const { app } = await person(org, 'manager');
    const assets = await Promise.all(['A', 'B', 'C'].map((name) => createAsset(org, { name })));
    const ids = assets.map(({ id }) => id);
    await org.patch(`/api/v1/assets/${ids[0]}`, { is_active: false });
    await app.bulkEdits.edit({ ids, is_active: false });
    await app.assets.deleteMany({ ids });
    const entries = await entriesOf(app, { entry_point: 'app' });
    expect(entries.map(({ action, object_name: name }) => `${name} ${action}`).sort()).toEqual([
      'A deleted',
      'B deleted',
      'B updated',
      'C deleted',
      'C updated',
    ]);
  });

  it('shows changes that were made together as one entry, if asked to, whichever kind is looked for', async () => {
    const org = await world.organization();
    const { app } = await person(org, 'manager');
    const assets = await Promise.all(['A', 'B', 'C'].map((name) => createAsset(org, { name })));
    const ids = assets.map(({ id }) => id);
    const { batch_id: edit } = await app.bulkEdits.edit({ ids, is_active: false });
    await org.patch(`/api/v1/assets/${ids[0]}`, { name: 'Renamed' });
    const { batch_id: deletion } = await app.assets.deleteMany({ ids });
    const grouped = await entriesOf(app, { grouped: true });
    const state = { object_kind: 'asset', is_undoable: true, is_undone: false };
    expect(grouped.map(({ action, batch }) => [action, batch]).slice(0, 4)).toEqual([
      ['deleted', { id: deletion, kind: 'deletion', fields: [], count: 3, ...state }],
      ['updated', null],
      ['updated', { id: edit, kind: 'edit', fields: ['is_active'], count: 3, ...state }],
      ['created', null],
    ]);
    await undoBatch(app, deletion);
    const [undone, deleted] = await entriesOf(app, { grouped: true, kind: 'asset', limit: 2 });
    expect([undone?.batch, deleted?.batch]).toMatchObject([
      { kind: 'undo', count: 3, is_undoable: true },
      { kind: 'deletion', is_undoable: false, is_undone: true },
    ]);
    expect(await entriesOf(app, { kind: 'location', grouped: true })).toEqual([]);
    expect((await entriesOf(app, { limit: 3 })).map(({ action }) => action)).toEqual([
      'restored',
      'restored',
      'restored',
    ]);
  });

  it('has a text that reads like an empty object, nulls within custom details, and the kind by its name of that time', async () => {
    const org = await world.organization();
    const { app } = await person(org, 'manager');
    const fields = { icon: 'box', color: 'gray', image_id: null } as const;
    const kind = await app.assetKinds.create({ name: 'Pump', ...fields });
    const plain = await createAsset(org, { name: 'Plain', description: '{}' });
    const asset = await createAsset(org, { name: 'Owned', metadata: { owner: null } });
    await app.bulkEdits.edit({ ids: [asset.id], kind_id: kind.id });
    await app.assetKinds.update({ id: kind.id, name: 'Compressor', ...fields });
    await app.bulkEdits.edit({ ids: [asset.id], kind_id: null });
    const [created] = await entriesOf(app, { kind: 'asset', object_id: String(plain.id) });
    expect(created?.after).toEqual({
      external_key: plain.external_key,
      name: 'Plain',
      description: '{}',
      is_active: true,
      valid_from: plain.valid_from,
    });
    const [removed, given, owned] = await entriesOf(app, { kind: 'asset', object_id: String(asset.id) });
    expect(owned?.after['metadata']).toBe('{"owner":null}');
    expect([given?.before, given?.after]).toEqual([{}, { kind: 'Pump' }]);
    expect([removed?.before, removed?.after]).toEqual([{ kind: 'Compressor' }, {}]);
  });

  it('cuts long values, and keeps numbers that no binary form can hold', async () => {
    const org = await world.organization();
    const { app } = await person(org, 'viewer');
    const asset = await createAsset(org, { name: 'Big', metadata: { text: 'x'.repeat(5000) } });
    const huge = await org.call('PATCH', `/api/v1/assets/${asset.id}`, { raw: '{"metadata":{"n":1e300}}' });
    expect(huge.status).toBe(200);
    const [updated, created] = await entriesOf(app, { kind: 'asset', object_id: String(asset.id) });
    expect(created?.after['metadata']).toHaveLength(2000);
    expect(updated?.after).toEqual({ metadata: '{"n":1e+300}' });
  });
});

describe('activity.list', () => {
  it('filters by person, entry point and time, and pages without gaps', async () => {
    const org = await world.organization();
    const { app, userId } = await person(org, 'admin');
    for (let n = 0; n < 7; n += 1) await createAsset(org, { name: `K${n}` });
    const [newest] = await entriesOf(app, { limit: 1 });
    // Both bounds include their instant, so the next entry needs a later one.
    await vi.waitUntil(() => Date.now() > Date.parse(newest?.occurred_at ?? ''), { interval: 1 });
    const begin = new Date().toISOString();
    await app.assets.create({ name: 'By hand' });
    const names = (entries: { object_name: string }[]) => entries.map(({ object_name: name }) => name);
    expect(names(await entriesOf(app, { actor: `user:${userId}` }))).toEqual(['By hand']);
    expect(names(await entriesOf(app, { actor: `key:${org.keyId}`, limit: 2 }))).toEqual(['K6', 'K5']);
    expect(names(await entriesOf(app, { from: begin }))).toEqual(['By hand']);
    expect(await entriesOf(app, { to: begin })).toHaveLength(7);
    const walked: string[] = [];
    let cursor: string | null = null;
    do {
      const page: Awaited<ReturnType<AppCaller['activity']['list']>> = await app.activity.list({
        limit: 3,
        ...(cursor !== null && { cursor }),
      });
      walked.push(...names(page.data));
      cursor = page.next;
    } while (cursor !== null);
    expect(walked).toEqual(['By hand', 'K6', 'K5', 'K4', 'K3', 'K2', 'K1', 'K0']);
  });

  it('ends a page of a rare filter after 20,000 entries, and leads on', async () => {
    const org = await world.organization();
    const { app } = await person(org, 'viewer');
    await createLocation(org, { name: 'First of all' });
    await world.db.$executeRaw`
      INSERT INTO assets (org_id, external_key, name, valid_from, created_at, updated_at)
      SELECT ${org.orgId}, 'B-' || n, 'Box', now(), now(), now() FROM generate_series(1, 25000) AS n`;
    const first = await app.activity.list({ kind: 'location' });
    expect(first.data).toEqual([]);
    const second = await app.activity.list({ kind: 'location', cursor: first.next ?? '' });
    expect(second).toMatchObject({ data: [{ object_name: 'First of all' }], next: null });
  });

  it('shows the changes of one organization, and of kinds that the role may see', async () => {
    const [org, other] = [await world.organization(), await world.organization()];
    const { app: admin } = await person(org, 'admin');
    const { app: viewer } = await person(org, 'viewer');
    await createAsset(other, { name: 'Foreign' });
    await createAsset(org, { name: 'Own' });
    await admin.apiKeys.create({ name: 'ERP', scopes: ['assets:read'], expires_at: null });
    expect((await entriesOf(admin)).map(({ kind }) => kind)).toEqual(['api_key', 'asset']);
    expect((await entriesOf(viewer)).map(({ kind }) => kind)).toEqual(['asset']);
    expect(await refusalOf(viewer.activity.list({ kind: 'api_key' }))).toMatchObject({ type: 'forbidden' });
    expect(await refusalOf(viewer.activity.list({ object_id: '1' }))).toMatchObject({ type: 'bad_request' });
    expect(await refusalOf(viewer.activity.list({ cursor: 'nonsense' }))).toMatchObject({ type: 'validation_error' });
  });
});

describe('activity of readers, keys, members and the organization', () => {
  it('is kept without secrets', async () => {
    const org = await world.organization();
    const { app } = await person(org, 'admin');
    const dock = await createLocation(org, { name: 'Dock' });
    const reader = await app.readers.create({ name: 'Gate', location_id: dock.id });
    await app.readers.update({ id: reader.id, name: 'Gate 1', antennas: [{ port: 2, location_id: dock.id }] });
    await app.readers.update({ id: reader.id, name: 'Gate 1' });
    const { mqtt_password: rotated } = await app.readers.rotateSecret({ id: reader.id });
    await app.readers.delete({ id: reader.id });
    const key = await app.apiKeys.create({ name: 'ERP', scopes: ['assets:read'], expires_at: null });
    await app.apiKeys.revoke({ id: key.id });
    await app.apiKeys.revoke({ id: key.id });
    const { userId } = await person(org, 'viewer');
    await app.members.setRole({ user_id: userId, role: 'manager' });
    await app.members.setRole({ user_id: userId, role: 'manager' });
    await app.members.remove({ user_id: userId });
    const invitation = await app.members.invite({ role: 'viewer', email: 'new@example.com' });
    await app.members.revokeInvitation({ id: invitation.id });
    await app.organizations.rename({ name: 'Acme Ltd' });
    await app.organizations.rename({ name: 'Acme Ltd' });

    const entries = (await entriesOf(app)).filter(({ kind }) => kind !== 'location').toReversed();
    expect(entries.map(({ kind, action, object_name: name }) => `${kind} ${name} ${action}`)).toEqual([
      'reader Gate created',
      'reader Gate 1 updated',
      'reader Gate 1 secret_rotated',
      'reader Gate 1 deleted',
      'api_key ERP created',
      'api_key ERP revoked',
      'member viewer updated',
      'member viewer deleted',
      'invitation new@example.com created',
      'invitation new@example.com revoked',
      'organization Acme Ltd updated',
    ]);
    expect(entries[0]?.after).toMatchObject({ name: 'Gate', location: 'Dock', format: 'auto' });
    expect(entries[1]).toMatchObject({
      before: { name: 'Gate', antennas: [] },
      after: { name: 'Gate 1', antennas: ['2: Dock, zone'] },
    });
    expect(entries[6]).toMatchObject({ before: { role: 'viewer' }, after: { role: 'manager' } });
    const stored = JSON.stringify(
      await world.db.activityEntry.findMany({ where: { orgId: org.orgId }, omit: { id: true } }),
    );
    for (const secret of [reader.mqtt_password, rotated, key.token, invitation.token])
      expect(stored).not.toContain(secret);
    const hashes = await world.db.$queryRaw<
      { hash: string }[]
    >`SELECT secret_hash AS hash FROM readers WHERE id = ${reader.id}`;
    expect(stored).not.toContain(hashes[0]?.hash);
  });
});
