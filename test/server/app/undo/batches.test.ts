import { ulid } from 'ulid';
import { expect, it } from 'vitest';
import { ingestReads } from '../../../../server/tracking/scans/ingest.js';
import { refusalOf } from '../../../support/caller.js';
import { sharedScanWorld, type ScanOrganization } from '../../../support/scan-world.js';
import { undoBatch, undoChange } from '../../../support/undo.js';
import { message, read } from '../../tracking/scans/tag-reads.js';

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

const whereIs = async (org: ScanOrganization, id: number) =>
  (await org.admin.assets.detail({ asset_id: id })).position?.location?.name;

it('puts assets that were placed by hand back, only while that is their last placement and they are there', async () => {
  const org = await world.organization();
  const [hall, ward, yard] = [
    await org.location({ name: 'Hall' }),
    await org.location({ name: 'Ward' }),
    await org.location({ name: 'Yard' }),
  ];
  const ids = [await org.asset({ name: 'Bed' }), await org.asset({ name: 'Pump' }), await org.asset({ name: 'Scale' })];
  const place = (assets: readonly number[], location: number, isByHand = true) =>
    org.admin.scans.submit({
      submission_id: ulid(),
      location_id: location,
      reads: assets.map((id) => ({ asset_id: id })),
      is_by_hand: isByHand,
    });
  const [bed = 0, pump = 0, scale = 0] = ids;
  await place(ids, hall, false);
  await place(ids, ward);
  const [line] = (await org.admin.activity.list({ grouped: true, limit: 1 })).data;
  expect(line).toMatchObject({
    action: 'placed',
    before: { location: expect.stringMatching(/^Hall /) },
    after: { location: expect.stringMatching(/^Ward /) },
    batch: { kind: 'placement', count: 3, is_undoable: true },
  });
  // One is scanned elsewhere, and one is placed elsewhere and back again.
  await place([pump], yard, false);
  await place([scale], yard);
  await place([scale], ward);
  const outsider = (await world.organization()).admin;
  expect(await refusalOf(undoBatch(outsider, line?.batch?.id ?? null))).toMatchObject({ type: 'not_found' });
  const { takenBack, left } = await undoBatch(org.admin, line?.batch?.id ?? null);
  expect(takenBack).toBe(1);
  expect(left).toMatchObject([
    { id: pump, status: 'failed', reason: 'moved_since' },
    { id: scale, status: 'failed', reason: 'moved_since' },
  ]);
  expect(await Promise.all(ids.map((id) => whereIs(org, id)))).toEqual(['Hall', 'Yard', 'Ward']);

  const [back] = (await org.admin.activity.list({ kind: 'asset', object_id: String(bed) })).data;
  expect(back).toMatchObject({ action: 'placed', batch: null, after: { location: expect.stringMatching(/^Hall /) } });
  expect(await undoChange(org.admin, back)).toEqual({ status: 'done' });
  expect(await whereIs(org, bed)).toBe('Ward');
});

it('counts what was taken back once, also if a part of an undo is repeated', async () => {
  const org = await world.organization();
  const ids = [await org.asset(), await org.asset(), await org.asset()];
  const hall = await org.location();
  const { batch_id: batchId } = await org.admin.assets.deleteMany({ ids });
  const part = () => org.admin.undo.batch({ batch_id: batchId ?? '', cursor: '0.' });
  const counts = (await Promise.all([part(), part()])).map(({ taken_back: count }) => count);
  expect(new Set(counts)).toEqual(new Set([0, 3]));
  expect(await refusalOf(undoBatch(org.admin, batchId))).toMatchObject({ type: 'conflict' });
  const [line] = (await org.admin.activity.list({ grouped: true, limit: 1 })).data;
  expect(line?.batch).toMatchObject({ kind: 'undo', count: 3 });

  await org.admin.locations.delete({ location_id: hall });
  const [deleted] = (await org.admin.activity.list({ kind: 'location', object_id: String(hall) })).data;
  const entries = [{ id: deleted?.id ?? '', occurred_at: deleted?.occurred_at ?? '' }];
  expect(await org.admin.undo.changes({ entries })).toEqual({ taken_back: 1, left: [] });
  expect(await org.admin.undo.changes({ entries })).toEqual({ taken_back: 0, left: [] });
});

it('takes several changes of one row back from the newest, and an undo of them, too', async () => {
  const org = await world.organization();
  const { data: pump } = await org.admin.assets.create({ name: 'One' });
  const name = async () => (await org.admin.assets.get({ asset_id: pump.id })).data.name;
  for (const next of ['Two', 'Three']) await org.admin.assets.update({ asset_id: pump.id, name: next });
  const changes = (await org.admin.activity.list({ kind: 'asset', limit: 2 })).data;
  const entries = changes.map(({ id, occurred_at }) => ({ id, occurred_at }));
  expect(await org.admin.undo.changes({ entries })).toEqual({ taken_back: 2, left: [] });
  expect(await name()).toBe('One');
  const [line] = (await org.admin.activity.list({ grouped: true, limit: 1 })).data;
  expect(await undoBatch(org.admin, line?.batch?.id ?? null)).toEqual({ takenBack: 2, left: [] });
  expect(await name()).toBe('Three');
});

