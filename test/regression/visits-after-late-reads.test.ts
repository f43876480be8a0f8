import { ulid } from 'ulid';
import { expect, it } from 'vitest';
import type { ReceivedMessage } from '../../server/tracking/scans/batch.js';
import { ingestReads } from '../../server/tracking/scans/ingest.js';
import { sharedScanWorld, type TestReader } from '../support/scan-world.js';
import { visitsIn } from '../support/visits.js';

const world = await sharedScanWorld();

const baseMs = Math.floor((Date.now() - 86_400_000) / 60_000) * 60_000;

type Rule = 'evidence' | 'newest';
type Place = 'dock' | 'hall';

/** An asset, and two locations with a reader each. */
async function setUp(rules: Record<Place, Rule>, resolution_seconds: number) {
  const org = await world.organization();
  const assetId = await org.asset({ tags: [['rfid', 'A1']] });
  const readers = new Map<Place, TestReader>();
  const places = new Map<number | null, Place>();
  for (const place of ['dock', 'hall'] as const) {
    const location_id = await org.location();
    places.set(location_id, place);
    readers.set(place, await org.reader({ location_id, location_rule: rules[place], resolution_seconds }));
  }
  const secondOf = (at: Date | undefined) => ((at?.getTime() ?? 0) - baseMs) / 1000;
  return {
    see(place: Place, ...seconds: number[]) {
      const messages = seconds.map((second): ReceivedMessage => {
        const observedAtMs = baseMs + second * 1000;
        const read = { tagType: 'rfid', value: 'A1', antenna: 1, rssiDbm: -57, observedAtMs } as const;
        const content = { kind: 'reads', reads: [read] } as const;
        const readerId = readers.get(place)?.id ?? 0;
        return { message: { orgId: org.orgId, readerId, topic: 'reads', content }, receivedAtMs: Date.now() };
      });
      return ingestReads(world.connections, messages, { retentionDays: 365, waitForTrees: true });
    },
    scan: (place: Place, second: number) =>
      org.admin.scans.submit({
        submission_id: ulid(),
        location_id: readers.get(place)?.location_id ?? 0,
        reads: [{ asset_id: assetId }],
        observed_at: new Date(baseMs + second * 1000).toISOString(),
      }),
    /** The location of the asset, and since when it is there. */
    async position() {
      const [position] = await world.db.assetPosition.findMany({ where: { orgId: org.orgId } });
      return [places.get(position?.locationId ?? null), secondOf(position?.locatedSince)];
    },
    async visits() {
      const visits = await visitsIn(world.db, org);
      return visits.map(({ locationId, arrivedAt }) => [places.get(locationId), secondOf(arrivedAt)]);
    },
  };
}

it('begins a visit earlier in the position too, if a late read shows that', async () => {
  const { see, scan, position, visits } = await setUp({ dock: 'newest', hall: 'newest' }, 0);
  await see('dock', 0, 10, 20);
  await see('hall', 100);
  await see('hall', 200);
  await scan('hall', 80);
  expect(await visits()).toEqual([
    ['dock', 0],
    ['hall', 80],
  ]);
  expect(await position()).toEqual(['hall', 80]);
});

it('begins with a late read that was there before the newest one', async () => {
  const { see, position, visits } = await setUp({ dock: 'newest', hall: 'newest' }, 60);
  await see('dock', 0);
  await see('dock', 40);
  await see('hall', 20);
  await see('hall', 30);
  await see('hall', 50);
  expect(await visits()).toEqual([
    ['dock', 0],
    ['hall', 20],
  ]);
  expect(await position()).toEqual(['hall', 20]);
});

it('ends a late visit by evidence also if a reader located the asset by its newest read', async () => {
  const { see, position, visits } = await setUp({ dock: 'newest', hall: 'evidence' }, 60);
  await see('dock', 0);
  await see('dock', 50);
  await see('hall', 20, 21, 22, 23);
  expect(await visits()).toEqual([
    ['dock', 0],
    ['hall', 20],
    ['dock', 50],
  ]);
  expect(await position()).toEqual(['dock', 50]);
});

it('ends a late visit by the newest read also if the asset was located by evidence', async () => {
  const { see, position, visits } = await setUp({ dock: 'evidence', hall: 'newest' }, 60);
  await see('dock', 0, 10, 20, 30, 40, 50);
  await see('hall', 25);
  expect(await visits()).toEqual([
    ['dock', 0],
    ['hall', 25],
    ['dock', 50],
  ]);
  expect(await position()).toEqual(['dock', 50]);
});

it('keeps the location of a scan that confirms the position after a late read elsewhere', async () => {
  const { see, scan, position, visits } = await setUp({ dock: 'newest', hall: 'newest' }, 60);
  await see('dock', 0);
  await see('dock', 40);
  await see('hall', 20);
  await scan('dock', 45);
  expect(await visits()).toEqual([
    ['dock', 0],
    ['hall', 20],
    ['dock', 45],
  ]);
  expect(await position()).toEqual(['dock', 45]);
});
