import { ulid } from 'ulid';
import { expect, test, vi } from 'vitest';
import { createClockWatch } from '../../server/kernel/clock-watch.js';
import { bringAllBack } from '../../server/tracking/scans/ahead.js';
import { ingestReads } from '../../server/tracking/scans/ingest.js';
import { createFixture, epc, message, read } from '../server/tracking/scans/tag-reads.js';
import { createScanWorld } from '../support/scan-world.js';
import { fileWorld, useFakeTimers } from '../support/shared.js';

/** How far the clock was ahead. */
const wrongByMs = 7_200_000;

const world = fileWorld(createScanWorld);

/** An asset that was read at the dock now, and at the shelf, the dock and the shelf while the clock was ahead. */
async function setUp(of = world) {
  const fixture = await createFixture(of, { location_rule: 'newest' });
  const { org, reader, location: dock } = fixture;
  const shelf = await org.location();
  const portOf = { [dock]: 1, [shelf]: 2 };
  await org.admin.readers.update({ id: reader.id, antennas: [{ port: 2, location_id: shelf }] });
  const readAt = async (location: number, atMs: number) => {
    const reads = [read({ antenna: portOf[location] ?? 1, observedAtMs: atMs })];
    const options = { retentionDays: 365, waitForTrees: true, nowMs: atMs };
    await ingestReads(of.connections, [message({ org, reader }, reads, atMs)], options);
  };
  const startMs = Date.now() - 60_000;
  const wrongMs = startMs + wrongByMs;
  await readAt(dock, startMs);
  await readAt(shelf, wrongMs);
  await readAt(dock, wrongMs + 1000);
  await readAt(shelf, wrongMs + 2000);
  return { ...fixture, db: of.db, dock, shelf, readAt, startMs };
}

type Fixture = Awaited<ReturnType<typeof setUp>>;

/** Where the asset is and was: the locations of its events and visits, and whether any of their times is in the future. */
async function shownOf({ org, asset, db }: Fixture) {
  const events = await org.events(asset);
  const visits = await db.assetVisit.findMany({ where: { orgId: org.orgId }, orderBy: { arrivedAt: 'asc' } });
  const [position] = await org.positions();
  const evidence = await org.admin.assets.evidence({ asset_id: asset });
  const times = [
    ...events.map(({ at }) => at),
    ...visits.flatMap(({ arrivedAt, leftAt }) => [arrivedAt, leftAt ?? arrivedAt].map((at) => at.toISOString())),
    position?.at ?? '',
  ];
  return {
    location: position?.location_id,
    decided: evidence.location_id,
    events: events.map(({ location_id: id }) => id),
    visits: visits.map(({ locationId: id }) => id),
    arrivals: visits.filter(({ arrivedAt }) => !events.some(({ at }) => at === arrivedAt.toISOString())),
    open: visits.filter(({ leftAt }) => leftAt === null).map(({ locationId: id }) => id),
    inFuture: times.filter((at) => Date.parse(at) > Date.now() + 1000),
    inOrder: visits.every(
      ({ leftAt }, index) => leftAt === null || leftAt.getTime() === visits[index + 1]?.arrivedAt.getTime(),
    ),
  };
}

test('a read outweighs what was stored while the clock was ahead', async () => {
  const fixture = await setUp();
  const { org, reader, dock, shelf } = fixture;
  await world.core.ingestion.ingest(message({ org, reader }, [read({ observedAtMs: null })]).message);
  expect(await shownOf(fixture)).toMatchObject({
    ...{
      location: dock,
      decided: dock,
      events: [dock, shelf, dock, shelf, dock],
      visits: [dock, shelf, dock, shelf, dock],
    },
    ...{ arrivals: [], open: [dock], inFuture: [], inOrder: true },
  });
  const { last_message_at: at } = await org.admin.readers.get({ id: reader.id });
  expect(Date.parse(at ?? '')).toBeLessThan(Date.now() + 1000);
});

test('so does the scan of a handheld', async () => {
  const fixture = await setUp();
  const { org, dock, shelf } = fixture;
  const reads = [{ value: epc }];
  await org.admin.scans.submit({ submission_id: ulid(), location_id: dock, reads });
  expect(await shownOf(fixture)).toMatchObject({
    ...{ location: dock, events: [dock, shelf, dock, shelf, dock], visits: [dock, shelf, dock, shelf, dock] },
    ...{ arrivals: [], open: [dock], inFuture: [], inOrder: true },
  });
});

test('what is in the future is brought back to now without a read, in its order, and nothing else is changed', async () => {
  const fixture = await setUp();
  const other = await createFixture(world);
  const beforeMs = Date.now() - 1000;
  await ingestReads(world.connections, [message(other, [read({ observedAtMs: beforeMs })])], {
    retentionDays: 365,
    waitForTrees: true,
  });
  const { dock, shelf } = fixture;
  expect(await bringAllBack(world.db)).toBe(1);
  expect(await shownOf(fixture)).toMatchObject({
    ...{ location: shelf, decided: shelf, events: [dock, shelf, dock, shelf], visits: [dock, shelf, dock, shelf] },
    ...{ arrivals: [], open: [shelf], inFuture: [], inOrder: true },
  });
  expect(await other.org.positions()).toMatchObject([{ at: new Date(beforeMs).toISOString() }]);
  expect(await bringAllBack(world.db)).toBe(0);
});

test('a service whose clock is put back brings back what it stored, at once', async () => {
  let wrongBy = 10_000;
  const right = Date.now;
  vi.spyOn(Date, 'now').mockImplementation(() => right() + wrongBy);
  await using own = await createScanWorld();
  const fixture = await setUp(own);
  expect((await shownOf(fixture)).inFuture).not.toEqual([]);
  wrongBy = 0;
  await expect.poll(own.core.clockJumps).toBe(1);
  await expect.poll(() => shownOf(fixture)).toMatchObject({ location: fixture.shelf, inFuture: [], inOrder: true });
});

test('a jump of the clock is noticed, logged and counted, and one back brings back what is in the future', async () => {
  useFakeTimers();
  let wrongBy = 0;
  let backs = 0;
  const logged: unknown[] = [];
  const watch = createClockWatch({
    log: { warn: (...line: unknown[]) => void logged.push(line) },
    onBack: () => (backs += 1),
    wallMs: () => Date.now() + wrongBy,
  });
  try {
    const after = async (ms: number) => {
      wrongBy += ms;
      await vi.advanceTimersByTimeAsync(1000);
      return [watch.jumps(), backs];
    };
    expect(await after(500)).toEqual([0, 0]);
    expect(await after(3_600_000)).toEqual([1, 0]);
    expect(await after(-3_600_000)).toEqual([2, 1]);
    expect(await after(0)).toEqual([2, 1]);
    expect(logged).toEqual([
      [{ seconds: 3600 }, 'the clock was put forward'],
      [{ seconds: -3600 }, 'the clock was put back'],
    ]);
  } finally {
    watch.stop();
    vi.useRealTimers();
  }
});
