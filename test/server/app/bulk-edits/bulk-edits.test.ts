import { expect, it } from 'vitest';
import { colliding, refusalOf } from '../../../support/caller.js';
import { Prisma } from '../../../../generated/prisma/client.js';
import { sharedScanWorld, type ScanOrganization } from '../../../support/scan-world.js';

// Many assets are changed at once, after a look at what would change, and the change is undone.

const world = await sharedScanWorld();

const hourMs = 3_600_000;

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
  expect(await manager.bulkEdits.edit(input)).toMatchObject({ edit_id: null, changed_count: 0, unchanged_count: 3 });

  const { data: edits } = await manager.bulkEdits.list();
  expect(edits).toMatchObject([
    {
      id: edit.edit_id,
      asset_count: 3,
      fields: ['description', 'metadata', 'valid_to'],
      is_own: true,
      actor_name: 'manager',
    },
  ]);
  expect(await manager.bulkEdits.undo({ edit_id: edit.edit_id ?? '' })).toEqual({
    restored_count: 3,
    refused: [],
    refused_count: 0,
  });
  const restored = await Promise.all(ids.map((id) => read(org, id)));
  expect(restored.map(({ updated_at: _, ...rest }) => rest)).toEqual(before.map(({ updated_at: _, ...rest }) => rest));
  expect(restored.every(({ updated_at: at }, n) => at > (before[n]?.updated_at ?? ''))).toBe(true);
  expect((await manager.bulkEdits.list()).data).toEqual([]);

  const { data: entries } = await org.admin.activity.list({ kind: 'asset', object_id: String(ids[0]) });
  expect(entries.map(({ action, entry_point }) => `${action} ${entry_point}`)).toEqual([
    'updated app',
    'updated app',
    'created app',
  ]);
});

it('leaves alone what was changed or deleted since', async () => {
  const org = await world.organization();
  const ids = await createAssets(org, 3);
  const { edit_id: editId } = await org.admin.bulkEdits.edit({ ids, is_active: false });
  await org.admin.assets.update({ asset_id: ids[0] ?? 0, name: 'Renamed' });
  await org.admin.assets.delete({ asset_id: ids[1] ?? 0 });
  expect(await org.admin.bulkEdits.undo({ edit_id: editId ?? '' })).toEqual({
    restored_count: 1,
    refused: [
      { id: ids[0], external_key: 'T-1', name: 'Renamed', reason: 'changed' },
      { id: ids[1], external_key: 'T-2', name: 'Thing 2', reason: 'deleted' },
    ],
    refused_count: 2,
  });
  expect(await read(org, ids[0] ?? 0)).toMatchObject({ name: 'Renamed', is_active: false });
  expect(await read(org, ids[2] ?? 0)).toMatchObject({ is_active: true });
  expect(await refusalOf(org.admin.bulkEdits.undo({ edit_id: editId ?? '' }))).toMatchObject({ type: 'conflict' });
});

it('is undone once, however many ask at once', async () => {
  const org = await world.organization();
  const ids = await createAssets(org, 2);
  const { edit_id: editId } = await org.admin.bulkEdits.edit({ ids, description: 'both' });
  const rows = Prisma.sql`SELECT id FROM bulk_edits WHERE id = ${editId ?? ''}::uuid`;
  const outcomes = await colliding({ db: world.db } as never, { rows, waiting: 2 }, () =>
    [1, 2].map(() => org.admin.bulkEdits.undo({ edit_id: editId ?? '' })),
  );
  expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  expect(await read(org, ids[1] ?? 0)).toMatchObject({ description: null });
});

it('belongs to the managers of one organization, for a day', async () => {
  const org = await world.organization();
  const ids = await createAssets(org, 1);
  const { edit_id: editId } = await org.admin.bulkEdits.edit({ ids, description: 'mine' });
  const outsider = (await world.organization()).admin;
  expect(await outsider.bulkEdits.preview({ ids, description: 'x' })).toMatchObject({ data: [], missing_count: 1 });
  expect(await outsider.bulkEdits.edit({ ids, description: 'x' })).toMatchObject({ edit_id: null, missing_count: 1 });
  expect((await outsider.bulkEdits.list()).data).toEqual([]);
  expect(await refusalOf(outsider.bulkEdits.undo({ edit_id: editId ?? '' }))).toMatchObject({ type: 'not_found' });
  for (const role of ['viewer', 'operator'] as const) {
    const caller = await org.as(role);
    expect(await refusalOf(caller.bulkEdits.edit({ ids, description: 'x' }))).toMatchObject({ type: 'forbidden' });
    expect(await refusalOf(caller.bulkEdits.undo({ edit_id: editId ?? '' }))).toMatchObject({ type: 'forbidden' });
  }
  await world.db.bulkEdit.updateMany({
    where: { orgId: org.orgId },
    data: { createdAt: new Date(Date.now() - 25 * hourMs) },
  });
  expect((await org.admin.bulkEdits.list()).data).toEqual([]);
  expect(await refusalOf(org.admin.bulkEdits.undo({ edit_id: editId ?? '' }))).toMatchObject({ type: 'not_found' });
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

it('keeps the newest twenty', async () => {
  const org = await world.organization();
  const ids = await createAssets(org, 1);
  for (let n = 0; n < 22; n += 1) await org.admin.bulkEdits.edit({ ids, description: `no. ${n}` });
  expect((await org.admin.bulkEdits.list()).data).toHaveLength(20);
  expect(await world.db.bulkEditRow.count({ where: { orgId: org.orgId } })).toBe(20);
});
