import { ulid } from 'ulid';
import { afterAll, describe, expect, it } from 'vitest';
import type { ReceivedMessage } from '../../../../server/tracking/scans/batch.js';
import { ingestReads } from '../../../../server/tracking/scans/ingest.js';
import { createLocatingKnowledge } from '../../../../server/tracking/scans/locating-knowledge.js';
import { createRandom } from '../../../support/random.js';
import { sharedScanWorld, type ScanOrganization, type TestReader } from '../../../support/scan-world.js';
import { visitsIn } from '../../../support/visits.js';

const world = await sharedScanWorld();

const knowledge = createLocatingKnowledge(world);

afterAll(() => knowledge.stop());

/** A whole minute of yesterday. */
const baseMs = Math.floor((Date.now() - 86_400_000) / 60_000) * 60_000;

type Rule = 'evidence' | 'newest';
type Zone = { reader: TestReader; location: number };
type Read = { asset: string; zone: Zone; atMs: number; rssiDbm?: number | null };

async function setUp(rules: Rule[], resolutionSeconds = 60) {
  const org = await world.organization();
  const assets = new Map<string, number>();
  for (const value of ['A1', 'A2', 'A3']) assets.set(value, await org.asset({ tags: [['rfid', value]] }));
  const zones: Zone[] = [];
  for (const location_rule of rules) {
    const location = await org.location();
    const reader = await org.reader({ location_id: location, resolution_seconds: resolutionSeconds, location_rule });
    zones.push({ reader, location });
  }
  return { org, assets, zones };
}

async function ingest(org: ScanOrganization, reads: readonly Read[]) {
  await knowledge.prepare([org.orgId]);
  const messages = reads.map(({ asset, zone: { reader }, atMs, rssiDbm = -57 }): ReceivedMessage => {
    const read = { tagType: 'rfid', value: asset, antenna: 1, rssiDbm, observedAtMs: atMs } as const;
    const content = { kind: 'reads', reads: [read] } as const;
    return { message: { orgId: org.orgId, readerId: reader.id, topic: 'reads', content }, receivedAtMs: Date.now() };
  });
  return ingestReads(world.connections, messages, { retentionDays: 365, waitForTrees: true, knowledge });
}

/** The visits that follow from an asset's events: runs of events at one location. */
function visitsOf(events: readonly { at: string; location_id: number | null }[]) {
  const visits: { arrivedMs: number; location: number | null; leftMs: number | null }[] = [];
  for (const { at, location_id: location } of events) {
    const atMs = Date.parse(at);
    const last = visits.at(-1);
    if (last && last.location === location) continue;
    if (last) last.leftMs = atMs;
    visits.push({ arrivedMs: atMs, location, leftMs: null });
  }
  return visits;
}

async function storedVisits(org: ScanOrganization, assetId: number) {
  const rows = await visitsIn(world.db, { orgId: org.orgId, assetId });
  return rows.map((row) => ({
    arrivedMs: row.arrivedAt.getTime(),
    location: row.locationId,
    leftMs: row.leftAt?.getTime() ?? null,
  }));
}

/** The assets whose position differs from their open visit: in the location, or in its beginning. */
async function unequal(org: ScanOrganization) {
  return world.db.$queryRaw<{ asset_id: number; is_there: boolean }[]>`
    SELECT p.asset_id, v.location_id = p.location_id AS is_there
      FROM asset_positions p
      LEFT JOIN LATERAL (
        SELECT o.*
          FROM visits o
         WHERE o.org_id = p.org_id AND o.asset_id = p.asset_id
         ORDER BY o.arrived_at DESC
         LIMIT 1
      ) v ON true
     WHERE p.org_id = ${org.orgId}
       AND (v.left_at, v.location_id, v.arrived_at) IS DISTINCT FROM (NULL, p.location_id, p.located_since)`;
}

