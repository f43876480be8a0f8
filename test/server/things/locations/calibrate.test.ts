import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { antennaKey } from '../../../../server/locating/index.js';
import { ingestReads } from '../../../../server/tracking/scans/ingest.js';
import {
  createLocatingKnowledge,
  type LocatingKnowledge,
} from '../../../../server/tracking/scans/locating-knowledge.js';
import { refusalOf } from '../../../support/caller.js';
import {
  type AppCaller,
  sharedScanWorld,
  type ScanOrganization,
  type TestReader,
} from '../../../support/scan-world.js';

const world = await sharedScanWorld();
/** What the process that stores reads has learned; it saves it when the test says so. */
let locating: LocatingKnowledge;

beforeAll(async () => {
  locating = createLocatingKnowledge(world);
});

afterAll(() => locating.stop());

const secondMs = 1000;
const epc = 'E2801190A503006543E21224';

type Fixture = {
  org: ScanOrganization;
  manager: AppCaller;
  here: number;
  next: number;
  asset: number;
  reader: TestReader;
};

/** A reader with an antenna at each of two locations, and an asset that is read by both. */
async function setUp(): Promise<Fixture> {
  const org = await world.organization();
  const [here, next] = [await org.location(), await org.location()];
  const asset = await org.asset({ tags: [['rfid', epc]] });
  const reader = await org.reader({
    location_rule: 'evidence',
    antennas: [
      { port: 1, location_id: here },
      { port: 2, location_id: next },
    ],
  });
  return { org, manager: await org.as('manager'), here, next, asset, reader };
}

type Read = { antenna: number; rssiDbm: number; atMs: number; value?: string };

/** Stores reads that arrive when they are made. */
async function ingest({ org, reader }: Fixture, reads: readonly Read[]): Promise<void> {
  await locating.prepare([org.orgId]);
  for (const { antenna, rssiDbm, atMs, value = epc } of reads) {
    const content = {
      kind: 'reads' as const,
      reads: [{ tagType: 'rfid' as const, value, antenna, rssiDbm, observedAtMs: null }],
    };
    const message = { orgId: org.orgId, readerId: reader.id, topic: reader.publish_topic, content };
    await ingestReads(world.connections, [{ message, receivedAtMs: atMs }], {
      retentionDays: 365,
      waitForTrees: true,
      knowledge: locating,
      nowMs: atMs,
    });
  }
}

const locationOf = async ({ org }: Fixture) => (await org.positions())[0]?.location_id;

describe('locations.calibrate', () => {
  it('places the asset, keeps it there, and learns how antennas read it until the time is over', async () => {
    const fixture = await setUp();
    const { manager, here, next, asset, reader } = fixture;
    const { started_at, ends_at } = await manager.locations.calibrate({
      location_id: here,
      asset_id: asset,
      seconds: 60,
    });
    const startMs = Date.parse(started_at);
    expect(Date.parse(ends_at) - startMs).toBe(60 * secondMs);
    expect(await locationOf(fixture)).toBe(here);

    // The antenna of the next location reads it better than its own all the time.
    const during = Array.from({ length: 20 }, (_, index) => startMs + (index + 1) * 2 * secondMs);
    await ingest(
      fixture,
      during.flatMap((atMs) => [
        { antenna: 1, rssiDbm: -62, atMs },
        { antenna: 2, rssiDbm: -50, atMs: atMs + 500 },
      ]),
    );
    expect(await locationOf(fixture)).toBe(here);
    await locating.save();
    const learned = await manager.locations.signatures({ location_id: here });
    expect(learned).toMatchObject([
      { reader_id: reader.id, reader_name: 'Door', antenna: 2, below_loudest_db: expect.closeTo(0, -1) },
      { reader_id: reader.id, antenna: 1, below_loudest_db: expect.closeTo(12, -1) },
    ]);
    // Each ten seconds count like five visits.
    expect(learned.every(({ visits }) => visits >= 15)).toBe(true);
    expect(await manager.locations.signatures({ location_id: next })).toEqual([]);
  });

  it('is in the activity log, as is its reset', async () => {
    const { manager, here, asset } = await setUp();
    await manager.locations.calibrate({ location_id: here, asset_id: asset, seconds: 90 });
    await manager.locations.resetSignatures({ location_id: here });
    const { data } = await manager.activity.list({ kind: 'location', object_id: String(here) });
    const [reset, calibrated] = data;
    expect(reset).toMatchObject({ action: 'calibration_reset', entry_point: 'app', before: {}, after: {} });
    expect(calibrated).toMatchObject({
      action: 'calibrated',
      actor: { kind: 'user' },
      before: {},
      after: { asset: expect.any(String), seconds: 90 },
    });
    expect(calibrated?.object_name).toBe(reset?.object_name);
    // What is rejected leaves no entry.
    await refusalOf(manager.locations.calibrate({ location_id: here, asset_id: 2_000_000_000 }));
    expect((await manager.activity.list({ kind: 'location', object_id: String(here) })).data).toHaveLength(data.length);
  });

  it('takes a minute by default, and can be restarted', async () => {
    const { manager, here, asset } = await setUp();
    for (const seconds of [undefined, 300]) {
      const { started_at, ends_at } = await manager.locations.calibrate({
        location_id: here,
        asset_id: asset,
        ...(seconds !== undefined && { seconds }),
      });
      expect(Date.parse(ends_at) - Date.parse(started_at)).toBe((seconds ?? 60) * secondMs);
    }
  });

  it.each([29, 301, 60.5])('is not for %d seconds', async (seconds) => {
    const { manager, here, asset } = await setUp();
    expect(await refusalOf(manager.locations.calibrate({ location_id: here, asset_id: asset, seconds }))).toMatchObject(
      {
        fields: [{ field: 'seconds' }],
      },
    );
  });

  it('needs an asset of the organization with a tag that readers read, and a location', async () => {
    const { org, manager, here, asset } = await setUp();
    const other = await world.organization();
    const barcode = await org.asset({ tags: [['barcode', '42']] });
    const deleted = await org.asset({ tags: [['ble', 'AC233FA03208']] });
    await org.deleteAsset(deleted);
    const start = (location_id: number, asset_id: number) => manager.locations.calibrate({ location_id, asset_id });
    expect(await refusalOf(start(here, barcode))).toMatchObject({
      fields: [{ field: 'asset_id', message: 'This asset has no RFID or BLE tag' }],
    });
    for (const missing of [deleted, await other.asset({ tags: [['rfid', 'F1']] })]) {
      expect(await refusalOf(start(here, missing))).toMatchObject({
        fields: [{ field: 'asset_id', code: 'fk_not_found' }],
      });
    }
    const notFound = { type: 'not_found', detail: 'Location not found' };
    expect(await refusalOf(start(await other.location(), asset))).toEqual(notFound);
    await org.deleteLocation(here);
    expect(await refusalOf(start(here, asset))).toEqual(notFound);
  });
});

