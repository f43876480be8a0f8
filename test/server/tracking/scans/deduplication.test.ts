import { ulid } from 'ulid';
import { expect, it } from 'vitest';
import type { ReceivedMessage } from '../../../../server/tracking/scans/batch.js';
import { ingestReads } from '../../../../server/tracking/scans/ingest.js';
import type { TagRead } from '../../../../server/tracking/scans/reader-message.js';
import { createRandom } from '../../../support/random.js';
import { sharedScanWorld, type ScanOrganization, type TestReader } from '../../../support/scan-world.js';

const world = await sharedScanWorld();

/** A whole minute of yesterday. */
const baseMs = Math.floor((Date.now() - 86_400_000) / 60_000) * 60_000;

type Zone = { reader: TestReader; location: number; windowMs: number };
type Read = { asset: number; zone: Zone; atMs: number };
type Stored = { atMs: number; location: number };

/** The expected events and positions of an organization, by the rules one by one and without optimizations. */
function createModel() {
  const events = new Map<number, Stored[]>();
  const positions = new Map<number, Stored & { sinceMs: number }>();

  function add(asset: number, event: Stored): void {
    const own = events.get(asset) ?? [];
    events.set(
      asset,
      [...own, event].toSorted((one, other) => one.atMs - other.atMs),
    );
  }

  function see(asset: number, { atMs, location }: Stored): void {
    const present = positions.get(asset);
    if (present && present.atMs >= atMs) return;
    positions.set(asset, { atMs, location, sinceMs: present?.location === location ? present.sinceMs : atMs });
  }

  return {
    events: (asset: number) => events.get(asset) ?? [],
    positions,
    /** The reads of a batch, each asset's by their time. */
    ingest(reads: readonly Read[]): void {
      for (const { asset, zone, atMs } of reads.toSorted((one, other) => one.atMs - other.atMs)) {
        const own = events.get(asset) ?? [];
        const before = own.findLast((event) => event.atMs < atMs);
        const isThere = own.some((event) => event.atMs === atMs);
        const isFar = !before || before.location !== zone.location || atMs - before.atMs >= zone.windowMs;
        see(asset, { atMs, location: zone.location });
        if (!isThere && isFar) add(asset, { atMs, location: zone.location });
      }
    },
    submit(asset: number, event: Stored): void {
      see(asset, event);
      if (!(events.get(asset) ?? []).some(({ atMs }) => atMs === event.atMs)) add(asset, event);
    },
  };
}

async function setUp(windowSeconds: number[], isOneLocation = false) {
  const org = await world.organization();
  const assets: number[] = [];
  for (const value of ['A1', 'A2', 'A3']) assets.push(await org.asset({ tags: [['rfid', value]] }));
  const zones: Zone[] = [];
  for (const seconds of windowSeconds) {
    const location = (isOneLocation && zones[0]?.location) || (await org.location());
    const reader = await org.reader({ location_id: location, resolution_seconds: seconds });
    zones.push({ reader, location, windowMs: seconds * 1000 });
  }
  return { org, assets, zones };
}

function ingest(org: ScanOrganization, assets: number[], reads: readonly Read[]) {
  const messages = reads.map(({ asset, zone, atMs }): ReceivedMessage => {
    const value = `A${assets.indexOf(asset) + 1}`;
    const read: TagRead = { tagType: 'rfid', value, antenna: 1, rssiDbm: null, observedAtMs: atMs };
    const { reader } = zone;
    return {
      message: { orgId: org.orgId, readerId: reader.id, topic: 'reads', content: { kind: 'reads', reads: [read] } },
      receivedAtMs: Date.now(),
    };
  });
  return ingestReads(world.connections, messages, { retentionDays: 365, waitForTrees: true });
}

async function stored(org: ScanOrganization, asset: number): Promise<Stored[]> {
  return (await org.events(asset)).map(({ at, location_id }) => ({ atMs: Date.parse(at), location: location_id ?? 0 }));
}

async function positionsOf(org: ScanOrganization) {
  const rows = await world.db.assetPosition.findMany({ where: { orgId: org.orgId }, orderBy: { assetId: 'asc' } });
  return rows.map(({ assetId, assetLastSeen, locationId, locatedSince }) => ({
    asset: assetId,
    atMs: assetLastSeen.getTime(),
    location: locationId,
    sinceMs: locatedSince.getTime(),
  }));
}

