import { expect, it } from 'vitest';
import { colliding, refusalOf } from '../../../support/caller.js';
import { Prisma } from '../../../../generated/prisma/client.js';
import { undoBatch } from '../../../support/undo.js';
import { sharedScanWorld, type ScanOrganization } from '../../../support/scan-world.js';

// Many assets are changed at once, after a look at what would change, and the change is undone.

const world = await sharedScanWorld();

async function createAssets(org: ScanOrganization, count: number): Promise<number[]> {
  const ids: number[] = [];
  for (let n = 1; n <= count; n += 1) {
    const { data } = await org.admin.assets.create({
      name: `Thing ${n}`,
      external_key: `T-${n}`,
      description: n === 1 ? 'first' : null,
      metadata: { owner: `owner ${n}`, big: 1e21, list: [1, { a: 2 }] },
    });
    ids.push(data.id);
  }
  return ids;
}

const read = async (org: ScanOrganization, id: number) => (await org.admin.assets.get({ asset_id: id })).data;

it('shows what would change, changes it, and gives back what each asset had', async () => {
  const org = await world.organization();
  const manager = await org.as('manager');
  const ids = await createAssets(org, 3);
  const before = await Promise.all(ids.map((id) => read(org, id)));
  const input = {
    ids: [...ids, ids[0] ?? 0, 999_999],
    description: 'first',
    valid_to: '2030-01-01T00:00:00.000Z',
    set_details: { color: 'red', owner: { name: 'Ada' } },
    remove_details: ['list', 'missing'],
  };
  const preview = await manager.bulkEdits.preview(input);
  expect(preview).toMatchObject({ changed_count: 3, unchanged_count: 0, missing_count: 1 });
  expect(preview.data[1]).toEqual({
    id: ids[1],
    external_key: 'T-2',
    name: 'Thing 2',
    before: { description: null, valid_to: null, details: { owner: 'owner 2', list: '[1,{"a":2}]' } },
    after: {
      description: 'first',
      valid_to: '2030-01-01T00:00:00.000Z',
      details: { color: 'red', owner: '{"name":"Ada"}' },
    },
  });
  expect(await Promise.all(ids.map((id) => read(org, id)))).toEqual(before);

  const edit = await manager.bulkEdits.edit(input);
  expect(edit).toMatchObject({ changed_count: 3, unchanged_count: 0, missing_count: 1 });
  const changed = await read(org, ids[2] ?? 0);
  expect(changed).toMatchObject({ description: 'first', valid_to: '2030-01-01T00:00:00.000Z' });
  expect(JSON.stringify(changed.metadata)).toBe('{"owner":{"name":"Ada"},"big":1e+21,"color":"red"}');
  expect(await manager.bulkEdits.edit(input)).toMatchObject({ batch_id: null, changed_count: 0, unchanged_count: 3 });

  expect(await undoBatch(manager, edit.batch_id)).toEqual({ takenBack: 3, left: [] });
  const restored = await Promise.all(ids.map((id) => read(org, id)));
  expect(restored.map(({ updated_at: _, ...rest }) => rest)).toEqual(before.map(({ updated_at: _, ...rest }) => rest));
  expect(restored.every(({ updated_at: at }, n) => at > (before[n]?.updated_at ?? ''))).toBe(true);

  const { data: entries } = await org.admin.activity.list({ kind: 'asset', object_id: String(ids[0]) });
  expect(entries.map(({ action, entry_point }) => `${action} ${entry_point}`)).toEqual([
    'updated app',
    'updated app',
    'created app',
  ]);
});

it('keeps a change of another field, asks about the same field, and names what was deleted', async () => {
  const org = await world.organization();
  const [renamed = 0, changed = 0, deleted = 0, other = 0] = await createAssets(org, 4);
  const ids = [renamed, changed, deleted, other];
  const { batch_id: batchId } = await org.admin.bulkEdits.edit({ ids, description: 'all' });
  await org.admin.assets.update({ asset_id: renamed, name: 'Renamed' });
  await org.admin.assets.update({ asset_id: changed, description: 'mine' });
  await org.admin.assets.delete({ asset_id: deleted });
  const { takenBack, left } = await undoBatch(org.admin, batchId);
  expect(takenBack).toBe(2);
  expect(left).toMatchObject([
    { kind: 'asset', id: changed, name: 'Thing 2', status: 'changed_since', fields: ['description'] },
    { kind: 'asset', id: deleted, name: 'Thing 3', status: 'failed', reason: 'deleted' },
  ]);
  expect(await read(org, renamed)).toMatchObject({ name: 'Renamed', description: 'first' });
  expect(await read(org, changed)).toMatchObject({ description: 'mine' });
  expect(await read(org, other)).toMatchObject({ description: null });
  expect(await refusalOf(undoBatch(org.admin, batchId))).toMatchObject({ type: 'conflict' });
  const asked = left.filter(({ status }) => status === 'changed_since').map(({ entry }) => entry);
  expect(await org.admin.undo.changes({ entries: asked, overwrite: true })).toEqual({ taken_back: 1, left: [] });
  expect(await read(org, changed)).toMatchObject({ description: null });
});

