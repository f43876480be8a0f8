import { ulid } from 'ulid';
import { expect, it } from 'vitest';
import { createIngestion } from '../../../../server/tracking/scans/ingestion.js';
import type { ReaderMessage } from '../../../../server/tracking/scans/reader-message.js';
import { sharedScanWorld } from '../../../support/scan-world.js';
import { visitsIn } from '../../../support/visits.js';

const world = await sharedScanWorld();

const assetCount = 40;
const rounds = 30;
const roundMs = 1000;

it('stores every acknowledged read once, with its visits, while tags, readers, locations and assets change', async () => {
  const org = await world.organization();
  const { orgId, admin } = org;
  const [dock, hall, yard] = [await org.location(), await org.location(), await org.location()];
  const value = (no: number) => `E28011${no}`;
  const assets: number[] = [];
  for (let no = 0; no < assetCount; no += 1) assets.push(await org.asset({ tags: [['rfid', value(no)]] }));
  const spare = await org.asset();
  const settings = { location_rule: 'newest', resolution_seconds: 0 } as const;
  const readers = [
    await org.reader({ ...settings, location_id: dock }),
    await org.reader({ ...settings, location_id: hall }),
  ];
  // Two processes read the same assets.
  const other = createIngestion(world);
  const startMs = Date.now() - rounds * roundMs - 10_000;

  /** Each reader reads all assets, each in a millisecond of its own; every read decides, so each round moves all assets twice. */
  const messageOf = (round: number, reader: number): ReaderMessage => ({
    orgId,
    readerId: readers[reader]?.id ?? 0,
    topic: 'reads',
    content: {
      kind: 'reads',
      reads: assets.map((_, no) => ({
        tagType: 'rfid',
        value: value(no),
        antenna: 1,
        rssiDbm: null,
        observedAtMs: startMs + round * roundMs + reader * 500 + no,
      })),
    },
  });
  const changes: Record<number, () => Promise<unknown>> = {
    4: () => admin.readers.update({ id: readers[0]?.id ?? 0, location_id: yard }),
    8: () => world.db.$executeRaw`UPDATE tags SET asset_id = ${spare} WHERE org_id = ${orgId} AND value = ${value(7)}`,
    12: () => admin.scans.submit({ submission_id: ulid(), location_id: dock, reads: [{ asset_id: assets[3] ?? 0 }] }),
    16: () => admin.readers.update({ id: readers[1]?.id ?? 0, location_id: yard }),
    20: () => admin.locations.delete({ location_id: hall }).catch(() => 'assets are there'),
    24: () => admin.assets.delete({ asset_id: assets[11] ?? 0 }),
  };
  const work: Promise<unknown>[] = [];
  for (let round = 0; round < rounds; round += 1) {
    work.push(world.core.ingestion.ingest(messageOf(round, 0)), other.ingest(messageOf(round, 1)));
    const change = changes[round];
    if (change) work.push(change());
    if (round % 3 === 0) await Promise.all(work);
  }
  await Promise.all(work);
  await other.stop(1000);

  // The deleted asset no longer has reads after its deletion; they are unknown then.
  const stored = await world.db.scanEvent.findMany({
    where: { orgId },
    select: { assetId: true, eventObservedAt: true, locationId: true, readerId: true },
    orderBy: { eventObservedAt: 'asc' },
  });
  const ofReaders = stored.filter(({ readerId }) => readerId !== null);
  const [unknown] = await world.db.$queryRaw<[{ count: number }]>`
    SELECT coalesce(sum(count), 0)::float8 AS count FROM unknown_tags WHERE org_id = ${orgId}`;
  expect(ofReaders.length + unknown.count).toBe(rounds * 2 * assetCount);
  expect(stored.length - ofReaders.length).toBe(1);
  for (const assetId of [...assets, spare]) {
    const expected: { at: number; location: number | null }[] = [];
    for (const event of stored.filter((one) => one.assetId === assetId)) {
      if (expected.at(-1)?.location === event.locationId && expected.length > 0) continue;
      expected.push({ at: event.eventObservedAt.getTime(), location: event.locationId });
    }
    const visits = await visitsIn(world.db, { orgId, assetId });
    expect(visits.map(({ arrivedAt, locationId }) => ({ at: arrivedAt.getTime(), location: locationId }))).toEqual(
      expected,
    );
    expect(visits.slice(0, -1).map(({ leftAt }) => leftAt)).toEqual(visits.slice(1).map(({ arrivedAt }) => arrivedAt));
  }
});
