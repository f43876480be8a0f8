import { describe, expect, it } from 'vitest';
import {
  antennaKey,
  type AntennaSettings,
  type AssetState,
  createSite,
  encodeState,
  judge,
  judgeScan,
} from '../../../../server/locating/index.js';
import { refusalOf } from '../../../support/caller.js';
import { sharedScanWorld } from '../../../support/scan-world.js';

const world = await sharedScanWorld();

const org = await world.organization();
const viewer = await org.as('viewer');

const nowMs = Math.floor(Date.now() / 1000) * 1000;
const secondMs = 1000;
const at = (secondsAgo: number) => new Date(nowMs - secondsAgo * secondMs).toISOString();

type TestRead = { antenna: number; tag: number; rssi: number; ago: number };

/** Stores a position as ingestion does after it has decided. */
async function storePosition(assetId: number, state: AssetState): Promise<void> {
  await world.db.assetPosition.create({
    data: {
      orgId: org.orgId,
      assetId,
      locationId: state.location || null,
      assetLastSeen: new Date(state.lastSeenMs),
      locatedSince: new Date(state.sinceMs),
      locating: encodeState(state),
    },
  });
}

/** An asset with two tags in front of two readers; one reader has a portal. */
async function setUp() {
  const [aisle, dock] = await Promise.all(
    ['Aisle C', 'Dock 1'].map(async (name) => (await org.admin.locations.create({ name })).data.id),
  );
  if (aisle === undefined || dock === undefined) throw new Error('no locations');
  const shelf = await org.reader({ name: 'Shelf', location_id: aisle, location_rule: 'evidence' });
  const gate = await org.reader({
    name: 'Gate',
    antennas: [{ port: 2, location_id: dock, kind: 'portal' }],
    location_rule: 'evidence',
  });
  const asset = await org.asset({ tags: [['rfid', `E-${shelf.id}`]] });
  const [tag] = await world.db.tag.findMany({ where: { assetId: asset } });
  const tagId = tag?.id ?? 0;
  const antennas = { shelf: antennaKey(shelf.id, 1), gate: antennaKey(gate.id, 2) };
  const settings = new Map<number, AntennaSettings>([
    [antennas.shelf, { location: aisle, kind: 'zone', rule: 'evidence' }],
    [antennas.gate, { location: dock, kind: 'portal', rule: 'evidence' }],
  ]);
  function decided(reads: readonly TestRead[]): AssetState {
    let state: AssetState | undefined;
    for (const { antenna, tag: id, rssi, ago } of reads) {
      const own = settings.get(antenna);
      if (!own) throw new Error('no such antenna');
      const read = { antenna, ...own, tag: id, isBle: false, rssiDbm: rssi, atMs: nowMs - ago * secondMs };
      ({ state } = judge(state, read, createSite().surroundings));
    }
    if (!state) throw new Error('no reads');
    return state;
  }
  return { aisle, dock, shelf, gate, asset, tagId, antennas, settings, decided };
}