it('is undone once, and well for both, if two people undo it at once', async () => {
  const org = await world.organization();
  const ids = await createAssets(org, 2);
  const { batch_id: batchId } = await org.admin.bulkEdits.edit({ ids, description: 'both' });
  const people = [await org.as('manager'), org.admin];
  const rows = Prisma.sql`SELECT id FROM assets WHERE id = ${ids[0] ?? 0}`;
  const outcomes = await colliding({ db: world.db } as never, { rows, waiting: 2 }, () =>
    people.map((person) => undoBatch(person, batchId)),
  );
  const undone = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
  expect(undone.map(({ takenBack, left }) => [takenBack, left])).toEqual(
    expect.arrayContaining([
      [2, []],
      [0, []],
    ]),
  );
  expect(await read(org, ids[1] ?? 0)).toMatchObject({ description: null });
  const { data } = await org.admin.activity.list({ kind: 'asset', object_id: String(ids[1]) });
  expect(data.map(({ action }) => action)).toEqual(['updated', 'updated', 'created']);
});

it('belongs to the managers of one organization, for 30 days', async () => {
  const org = await world.organization();
  const ids = await createAssets(org, 1);
  const { batch_id: batchId } = await org.admin.bulkEdits.edit({ ids, description: 'mine' });
  const [entry] = (await org.admin.activity.list({ kind: 'asset', object_id: String(ids[0]) })).data;
  const entries = [{ id: entry?.id ?? '', occurred_at: entry?.occurred_at ?? '' }];
  const outsider = (await world.organization()).admin;
  expect(await outsider.bulkEdits.preview({ ids, description: 'x' })).toMatchObject({ data: [], missing_count: 1 });
  expect(await outsider.bulkEdits.edit({ ids, description: 'x' })).toMatchObject({ batch_id: null, missing_count: 1 });
  expect(await refusalOf(undoBatch(outsider, batchId))).toMatchObject({ type: 'not_found' });
  expect(await refusalOf(outsider.undo.changes({ entries }))).toMatchObject({ type: 'not_found' });
  for (const role of ['viewer', 'operator'] as const) {
    const caller = await org.as(role);
    expect(await refusalOf(caller.bulkEdits.edit({ ids, description: 'x' }))).toMatchObject({ type: 'forbidden' });
    expect(await refusalOf(undoBatch(caller, batchId))).toMatchObject({ type: 'forbidden' });
    expect(await refusalOf(caller.undo.changes({ entries }))).toMatchObject({ type: 'forbidden' });
  }
  const aged = Prisma.sql`interval '31 days'`;
  await world.db.$executeRaw`UPDATE change_batches SET created_at = created_at - ${aged} WHERE org_id = ${org.orgId}`;
  expect(await refusalOf(undoBatch(org.admin, batchId))).toMatchObject({ type: 'not_found' });
  expect(await read(org, ids[0] ?? 0)).toMatchObject({ description: 'mine' });
});

it('rejects what is no change, or more than can be kept', async () => {
  const org = await world.organization();
  const ids = await createAssets(org, 1);
  expect(await refusalOf(org.admin.bulkEdits.edit({ ids }))).toMatchObject({ type: 'validation_error' });
  expect(
    await refusalOf(org.admin.bulkEdits.edit({ ids: Array.from({ length: 1001 }, (_, n) => n + 1), is_active: true })),
  ).toMatchObject({ type: 'validation_error', fields: [{ field: 'ids', code: 'too_long' }] });
  const set_details = { text: 'x'.repeat(16_000) };
  await org.admin.bulkEdits.edit({ ids, set_details });
  expect(await refusalOf(org.admin.bulkEdits.edit({ ids, set_details: { more: 'x'.repeat(400) } }))).toMatchObject({
    type: 'validation_error',
    fields: [{ field: 'ids', code: 'too_large' }],
  });
  await org.admin.bulkEdits.edit({ ids, set_details: { text: 'y'.repeat(16_000) } });
});
