import { ulid } from 'ulid';
import { expect, it } from 'vitest';
import { removeOldChecks } from '../../../../server/things/locations/check-queries.js';
import { ingestReads } from '../../../../server/tracking/scans/ingest.js';
import { sharedScanWorld, type ScanOrganization, type TestReader } from '../../../support/scan-world.js';

const world = await sharedScanWorld();

/** Locations with an antenna each, and one without. */
async function setUp() {
  const org = await world.organization();
  const [a, b, c] = [
    await org.location({ name: 'A' }),
    await org.location({ name: 'B' }),
    await org.location({ name: 'C' }),
  ];
  const reader = await org.reader({
    antennas: [
      { port: 1, location_id: a },
      { port: 2, location_id: b },
    ],
  });
  return { org, reader, a, b, c };
}

/** Stores a read of an asset by an antenna some seconds ago. */
async function read({ org, reader }: { org: ScanOrganization; reader: TestReader }, value: string, antenna: number) {
  const reads = [{ tagType: 'rfid' as const, value, antenna, rssiDbm: -50, observedAtMs: null }];
  const message = {
    orgId: org.orgId,
    readerId: reader.id,
    topic: reader.publish_topic,
    content: { kind: 'reads' as const, reads },
  };
  await ingestReads(world.connections, [{ message, receivedAtMs: Date.now() - 3000 }], {
    retentionDays: 365,
    waitForTrees: true,
  });
}

type Scan = { at: number; assets: readonly number[]; id?: string };

const scan = ({ org }: { org: ScanOrganization }, { at, assets, id = ulid() }: Scan) =>
  org.admin.scans.submit({ submission_id: id, location_id: at, reads: assets.map((asset_id) => ({ asset_id })) });

it('compares each scan with where readers had the asset before, once', async () => {
  const fixture = await setUp();
  const { org, a, b } = fixture;
  const [first, second] = [
    await org.asset({ tags: [['rfid', 'AA01']] }),
    await org.asset({ tags: [['rfid', 'AA02']] }),
  ];
  await read(fixture, 'AA01', 1);
  await read(fixture, 'AA02', 1);
  const id = ulid();
  await scan(fixture, { at: a, assets: [first], id });
  await scan(fixture, { at: a, assets: [first], id });
  await scan(fixture, { at: b, assets: [second] });
  // No reader has read it since, so these scans compare people with people.
  await scan(fixture, { at: b, assets: [first] });
  await scan(fixture, { at: a, assets: [second] });
  // An asset that was never read has been shown nowhere.
  await scan(fixture, { at: a, assets: [await org.asset()] });
  expect(await org.admin.locations.accuracy()).toEqual({
    days: 30,
    checks: 2,
    right: 1,
    data: [
      {
        location: { id: b, name: 'B' },
        checks: 1,
        right: 0,
        confusions: [{ location: { id: a, name: 'A' }, checks: 1 }],
        advice: null,
      },
      { location: { id: a, name: 'A' }, checks: 1, right: 1, confusions: [], advice: null },
    ],
  });
  const stranger = await world.organization();
  expect(await stranger.admin.locations.accuracy()).toEqual({ days: 30, checks: 0, right: 0, data: [] });
});

it('counts what a calibration finds', async () => {
  const fixture = await setUp();
  const { org, b } = fixture;
  const asset = await org.asset({ tags: [['rfid', 'AB01']] });
  await read(fixture, 'AB01', 1);
  await org.admin.locations.calibrate({ location_id: b, asset_id: asset });
  expect(await org.admin.locations.accuracy()).toMatchObject({ checks: 1, right: 0 });
});

it('says what to do about frequent mistakes', async () => {
  const { org, a, b, c } = await setUp();
  const checks = (locationId: number, shownLocationId: number, count: number) => ({
    orgId: org.orgId,
    day: new Date(),
    locationId,
    shownLocationId,
    checks: count,
  });
  const adviceAt = async () => {
    const { data } = await org.admin.locations.accuracy();
    return data.map(({ location, advice }) => [location.name, advice]);
  };
  await world.db.locationCheck.createMany({
    data: [checks(a, b, 6), checks(a, a, 10), checks(c, a, 5), checks(b, b, 9)],
  });
  expect(await adviceAt()).toEqual([
    ['A', 'raise_threshold'],
    ['C', 'add_antenna'],
    ['B', null],
  ]);
  await world.db.locationCheck.createMany({ data: [checks(b, a, 3)] });
  expect(await adviceAt()).toEqual([
    ['A', 'combine'],
    ['C', 'add_antenna'],
    ['B', 'combine'],
  ]);
});

it('forgets counts after thirty days, and does not grow without bound on one', async () => {
  const fixture = await setUp();
  const { org, a, b } = fixture;
  const asset = await org.asset({ tags: [['rfid', 'AC01']] });
  const day = new Date();
  const old = new Date(Date.now() - 30 * 86_400_000);
  const row = { orgId: org.orgId, locationId: a, checks: 1 };
  await world.db.locationCheck.createMany({
    data: [
      { ...row, day: old, shownLocationId: a },
      ...Array.from({ length: 1000 }, (_, i) => ({ ...row, day, shownLocationId: 1_000_000 + i })),
    ],
  });
  await read(fixture, 'AC01', 2);
  await scan(fixture, { at: b, assets: [asset] });
  expect(await org.admin.locations.accuracy()).toMatchObject({ checks: 1000, right: 0 });
  await removeOldChecks(world.db);
  expect(await world.db.locationCheck.count({ where: { orgId: org.orgId } })).toBe(1000);
});