describe('assets.evidence', () => {
  it('tells of each location how loud it hears the asset, how far it is ahead, and how long it would need', async () => {
    const { aisle, dock, shelf, gate, asset, tagId, antennas, decided } = await setUp();
    const reads = Array.from({ length: 20 }, (_, second) => [
      { antenna: antennas.shelf, tag: tagId, rssi: -50, ago: 30 - second },
      { antenna: antennas.gate, tag: tagId, rssi: -62, ago: 29.5 - second },
    ]).flat();
    await storePosition(asset, decided(reads));
    const found = await viewer.assets.evidence({ asset_id: asset });
    expect(found).toMatchObject({
      location_id: aisle,
      location_name: 'Aisle C',
      is_held_by_scan: false,
      reason: { code: 'first', other_location_name: null },
      locations: [
        {
          reader_id: shelf.id,
          reader_name: 'Shelf',
          antenna: 1,
          kind: 'zone',
          location_id: aisle,
          location_name: 'Aisle C',
          tag_type: 'rfid',
          tag_value: `E-${shelf.id}`,
          rssi_dbm: -50,
          last_read_at: at(11),
          ahead_db: null,
          needed_db: null,
          needed_seconds: null,
        },
        {
          reader_id: gate.id,
          reader_name: 'Gate',
          antenna: 2,
          kind: 'portal',
          location_id: dock,
          location_name: 'Dock 1',
          rssi_dbm: -62,
          ahead_db: expect.closeTo(-12, -1),
          is_by_picture: false,
        },
      ],
    });
    expect(found.evidence.map(({ reader_id }) => reader_id)).toEqual([gate.id, shelf.id]);
    // An antenna that hears it 12 dB more quietly shows at most 6.6 dB, so the move takes longer than at 10 dB.
    expect(found.locations[1]).toMatchObject({ needed_db: 7, needed_seconds: 2 });
    expect(found.confidence).toBeGreaterThan(0.9);
    expect(found.confidence).toBeLessThanOrEqual(1);
  });

  it('needs less time for a location that has been ahead already', async () => {
    const { asset, tagId, antennas, decided } = await setUp();
    const here = [15, 13, 11, 9, 7].map((ago) => ({ antenna: antennas.shelf, tag: tagId, rssi: -60, ago }));
    const elsewhere = { antenna: antennas.gate, tag: tagId, rssi: -55, ago: 6 };
    const state = decided([...here, elsewhere]);
    expect(state.rivals).toHaveLength(1);
    await storePosition(asset, state);
    const [, gate] = (await viewer.assets.evidence({ asset_id: asset })).locations;
    await world.db.assetPosition.updateMany({
      where: { assetId: asset },
      data: { locating: encodeState({ ...state, rivals: [] }) },
    });
    const [, without] = (await viewer.assets.evidence({ asset_id: asset })).locations;
    expect(gate?.needed_seconds).toBeLessThan(without?.needed_seconds ?? 0);
  });

  it('names the location before, and a person’s scan as the reason', async () => {
    const { dock, asset, tagId, antennas, decided } = await setUp();
    const read = decided([{ antenna: antennas.shelf, tag: tagId, rssi: -50, ago: 60 }]);
    const scan = { location: dock, atMs: nowMs - 30 * secondMs };
    await storePosition(asset, judgeScan(read, scan).state);
    expect(await viewer.assets.evidence({ asset_id: asset })).toMatchObject({
      location_id: dock,
      is_held_by_scan: true,
      confidence: 0.99,
      reason: { code: 'handheld', other_location_name: 'Aisle C' },
    });
  });

  it('leaves out antennas of deleted readers, and has no type for a detached tag', async () => {
    const { shelf, gate, asset, tagId, antennas, decided } = await setUp();
    const state = decided([
      { antenna: antennas.shelf, tag: tagId, rssi: -50, ago: 60 },
      { antenna: antennas.gate, tag: tagId, rssi: -90, ago: 59 },
    ]);
    await storePosition(asset, state);
    await org.admin.readers.delete({ id: gate.id });
    await world.db.tag.deleteMany({ where: { id: tagId } });
    expect((await viewer.assets.evidence({ asset_id: asset })).evidence).toMatchObject([
      { reader_id: shelf.id, tag_type: null, tag_value: null },
    ]);
  });

  it('knows nothing of an asset that was never seen, or not since positions are decided', async () => {
    const nothing = {
      confidence: null,
      reason: null,
      placement: null,
      is_held_by_scan: false,
      locations: [],
      evidence: [],
    };
    const asset = await org.asset();
    expect(await viewer.assets.evidence({ asset_id: asset })).toEqual({
      location_id: null,
      location_name: null,
      ...nothing,
    });
    const hall = await org.location();
    await world.db.assetPosition.create({
      data: {
        orgId: org.orgId,
        assetId: asset,
        locationId: hall,
        assetLastSeen: new Date(nowMs),
        locatedSince: new Date(nowMs),
      },
    });
    expect(await viewer.assets.evidence({ asset_id: asset })).toMatchObject({ location_id: hall, ...nothing });
  });

  it('is rejected for assets of another organization, and for deleted ones', async () => {
    const asset = await org.asset();
    const notFound = { type: 'not_found', detail: 'Asset not found' };
    const other = await (await world.organization()).as('admin');
    expect(await refusalOf(other.assets.evidence({ asset_id: asset }))).toEqual(notFound);
    await org.deleteAsset(asset);
    expect(await refusalOf(viewer.assets.evidence({ asset_id: asset }))).toEqual(notFound);
  });
});