it.each([
  { what: 'one deduplication window', seed: 11, windows: [60, 60, 60] },
  { what: 'several deduplication windows', seed: 12, windows: [60, 10, 0] },
  { what: 'several deduplication windows at one location', seed: 14, windows: [60, 10, 0], isOneLocation: true },
  { what: 'every read an event', seed: 13, windows: [0, 0, 0] },
])(
  'batches of reads in and out of order, with handhelds between, make what the rules say: $what',
  async ({ seed, windows, isOneLocation }) => {
    const random = createRandom(seed).below;
    const { org, assets, zones } = await setUp(windows, isOneLocation);
    const model = createModel();
    const pick = <Item>(items: readonly Item[]) => items[random(items.length)] as Item;
    // Assets stay for some time, and are seldom read elsewhere.
    const homes = new Map(assets.map((asset) => [asset, pick(zones)]));
    const placeOf = (asset: number) => {
      if (random(15) === 0) homes.set(asset, pick(zones));
      return random(8) === 0 ? pick(zones) : (homes.get(asset) as Zone);
    };
    for (let step = 0; step < 200; step += 1) {
      // Time goes on by 4 s a step; a third of what comes is up to 100 s late, and some of it comes twice.
      const nowMs = baseMs + step * 4000;
      const late = () => (random(3) === 0 ? random(100) * 1000 : random(4) * 1000);
      const atMs = () => nowMs - late();
      if (random(10) === 0) {
        const [asset, { location }] = [pick(assets), pick(zones)];
        const at = atMs();
        model.submit(asset, { atMs: at, location });
        const observed_at = new Date(at).toISOString();
        const submission_id = ulid();
        await org.admin.scans.submit({
          submission_id,
          location_id: location,
          reads: [{ asset_id: asset }],
          observed_at,
        });
        continue;
      }
      // One zone in an instant, as the rules do not say which of two comes first.
      const reads = Array.from({ length: 1 + random(8) }, () => {
        const asset = pick(assets);
        return { asset, zone: placeOf(asset), atMs: atMs() };
      });
      const apart = reads.filter(
        (read, index) => !reads.slice(0, index).some(({ asset, atMs: at }) => asset === read.asset && at === read.atMs),
      );
      model.ingest(apart);
      await ingest(org, assets, random(4) === 0 ? [...apart, ...apart] : apart);
    }
    for (const asset of assets) expect(await stored(org, asset)).toEqual(model.events(asset));
    const expected = assets.map((asset) => ({ asset, ...model.positions.get(asset) }));
    const present = await positionsOf(org);
    // A late read may be the first one there, so that the visit begins with it: `visits.test.ts` compares with visits.
    expect(present.map(({ sinceMs: _since, ...position }) => position)).toEqual(
      expected.map(({ sinceMs: _since, ...position }) => position),
    );
  },
);

it('knows since when an asset is where it is, however often it is seen there', async () => {
  const { org, assets, zones } = await setUp([60, 60]);
  const [asset] = assets as [number];
  const [dock, hall] = zones as [Zone, Zone];
  const see = (zone: Zone, ...seconds: number[]) =>
    ingest(
      org,
      assets,
      seconds.map((second) => ({ asset, zone, atMs: baseMs + second * 1000 })),
    );
  const since = async () => ((await positionsOf(org))[0]?.sinceMs ?? 0) - baseMs;
  await see(dock, 0, 5);
  expect(await since()).toBe(0);
  await see(dock, 10);
  expect(await since()).toBe(0);
  await see(hall, 20, 21, 200);
  expect(await since()).toBe(20_000);
  // Late, and elsewhere: where it is now it has been since then all the same.
  await see(dock, 15);
  await see(hall, 300);
  expect(await since()).toBe(20_000);
});

it('stores what an event of somewhere else already holds once, and the rest of the batch', async () => {
  const { org, assets, zones } = await setUp([0]);
  const [asset, other] = assets as [number, number];
  const [zone] = zones as [Zone];
  // An event that no position knows of, as a restored backup may leave it.
  await world.db.$executeRaw`
    INSERT INTO scan_events (org_id, asset_id, event_observed_at, location_id, received_at)
    VALUES (${org.orgId}, ${asset}, ${new Date(baseMs)}::timestamptz, ${zone.location}::int, now())`;
  await ingest(
    org,
    assets,
    [asset, other].map((one) => ({ asset: one, zone, atMs: baseMs })),
  );
  expect(await stored(org, asset)).toHaveLength(1);
  expect(await stored(org, other)).toHaveLength(1);
});