it('leaves an asset where a person placed it, if a reader or a handheld has seen it there since', async () => {
  const org = await world.organization();
  const [hall, ward] = [await org.location({ name: 'Hall' }), await org.location({ name: 'Ward' })];
  const [heard, scanned, unseen] = [
    await org.asset({ name: 'Heard', tags: [['rfid', 'AA']] }),
    await org.asset({ name: 'Scanned' }),
    await org.asset({ name: 'Unseen', tags: [['rfid', 'CC']] }),
  ];
  const place = (assets: readonly number[], location: number, isByHand = true) =>
    org.admin.scans.submit({
      submission_id: ulid(),
      location_id: location,
      reads: assets.map((id) => ({ asset_id: id })),
      is_by_hand: isByHand,
    });
  await place([heard, scanned, unseen], hall, false);
  await place([heard, scanned, unseen], ward);
  const [line] = (await org.admin.activity.list({ grouped: true, limit: 1 })).data;
  const sender = { org, reader: await org.reader({ location_id: ward }) };
  const readMs = Date.now();
  const reads = [message(sender, [read({ value: 'AA', observedAtMs: readMs })], readMs)];
  await ingestReads(world.connections, reads, { retentionDays: 365, waitForTrees: true });
  await place([scanned], ward, false);
  const { takenBack, left } = await undoBatch(org.admin, line?.batch?.id ?? null);
  expect({ takenBack, left }).toMatchObject({
    takenBack: 1,
    left: [
      { id: heard, reason: 'seen_since' },
      { id: scanned, reason: 'seen_since' },
    ],
  });
  expect(await Promise.all([heard, scanned, unseen].map((id) => whereIs(org, id)))).toEqual(['Ward', 'Ward', 'Hall']);
});

it('makes one line of the undo of a placement of assets from several locations', async () => {
  const org = await world.organization();
  const [hall, ward, yard] = [
    await org.location({ name: 'Hall' }),
    await org.location({ name: 'Ward' }),
    await org.location({ name: 'Yard' }),
  ];
  const ids = [await org.asset(), await org.asset()];
  const place = (assets: readonly number[], location: number, isByHand: boolean) =>
    org.admin.scans.submit({
      submission_id: ulid(),
      location_id: location,
      reads: assets.map((id) => ({ asset_id: id })),
      is_by_hand: isByHand,
    });
  await place(ids.slice(0, 1), hall, false);
  await place(ids.slice(1), yard, false);
  await place(ids, ward, true);
  const newestLine = async () => (await org.admin.activity.list({ grouped: true, limit: 1 })).data[0];
  expect(await undoBatch(org.admin, (await newestLine())?.batch?.id ?? null)).toEqual({ takenBack: 2, left: [] });
  const undone = await newestLine();
  expect(undone).toMatchObject({ action: 'placed', actor: { name: 'admin' }, batch: { kind: 'undo', count: 2 } });
  expect(await undoBatch(org.admin, undone?.batch?.id ?? null)).toEqual({ takenBack: 2, left: [] });
  expect(await Promise.all(ids.map((id) => whereIs(org, id)))).toEqual(['Ward', 'Ward']);
});

it('makes one line of assets that are put into a container or taken out together', async () => {
  const org = await world.organization();
  const [cart, ...boxes] = [
    await org.asset({ name: 'Cart 7' }),
    await org.asset(),
    await org.asset(),
    await org.asset(),
  ];
  const newestLine = async () => (await org.admin.activity.list({ grouped: true, limit: 1 })).data[0];
  const contents = async () => (await org.admin.containers.contents({ container_id: cart })).data.map(({ id }) => id);

  await org.admin.containers.putIn({ container_id: cart, asset_ids: boxes.slice(0, 1) });
  expect(await newestLine()).toMatchObject({ action: 'put_in', batch: null });
  // The first one is in it already.
  await org.admin.containers.putIn({ container_id: cart, asset_ids: boxes });
  const put = await newestLine();
  expect(put?.batch).toMatchObject({ kind: 'edit', fields: ['container'], count: 2, is_undoable: true });

  await org.admin.containers.takeOut({ asset_ids: boxes });
  const taken = await newestLine();
  expect(taken?.batch).toMatchObject({ kind: 'edit', fields: ['container'], count: 3 });
  expect(await undoBatch(org.admin, taken?.batch?.id ?? null)).toEqual({ takenBack: 3, left: [] });
  expect(await contents()).toEqual(boxes);

  expect(await undoBatch(org.admin, put?.batch?.id ?? null)).toEqual({ takenBack: 2, left: [] });
  expect(await contents()).toEqual(boxes.slice(0, 1));

  await org.admin.containers.submit({
    submission_id: ulid(),
    container: { asset_id: cart },
    reads: boxes.map((id) => ({ asset_id: id })),
  });
  expect((await newestLine())?.batch).toMatchObject({ kind: 'edit', fields: ['container'], count: 2 });
});