describe('visits', () => {
  it.each<{ what: string; seed: number; rules: Rule[]; resolutionSeconds: number }>([
    { what: 'the newest read wins', seed: 1, rules: ['newest', 'newest', 'newest'], resolutionSeconds: 60 },
    { what: 'the newest read, all stored', seed: 2, rules: ['newest', 'newest', 'newest'], resolutionSeconds: 0 },
    { what: 'evidence', seed: 3, rules: ['evidence', 'evidence', 'evidence'], resolutionSeconds: 60 },
    { what: 'evidence, all stored', seed: 4, rules: ['evidence', 'evidence', 'evidence'], resolutionSeconds: 0 },
    { what: 'both rules', seed: 5, rules: ['evidence', 'newest', 'evidence'], resolutionSeconds: 30 },
    { what: 'both rules, all stored', seed: 6, rules: ['evidence', 'newest', 'evidence'], resolutionSeconds: 0 },
  ])('agree with events and positions at every instant: $what', async ({ seed, rules, resolutionSeconds }) => {
    const random = createRandom(seed).below;
    const { org, assets, zones } = await setUp(rules, resolutionSeconds);
    const pick = <Item>(items: readonly Item[]) => items[random(items.length)] as Item;
    const values = [...assets.keys()];
    const homes = new Map(values.map((value) => [value, pick(zones)]));
    // Where each read decides, a late one of elsewhere can be newer than the newest event.
    const canEndElsewhere = resolutionSeconds > 0 && rules.every((rule) => rule === 'newest');
    for (let step = 0; step < 150; step += 1) {
      const nowMs = baseMs + step * 4000;
      if (random(12) === 0) {
        const late = random(3) === 0 ? random(200) * 1000 : 0;
        await org.admin.scans.submit({
          submission_id: ulid(),
          location_id: pick(zones).location,
          reads: [{ value: pick(values) }],
          observed_at: new Date(nowMs - late).toISOString(),
        });
        continue;
      }
      const reads = Array.from({ length: 1 + random(10) }, (): Read => {
        const asset = pick(values);
        if (random(20) === 0) homes.set(asset, pick(zones));
        const home = homes.get(asset) as Zone;
        const zone = random(6) === 0 ? pick(zones) : home;
        const atMs = nowMs - (random(4) === 0 ? random(150) * 1000 + random(1000) : random(4000));
        return { asset, zone, atMs, rssiDbm: zone === home ? -57 + random(5) : -75 + random(8) };
      });
      await ingest(org, random(5) === 0 ? [...reads, ...reads] : reads);
      expect((await unequal(org)).filter(({ is_there }) => is_there || !canEndElsewhere)).toEqual([]);
    }
    for (const asset of assets.values()) {
      expect(await storedVisits(org, asset)).toEqual(visitsOf(await org.events(asset)));
    }
  });

  it('end with the location where the asset is now, by evidence', async () => {
    const { org, assets, zones } = await setUp(['evidence', 'evidence']);
    const [dock, hall] = zones as [Zone, Zone];
    const see = (zone: Zone, ...seconds: number[]) =>
      ingest(
        org,
        seconds.map((second) => ({ asset: 'A1', zone, atMs: baseMs + second * 1000 })),
      );
    await see(dock, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
    await see(hall, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30);
    const visits = await storedVisits(org, assets.get('A1') as number);
    expect(visits).toEqual([
      { arrivedMs: baseMs, location: dock.location, leftMs: baseMs + 20_000 },
      { arrivedMs: baseMs + 20_000, location: hall.location, leftMs: null },
    ]);
    const [position] = await world.db.assetPosition.findMany({ where: { orgId: org.orgId } });
    expect(position).toMatchObject({ locationId: hall.location, locatedSince: new Date(baseMs + 20_000) });
  });

  it('are corrected by reads that a reader delivers late', async () => {
    const { org, assets, zones } = await setUp(['evidence', 'evidence', 'evidence']);
    const [dock, hall, aisle] = zones as [Zone, Zone, Zone];
    const see = (zone: Zone, ...seconds: number[]) =>
      ingest(
        org,
        seconds.map((second) => ({ asset: 'A1', zone, atMs: baseMs + second * 1000 })),
      );
    await see(dock, 0, 1, 2, 3, 4, 5);
    await see(aisle, 300, 301, 302, 303, 304, 305, 306);
    // The reader of the hall was offline meanwhile.
    await see(hall, 100, 101, 102, 103, 104, 105, 106);
    const visits = await storedVisits(org, assets.get('A1') as number);
    expect(visits.map(({ arrivedMs, location }) => [(arrivedMs - baseMs) / 1000, location])).toEqual([
      [0, dock.location],
      [100, hall.location],
      [300, aisle.location],
    ]);
    const [position] = await world.db.assetPosition.findMany({ where: { orgId: org.orgId } });
    expect(position?.locationId).toBe(aisle.location);
  });

  it('are stored once, when they end, and the open one is the position', async () => {
    const { org, assets, zones } = await setUp(['newest', 'newest']);
    const [dock, hall] = zones as [Zone, Zone];
    for (const [second, zone] of [dock, hall, dock].entries()) {
      await ingest(org, [{ asset: 'A1', zone, atMs: baseMs + second * 1000 }]);
    }
    const where = { orgId: org.orgId, assetId: assets.get('A1') as number };
    expect(await world.db.assetVisit.findMany({ where, orderBy: { arrivedAt: 'asc' } })).toMatchObject([
      { locationId: dock.location, leftAt: new Date(baseMs + 1000), lastSeenAt: new Date(baseMs) },
      { locationId: hall.location, leftAt: new Date(baseMs + 2000), lastSeenAt: new Date(baseMs + 1000) },
    ]);
    // An open visit that is stored is ended, too.
    const open = { ...where, arrivedAt: new Date(baseMs + 2000), locationId: dock.location };
    await world.db.assetVisit.create({ data: open });
    await ingest(org, [{ asset: 'A1', zone: hall, atMs: baseMs + 4000 }]);
    expect(await world.db.assetVisit.findMany({ where: { ...where, leftAt: null } })).toEqual([]);
    expect((await storedVisits(org, where.assetId)).map(({ location }) => location)).toEqual(
      [dock, hall, dock, hall].map(({ location }) => location),
    );
  });

  it('do not know of stray reads', async () => {
    const { org, assets, zones } = await setUp(['evidence', 'evidence']);
    const [dock, hall] = zones as [Zone, Zone];
    const reads = Array.from({ length: 120 }, (_, second): Read[] => {
      const atMs = baseMs + second * 1000;
      const own: Read = { asset: 'A1', zone: dock, atMs, rssiDbm: -57 + (second % 3) };
      return second % 10 === 9 ? [own, { asset: 'A1', zone: hall, atMs: atMs + 400, rssiDbm: -72 }] : [own];
    });
    for (const batch of reads) await ingest(org, batch);
    expect(await storedVisits(org, assets.get('A1') as number)).toEqual([
      { arrivedMs: baseMs, location: dock.location, leftMs: null },
    ]);
  });
});

describe('several at once', () => {
  it('store every read, with the visits of these events', async () => {
    const { org, assets, zones } = await setUp(['evidence', 'newest', 'evidence'], 0);
    const asset = assets.get('A1') as number;
    const stream = (zone: Zone, offsetMs: number) =>
      Array.from({ length: 12 }, (_, batch) =>
        Array.from(
          { length: 5 },
          (_entry, no): Read => ({
            asset: 'A1',
            zone,
            atMs: baseMs + batch * 5000 + no * 1000 + offsetMs,
          }),
        ),
      );
    const publish = async (batches: Read[][]) => {
      for (const batch of batches) await retrying(() => ingest(org, batch));
    };
    const handheld = async () => {
      for (let scan = 0; scan < 6; scan += 1) {
        await org.admin.scans.submit({
          submission_id: ulid(),
          location_id: zones[0]?.location as number,
          reads: [{ asset_id: asset }],
          observed_at: new Date(baseMs + scan * 10_000 + 500).toISOString(),
        });
      }
    };
    const [first, second, third] = zones as [Zone, Zone, Zone];
    await Promise.all([
      publish(stream(first, 0)),
      publish(stream(second, 100)),
      publish(stream(third, 200)),
      handheld(),
    ]);
    const events = await org.events(asset);
    expect(await storedVisits(org, asset)).toEqual(visitsOf(events));
    const [position] = await world.db.assetPosition.findMany({ where: { orgId: org.orgId, assetId: asset } });
    expect(position?.locationId).toBe(events.at(-1)?.location_id);
    expect(position?.assetLastSeen.getTime()).toBe(baseMs + 59_200);
    // Every read is an event, but for reads and scans of one instant.
    expect(events).toHaveLength(3 * 60 + 6);
  });
});

/** As ingestion does: what two transactions did to each other is tried again. */
async function retrying<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (attempt === 20) throw error;
    }
  }
}
