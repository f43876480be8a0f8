import { expect, it } from 'vitest';
import { refusalOf } from '../../../support/caller.js';
import { sharedScanWorld } from '../../../support/scan-world.js';
import { undoBatch } from '../../../support/undo.js';

// Changes that were made together are undone together.

const world = await sharedScanWorld();

it('restores what was deleted together, and names what has a tag by now', async () => {
  const org = await world.organization();
  const ids: number[] = [];
  for (let n = 0; n < 30; n += 1) {
    ids.push(await org.asset({ name: `Crate ${n}`, externalKey: `C-${n}`, tags: [['barcode', `CRATE-${n}`]] }));
  }
  const { batch_id: batchId } = await org.admin.assets.deleteMany({ ids });
  const taker = await org.asset({ name: 'Taker', tags: [['barcode', 'CRATE-7']] });
  const holder = await org.asset({ name: 'Holder', externalKey: 'C-9' });
  const outsider = (await world.organization()).admin;
  expect(await refusalOf(undoBatch(outsider, batchId))).toMatchObject({ type: 'not_found' });

  const { takenBack, left } = await undoBatch(await org.as('manager'), batchId);
  expect(takenBack).toBe(28);
  expect(left).toMatchObject([
    {
      id: ids[7],
      name: 'Crate 7',
      status: 'failed',
      reason: 'tag_taken',
      value: 'CRATE-7',
      by: { kind: 'asset', id: taker, name: 'Taker' },
    },
    { id: ids[9], name: 'Crate 9', status: 'failed', reason: 'key_taken', by: { id: holder } },
  ]);
  const { data } = await org.admin.assets.list({ limit: 100, sort: undefined });
  expect(data).toHaveLength(30);
  expect(data.find(({ id }) => id === ids[3])).toMatchObject({ tags: [{ value: 'CRATE-3' }] });

  // An undo is undone like any other change; what it restored is deleted again.
  const [undone] = (await org.admin.activity.list({ grouped: true, limit: 1 })).data;
  expect(undone?.batch).toMatchObject({ kind: 'undo', count: 28, is_undoable: true });
  expect(await undoBatch(org.admin, undone?.batch?.id ?? null)).toEqual({ takenBack: 28, left: [] });
  expect((await org.admin.assets.list({ sort: undefined })).total_count).toBe(2);
});
