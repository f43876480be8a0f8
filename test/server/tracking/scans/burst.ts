import { expect } from 'vitest';
import type { ReaderMessage } from '../../../../server/tracking/scans/reader-message.js';
import type { ScanOrganization, ScanWorld } from '../../../support/scan-world.js';
import { visitsIn } from '../../../support/visits.js';

/** The time between two rounds of reads. */
const roundMs = 1000;

/** The values of the tags that a burst reads, one after the other. */
export const burstTag = (no: number) => `E28011${no}`;

/**
 * Adds two readers, at a dock and in a hall. Each reads the first tags in each round, each tag in a millisecond of its own;
 * every read decides, so each round moves all assets twice.
 */
export async function createBurst(org: ScanOrganization) {
  const { orgId } = org;
  const [dock, hall] = [await org.location(), await org.location()];
  const settings = { location_rule: 'newest', resolution_seconds: 0 } as const;
  const readers = [
    await org.reader({ ...settings, location_id: dock }),
    await org.reader({ ...settings, location_id: hall }),
  ] as const;
  const startMs = Date.now() - 3_600_000;

  function messageOf(round: number, reader: 0 | 1, tags: number): ReaderMessage {
    const reads = Array.from({ length: tags }, (_, no) => ({
      tagType: 'rfid' as const,
      value: burstTag(no),
      antenna: 1,
      rssiDbm: null,
      observedAtMs: startMs + round * roundMs + reader * 500 + no,
    }));
    return { orgId, readerId: readers[reader].id, topic: 'reads', content: { kind: 'reads', reads } };
  }

  return { dock, hall, readers, startMs, messageOf };
}

/** Returns how many reads of readers are events, how many were of unknown tags, and the events of people. */
export async function countStored({ db }: ScanWorld, orgId: number) {
  const [row] = await db.$queryRaw<[{ events: number; unknown: number; byHand: number }]>`
    SELECT (SELECT count(*)::float8 FROM scan_events WHERE org_id = ${orgId} AND reader_id IS NOT NULL) AS events,
           (SELECT coalesce(sum(count), 0)::float8 FROM unknown_tags WHERE org_id = ${orgId}) AS unknown,
           (SELECT count(*)::float8 FROM scan_events WHERE org_id = ${orgId} AND reader_id IS NULL) AS "byHand"`;
  return row;
}

/** Where an asset arrived, and when, in epoch milliseconds. */
export type Arrival = { at: number; location: number | null };

/** Expects that the visits of assets are what their events say, and returns them by asset. */
export async function expectVisitsOfEvents(
  { db }: ScanWorld,
  orgId: number,
  assetIds: readonly number[],
): Promise<Map<number, Arrival[]>> {
  const stored = await db.scanEvent.findMany({
    where: { orgId },
    select: { assetId: true, eventObservedAt: true, locationId: true },
    orderBy: { eventObservedAt: 'asc' },
  });
  const arrivals = new Map<number, Arrival[]>();
  for (const assetId of assetIds) {
    const expected: Arrival[] = [];
    for (const event of stored.filter((one) => one.assetId === assetId)) {
      if (expected.at(-1)?.location === event.locationId && expected.length > 0) continue;
      expected.push({ at: event.eventObservedAt.getTime(), location: event.locationId });
    }
    const visits = await visitsIn(db, { orgId, assetId });
    expect(visits.map(({ arrivedAt, locationId }) => ({ at: arrivedAt.getTime(), location: locationId }))).toEqual(
      expected,
    );
    expect(visits.slice(0, -1).map(({ leftAt }) => leftAt)).toEqual(visits.slice(1).map(({ arrivedAt }) => arrivedAt));
    arrivals.set(assetId, expected);
  }
  return arrivals;
}
