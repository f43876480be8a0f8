import { ulid } from 'ulid';
import { expect, test } from 'vitest';
import { ingestReads } from '../../server/tracking/scans/ingest.js';
import { createFixture, epc, message, read } from '../server/tracking/scans/tag-reads.js';
import { createScanWorld } from '../support/scan-world.js';
import { fileWorld } from '../support/shared.js';
import { visitsIn } from '../support/visits.js';

/** How far the clock was ahead. */
const wrongByMs = 7_200_000;

const world = fileWorld(createScanWorld);

/** An asset that was read at the dock a minute ago, and at the shelf, the dock and the shelf while the clock was ahead. */
async function setUp() {
  const fixture = await createFixture(world, { location_rule: 'newest' });
  const { org, reader, location: dock } = fixture;
  const [shelf, ramp] = [await org.location(), await org.location()];
  const ports = new Map([dock, shelf, ramp].map((location, index) => [location, index + 1]));
  await org.admin.readers.update({
    id: reader.id,
    antennas: [
      { port: 2, location_id: shelf },
      { port: 3, location_id: ramp },
    ],
  });
  const readAt = async (location: number, atMs: number) => {
    const reads = [read({ antenna: ports.get(location) ?? 1, observedAtMs: atMs })];
    const options = { retentionDays: 365, waitForTrees: true, nowMs: atMs };
    await ingestReads(world.connections, [message({ org, reader }, reads, atMs)], options);
  };
  const startMs = Date.now() - 60_000;
  const wrongMs = startMs + wrongByMs;
  await readAt(dock, startMs);
  await readAt(shelf, wrongMs);
  await readAt(dock, wrongMs + 1000);
  await readAt(shelf, wrongMs + 2000);
  return { ...fixture, dock, shelf, ramp, readAt, startMs, wrongMs };
}

type Fixture = Awaited<ReturnType<typeof setUp>>;

/** Where the asset is, since when and by what was decided, and where its visits up to now were. */
async function shownOf({ org, asset }: Fixture) {
  const visits = await visitsIn(world.db, org);
  const position = await world.db.assetPosition.findFirstOrThrow({ where: { orgId: org.orgId, assetId: asset } });
  const evidence = await org.admin.assets.evidence({ asset_id: asset });
  const isNow = (at: Date) => at.getTime() <= Date.now() + 1000;
  return {
    location: position.locationId,
    decided: evidence.location_id,
    isNow: [position.assetLastSeen, position.locatedSince, position.listedAt].every(isNow),
    visits: visits.filter(({ arrivedAt }) => isNow(arrivedAt)).map(({ locationId }) => locationId),
    isInOrder: visits.every(
      ({ leftAt }, index) => (leftAt?.getTime() ?? null) === (visits[index + 1]?.arrivedAt.getTime() ?? null),
    ),
  };
}

test('a read places an asset that was read while the clock was ahead', async () => {
  const fixture = await setUp();
  const { org, reader, dock, shelf, ramp } = fixture;
  const receive = (antenna: number) =>
    world.core.ingestion.ingest(message({ org, reader }, [read({ antenna, observedAtMs: null })]).message);
  await receive(1);
  const there = { isNow: true, isInOrder: true };
  expect(await shownOf(fixture)).toEqual({ ...there, location: dock, decided: dock, visits: [dock] });
  await receive(3);
  expect(await shownOf(fixture)).toEqual({ ...there, location: ramp, decided: ramp, visits: [dock, ramp] });
  await receive(2);
  expect(await shownOf(fixture)).toEqual({ ...there, location: shelf, decided: shelf, visits: [dock, ramp, shelf] });
  const { last_message_at: at } = await org.admin.readers.get({ id: reader.id });
  expect(Date.parse(at ?? '')).toBeLessThan(Date.now() + 1000);
});

test('once the time has come that the clock was ahead by, the next read goes on from there', async () => {
  const fixture = await setUp();
  const { dock, shelf, ramp, readAt, startMs, wrongMs } = fixture;
  await readAt(ramp, startMs + 30_000);
  await readAt(dock, wrongMs + 60_000);
  const visits = await visitsIn(world.db, fixture.org);
  expect(visits.map(({ locationId }) => locationId)).toEqual([dock, ramp, shelf, dock, shelf, dock]);
  expect(await shownOf(fixture)).toMatchObject({ location: dock, decided: dock, isInOrder: true });
});

test('a scan with a handheld places it too, and so does a calibration', async () => {
  const [scanned, calibrated] = [await setUp(), await setUp()];
  const reads = [{ value: epc }];
  await scanned.org.admin.scans.submit({ submission_id: ulid(), location_id: scanned.ramp, reads });
  await calibrated.org.admin.locations.calibrate({ location_id: calibrated.ramp, asset_id: calibrated.asset });
  for (const fixture of [scanned, calibrated]) {
    const { dock, ramp } = fixture;
    const shown = { location: ramp, decided: ramp, visits: [dock, ramp], isNow: true, isInOrder: true };
    expect(await shownOf(fixture)).toEqual(shown);
  }
});

test('a calibration begins although a reader has stamped a read some seconds ahead', async () => {
  const { org, asset, dock, ramp, readAt } = await setUp();
  await org.admin.locations.calibrate({ location_id: dock, asset_id: asset });
  await readAt(dock, Date.now() + 4000);
  await org.admin.locations.calibrate({ location_id: ramp, asset_id: asset });
  expect(await org.positions()).toMatchObject([{ location_id: ramp }]);
});
