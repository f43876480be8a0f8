import { beforeAll, describe, expect, it } from 'vitest';
import { refusalOf } from '../../../support/caller.js';
import { type AppCaller, sharedScanWorld, type ScanOrganization } from '../../../support/scan-world.js';

// What the app asks about one asset, and does to many.

const world = await sharedScanWorld();
let org: ScanOrganization;
let viewer: AppCaller;
let manager: AppCaller;
let outsider: AppCaller;

beforeAll(async () => {
  org = await world.organization();
  viewer = await org.as('viewer');
  manager = await org.as('manager');
  outsider = await (await world.organization()).as('admin');
});

const notFound = { type: 'not_found', detail: 'Asset not found' };
const minuteMs = 60_000;
const nowMs = Math.floor(Date.now() / 1000) * 1000;
const minutesAgo = (minutes: number) => new Date(nowMs - minutes * minuteMs).toISOString();

describe('the detail of an asset', () => {
  it('says where it is and who saw it last', async () => {
    const { data: hall } = await org.admin.locations.create({ name: 'Hall' });
    const { data: bay } = await org.admin.locations.create({ name: 'Bay', parent_id: hall.id });
    const reader = await org.reader({ name: 'Gate' });
    const id = await org.asset({ tags: [['rfid', 'D1']] });
    await world.db.assetPosition.create({
      data: {
        orgId: org.orgId,
        assetId: id,
        locationId: bay.id,
        readerId: reader.id,
        antenna: 2,
        assetLastSeen: new Date(minutesAgo(1)),
        locatedSince: new Date(minutesAgo(9)),
      },
    });
    expect(await viewer.assets.detail({ asset_id: id })).toMatchObject({
      id,
      tags: [{ tag_type: 'rfid', value: 'D1' }],
      position: {
        location: { id: bay.id, name: 'Bay', path: [{ name: 'Hall' }, { name: 'Bay' }] },
        asset_last_seen: minutesAgo(1),
        located_since: minutesAgo(9),
        reader: { id: reader.id, name: 'Gate', is_deleted: false },
        antenna: 2,
      },
    });
    await org.admin.readers.delete({ id: reader.id });
    expect((await viewer.assets.detail({ asset_id: id })).position?.reader).toEqual({
      id: reader.id,
      name: 'Gate',
      is_deleted: true,
    });
  });

  it('names the reader of the last read, also one at another location', async () => {
    const [yard, dock] = [await org.location(), await org.location()];
    const id = await org.asset({ tags: [['rfid', 'D2']] });
    const here = await org.reader({ name: 'Yard', location_id: yard, location_rule: 'evidence' });
    const there = await org.reader({ name: 'Dock', location_id: dock, location_rule: 'evidence' });
    const read = (reader: { id: number }, secondsAgo: number, rssiDbm: number) => {
      const tag = {
        tagType: 'rfid' as const,
        value: 'D2',
        antenna: 1,
        rssiDbm,
        observedAtMs: nowMs - secondsAgo * 1000,
      };
      const content = { kind: 'reads' as const, reads: [tag] };
      return world.core.ingestion.ingest({ orgId: org.orgId, readerId: reader.id, topic: 'reads', content });
    };
    for (const seconds of [60, 50, 40]) await read(here, seconds, -50);
    await read(there, 30, -80);
    expect((await viewer.assets.detail({ asset_id: id })).position).toMatchObject({
      location: { id: yard },
      reader: { id: there.id, name: 'Dock' },
    });
  });

  it('has no position for an asset that was never seen', async () => {
    const id = await org.asset();
    expect((await viewer.assets.detail({ asset_id: id })).position).toBeNull();
  });

  it('is not found for deleted or missing assets, or for another organization', async () => {
    const id = await org.asset();
    expect(await refusalOf(outsider.assets.detail({ asset_id: id }))).toEqual(notFound);
    await org.deleteAsset(id);
    expect(await refusalOf(viewer.assets.detail({ asset_id: id }))).toEqual(notFound);
    expect(await refusalOf(viewer.assets.detail({ asset_id: 2147483647 }))).toEqual(notFound);
  });
});

describe('many assets', () => {
  it('are read in the order asked for, without those that are not there', async () => {
    const [one, two, gone] = [await org.asset(), await org.asset(), await org.asset()];
    await org.deleteAsset(gone);
    const { data } = await viewer.assets.many({ ids: [two, gone, one, two] });
    expect(data.map(({ id }) => id)).toEqual([two, one, two]);
    expect(await outsider.assets.many({ ids: [one] })).toEqual({ data: [] });
  });

  it('are deleted with their tags, whose values are free again', async () => {
    const one = await org.asset({ tags: [['rfid', 'BULK-1']] });
    const two = await org.asset({ tags: [['ble', 'BULK-2']] });
    expect(await manager.assets.deleteMany({ ids: [two, one, two] })).toEqual({
      results: [two, one, two].map((id) => ({ id, status: 'done' })),
      batch_id: expect.any(String),
    });
    expect((await manager.assets.deleteMany({ ids: [one] })).results).toMatchObject([{ status: 'failed' }]);
    expect(await refusalOf(viewer.assets.get({ asset_id: one }))).toEqual(notFound);
    const again = await manager.assets.create({ name: 'New', tags: [{ tag_type: 'rfid', value: 'BULK-1' }] });
    expect(again.data.tags).toHaveLength(1);
  });

  it('of another organization are not deleted', async () => {
    const id = await org.asset();
    expect((await outsider.assets.deleteMany({ ids: [id] })).results).toMatchObject([{ status: 'failed' }]);
    expect((await viewer.assets.get({ asset_id: id })).data.id).toBe(id);
  });

  it.each([[[]], [[0]], [[1.5]], [Array.from({ length: 501 }, (_, index) => index + 1)]])(
    'are not %j',
    async (ids: number[]) => {
      expect(await refusalOf(manager.assets.deleteMany({ ids }))).toMatchObject({ type: 'validation_error' });
    },
  );

  it('that two people delete at once are deleted once each', async () => {
    const ids: number[] = [];
    for (let count = 0; count < 60; count += 1) ids.push(await org.asset({ tags: [['rfid', `RACE-${count}`]] }));
    const shifted = [...ids.slice(20), ...ids.slice(0, 20)].toReversed();
    const [mine, theirs] = await Promise.all([
      manager.assets.deleteMany({ ids }),
      org.admin.assets.deleteMany({ ids: shifted }),
      manager.bulkEdits.edit({ ids: shifted, is_active: false }),
    ]);
    const deleted = [mine, theirs].flatMap(({ results }) => results.filter(({ status }) => status === 'done'));
    expect(deleted.map(({ id }) => id).toSorted((a, b) => a - b)).toEqual(ids);
  });
});