it('a location’s own tag teaches what its antennas read, without any position', async () => {
  const fixture = await setUp();
  const { org, manager, here } = fixture;
  await manager.tags.addToLocation({ location_id: here, tag_type: 'rfid', value: 'E2000001' });
  const nowMs = Date.now();
  await ingest(
    fixture,
    Array.from({ length: 15 }, (_, index) => ({
      antenna: 1,
      rssiDbm: -58,
      atMs: nowMs + index * secondMs,
      value: 'E2000001',
    })),
  );
  await locating.save();
  expect(await manager.locations.signatures({ location_id: here })).toMatchObject([
    { antenna: 1, below_loudest_db: expect.closeTo(0, -1) },
  ]);
  expect(await org.positions()).toEqual([]);
});

it('what was learned of a location is forgotten on demand', async () => {
  const { org, manager, here, next, reader } = await setUp();
  const antennas = [{ reader: reader.id, port: 1, location: here, visits: 9, sum_db: -9, gap_ms: 0 }];
  await world.db.locationPicture.createMany({
    data: [here, next].map((locationId) => ({ orgId: org.orgId, locationId, visits: 9, antennas })),
  });
  await manager.locations.resetSignatures({ location_id: here });
  expect(await manager.locations.signatures({ location_id: here })).toEqual([]);
  expect(await manager.locations.signatures({ location_id: next })).toHaveLength(1);
  const outsider = await (await world.organization()).as('admin');
  const notFound = { type: 'not_found', detail: 'Location not found' };
  expect(await refusalOf(outsider.locations.resetSignatures({ location_id: next }))).toEqual(notFound);
  expect(await refusalOf(outsider.locations.signatures({ location_id: next }))).toEqual(notFound);
  expect(await manager.locations.signatures({ location_id: next })).toHaveLength(1);
});

it('what another process has learned of a location before it was forgotten is not stored again', async () => {
  const fixture = await setUp();
  const { manager, here, asset } = fixture;
  const { started_at } = await manager.locations.calibrate({ location_id: here, asset_id: asset, seconds: 30 });
  const startMs = Date.parse(started_at);
  await ingest(
    fixture,
    Array.from({ length: 20 }, (_, index) => ({ antenna: 1, rssiDbm: -48, atMs: startMs + (index + 1) * secondMs })),
  );
  await manager.locations.resetSignatures({ location_id: here });
  await locating.save();
  expect(await manager.locations.signatures({ location_id: here })).toEqual([]);
});

it('a reader that sends messages without reads is known to be alive', async () => {
  const { org, here } = await setUp();
  const reader = await org.reader({ location_rule: 'evidence', location_id: here });
  await locating.prepare([org.orgId]);
  const nowMs = Date.now();
  for (const receivedAtMs of [nowMs, nowMs + 60 * secondMs]) {
    const content = { kind: 'reads' as const, reads: [] };
    const message = { orgId: org.orgId, readerId: reader.id, topic: reader.publish_topic, content };
    await ingestReads(world.connections, [{ message, receivedAtMs }], {
      retentionDays: 365,
      waitForTrees: true,
      knowledge: locating,
    });
  }
  expect(locating.siteOf(org.orgId).surroundings.reader(antennaKey(reader.id, 1))?.untilMs).toBe(nowMs);
});
