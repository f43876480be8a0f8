import { describe, expect, it } from 'vitest';
import { antennaKey, type AssetState, decide, decideHandheld, encodeState } from '../../../../server/locating/index.js';
import type { AntennaSettings, Surroundings } from '../../../../server/locating/types.js';
import { refusalOf } from '../../../support/caller.js';
import { sharedScanWorld } from '../../../support/scan-world.js';

const world = await sharedScanWorld();

const org = await world.organization();
const viewer = await org.as('viewer');

const nowMs = Math.floor(Date.now() / 1000) * 1000;
const secondMs = 1000;
const at = (secondsAgo: number) => new Date(nowMs - secondsAgo * secondMs).toISOString();

type TestRead = { antenna: number; tag: number; rssi: number; ago: number };

/** The inputs of a decision if nothing has been learned yet. */
function surroundings(settings: ReadonlyMap<number, AntennaSettings>): Surroundings {
  return {
    antenna: (key) => settings.get(key),
    level: () => undefined,
    signature: () => undefined,
    reportedUntilMs: () => nowMs,
  };
}

/** Stores a position as ingestion does after it has decided. */
async function storePosition(assetId: number, state: AssetState): Promise<void> {
  await world.db.assetPosition.create({
    data: {
      ...{ orgId: org.orgId, assetId, locationId: state.location || null },
      ...{ assetLastSeen: new Date(state.lastSeenMs), locatedSince: new Date(state.sinceMs) },
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
      const read = { antenna, tag: id, rssiDbm: rssi, atMs: nowMs - ago * secondMs };
      ({ state } = decide(state, read, surroundings(settings)));
    }
    if (!state) throw new Error('no reads');
    return state;
  }
  return { aisle, dock, shelf, gate, asset, tagId, antennas, settings, decided };
}

describe('assets.evidence', () => {
  it('lists what each antenna read, the location’s own first, with a reason and a confidence', async () => {
    const { aisle, dock, shelf, gate, asset, tagId, antennas, decided } = await setUp();
    const first = decided([{ antenna: antennas.shelf, tag: tagId, rssi: -50, ago: 600 }]);
    const tallies = first.tallies.flatMap((tally) => [
      { ...tally, antenna: antennas.gate, reads: 1, level: -7500, lastMs: nowMs - 590 * secondMs },
      { ...tally, reads: 9, level: -5000, lastMs: nowMs - 510 * secondMs },
    ]);
    const state: AssetState = { ...first, tallies, lastSeenMs: nowMs - 510 * secondMs };
    await storePosition(asset, state);
    await world.db.reader.updateMany({
      where: { id: { in: [shelf.id, gate.id] } },
      data: { lastMessageAt: new Date(nowMs - 100 * secondMs) },
    });
    const found = await viewer.assets.evidence({ asset_id: asset });
    expect(found).toMatchObject({
      ...{ location_id: aisle, location_name: 'Aisle C', decided_at: at(600) },
      reason: { code: 'first', other_location_id: null },
      evidence: [
        {
          ...{ reader_id: shelf.id, reader_name: 'Shelf', antenna: 1, kind: 'zone' },
          ...{ location_id: aisle, location_name: 'Aisle C', tag_type: 'rfid', tag_value: `E-${shelf.id}` },
          ...{ rssi_dbm: -50, reads: 9, last_read_at: at(510), silent_seconds: 410 },
        },
        {
          ...{ reader_id: gate.id, reader_name: 'Gate', antenna: 2, kind: 'portal' },
          ...{ location_id: dock, location_name: 'Dock 1' },
          ...{ rssi_dbm: -75, reads: 1, last_read_at: at(590), silent_seconds: 490 },
        },
      ],
    });
    expect(found.confidence).toBeGreaterThan(0.5);
    expect(found.confidence).toBeLessThanOrEqual(1);
  });

  it('names the location that one more read would move the asset to', async () => {
    const { aisle, dock, shelf, gate, asset, tagId, antennas, settings, decided } = await setUp();
    settings.set(antennas.gate, { location: dock, kind: 'zone', rule: 'evidence' });
    await world.db.readerAntenna.updateMany({ where: { locationId: dock }, data: { kind: 'zone' } });
    await world.db.reader.updateMany({
      where: { id: { in: [shelf.id, gate.id] } },
      data: { lastMessageAt: new Date(nowMs) },
    });
    const here = [15, 13, 11, 9, 7].map((ago) => ({ antenna: antennas.shelf, tag: tagId, rssi: -60, ago }));
    const elsewhere = (ago: number) => ({ antenna: antennas.gate, tag: tagId, rssi: -65, ago });
    await storePosition(asset, decided([...here, elsewhere(4)]));
    expect((await viewer.assets.evidence({ asset_id: asset })).next_location).toEqual({ id: dock, name: 'Dock 1' });
    expect(decided([...here, elsewhere(4)]).location).toBe(aisle);
    expect(decided([...here, elsewhere(4), elsewhere(0)]).location).toBe(dock);
    // Read at its location again, nothing is about to move it.
    await world.db.assetPosition.deleteMany({ where: { assetId: asset } });
    await storePosition(asset, decided(here));
    expect((await viewer.assets.evidence({ asset_id: asset })).next_location).toBeNull();
  });

  it('does not call an antenna silent whose reader has not reported since', async () => {
    const { shelf, asset, tagId, antennas, decided } = await setUp();
    await storePosition(asset, decided([{ antenna: antennas.shelf, tag: tagId, rssi: -50, ago: 600 }]));
    await world.db.reader.update({ where: { id: shelf.id }, data: { lastMessageAt: new Date(nowMs - 600_000) } });
    expect((await viewer.assets.evidence({ asset_id: asset })).evidence).toMatchObject([{ silent_seconds: null }]);
  });

  it('takes what was learned of the antennas into account', async () => {
    const { aisle, dock, shelf, gate, asset, tagId, antennas, decided } = await setUp();
    const reads = Array.from({ length: 6 }, (_, index) => ({ tag: tagId, rssi: -60, ago: 60 - index }));
    await storePosition(asset, decided(reads.map((read) => ({ ...read, antenna: antennas.shelf }))));
    const before = await viewer.assets.evidence({ asset_id: asset });
    const level = { orgId: org.orgId, flickerDb: 2, gapMs: 1000, reads: 500 };
    await world.db.antennaLevel.createMany({
      data: [
        { ...level, readerId: shelf.id, antenna: 1, meanDbm: -60 },
        { ...level, readerId: gate.id, antenna: 2, meanDbm: -60 },
      ],
    });
    const signature = { orgId: org.orgId, reads: 200, variance: 4, antenna: 1, readerId: shelf.id };
    await world.db.locationSignature.createMany({
      data: [
        { ...signature, locationId: aisle, meanDbm: -60 },
        { ...signature, locationId: dock, meanDbm: -80 },
      ],
    });
    const after = await viewer.assets.evidence({ asset_id: asset });
    expect(after.confidence).toBeGreaterThanOrEqual(before.confidence ?? 1);
  });

  it('names the location before, and a person’s scan as the reason', async () => {
    const { aisle, dock, asset, tagId, antennas, settings, decided } = await setUp();
    const read = decided([{ antenna: antennas.shelf, tag: tagId, rssi: -50, ago: 60 }]);
    const scan = { location: dock, atMs: nowMs - 30 * secondMs };
    await storePosition(asset, decideHandheld(read, scan, surroundings(settings)).state);
    expect(await viewer.assets.evidence({ asset_id: asset })).toMatchObject({
      location_id: dock,
      reason: { code: 'handheld', other_location_id: aisle, other_location_name: 'Aisle C' },
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
    const nothing = { confidence: null, reason: null, next_location: null, evidence: [] };
    const asset = await org.asset();
    expect(await viewer.assets.evidence({ asset_id: asset })).toEqual({
      ...{ location_id: null, location_name: null, decided_at: null },
      ...nothing,
    });
    const hall = await org.location();
    await world.db.assetPosition.create({
      data: {
        ...{ orgId: org.orgId, assetId: asset, locationId: hall },
        ...{ assetLastSeen: new Date(nowMs), locatedSince: new Date(nowMs) },
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