it('takes back renames of which each needs a key that another one frees', async () => {
  const org = await world.organization();
  for (const kind of ['asset', 'location'] as const) {
    const ids = [await org[kind]({ externalKey: `${kind}-2` }), await org[kind]({ externalKey: `${kind}-1` })];
    const keys = async () => {
      const rows =
        kind === 'asset'
          ? await org.admin.assets.list({ sort: undefined })
          : await org.admin.locations.list({ sort: undefined });
      return ids.map((id) => rows.data.find((row) => row.id === id)?.external_key);
    };
    for (const [at, key] of [`${kind}-3`, `${kind}-2`].entries()) {
      const renamed = { external_key: key };
      if (kind === 'asset') await org.admin.assets.rename({ asset_id: ids[at] ?? 0, ...renamed });
      else await org.admin.locations.rename({ location_id: ids[at] ?? 0, ...renamed });
    }
    const changes = (await org.admin.activity.list({ kind, limit: 2 })).data;
    const entries = changes.map(({ id, occurred_at }) => ({ id, occurred_at }));
    expect(await org.admin.undo.changes({ entries })).toEqual({ taken_back: 2, left: [] });
    expect(await keys()).toEqual([`${kind}-2`, `${kind}-1`]);
    const [line] = (await org.admin.activity.list({ grouped: true, limit: 1 })).data;
    expect(await undoBatch(org.admin, line?.batch?.id ?? null)).toEqual({ takenBack: 2, left: [] });
    expect(await keys()).toEqual([`${kind}-3`, `${kind}-2`]);
  }
});

const newestBatch = async (org: ScanOrganization) =>
  (await org.admin.activity.list({ grouped: true, limit: 1 })).data[0]?.batch?.id ?? null;

it('takes changes back in the opposite order: a key goes from a restored asset to a renamed one and back', async () => {
  const org = await world.organization();
  const [kept, deleted] = [await org.asset({ externalKey: 'OTHER' }), await org.asset({ externalKey: 'KEY' })];
  await org.admin.assets.delete({ asset_id: deleted });
  await org.admin.assets.rename({ asset_id: kept, external_key: 'KEY' });
  const changes = (await org.admin.activity.list({ kind: 'asset', limit: 2 })).data;
  const entries = changes.map(({ id, occurred_at }) => ({ id, occurred_at }));
  expect(await org.admin.undo.changes({ entries })).toEqual({ taken_back: 2, left: [] });
  const live = async () =>
    Object.fromEntries(
      (await org.admin.assets.list({ sort: undefined })).data.map((row) => [row.id, row.external_key]),
    );
  expect(await live()).toEqual({ [kept]: 'OTHER', [deleted]: 'KEY' });
  expect(await undoBatch(org.admin, await newestBatch(org))).toEqual({ takenBack: 2, left: [] });
  expect(await live()).toEqual({ [kept]: 'KEY' });
  expect(await undoBatch(org.admin, await newestBatch(org))).toEqual({ takenBack: 2, left: [] });
  expect(await live()).toEqual({ [kept]: 'OTHER', [deleted]: 'KEY' });
});

it('takes back renames of two assets that had the same key one after the other', async () => {
  const org = await world.organization();
  const [first, second] = [await org.asset({ externalKey: 'KEY' }), await org.asset({ externalKey: 'OTHER' })];
  const keys = async () => {
    const { data } = await org.admin.assets.list({ sort: undefined });
    return [first, second].map((id) => data.find((row) => row.id === id)?.external_key);
  };
  for (const [id, key] of [
    [first, 'FREED'],
    [second, 'KEY'],
    [second, 'LAST'],
  ] as const) {
    await org.admin.assets.rename({ asset_id: id, external_key: key });
  }
  const changes = (await org.admin.activity.list({ kind: 'asset', limit: 3 })).data;
  const entries = changes.map(({ id, occurred_at }) => ({ id, occurred_at }));
  expect(await org.admin.undo.changes({ entries })).toEqual({ taken_back: 3, left: [] });
  for (const after of [
    ['FREED', 'LAST'],
    ['KEY', 'OTHER'],
  ]) {
    expect(await undoBatch(org.admin, await newestBatch(org))).toEqual({ takenBack: 3, left: [] });
    expect(await keys()).toEqual(after);
  }
});
