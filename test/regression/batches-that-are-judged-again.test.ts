import { afterAll, expect, it } from 'vitest';
import { antennaKey } from '../../server/locating/index.js';
import { ingestReads } from '../../server/tracking/scans/ingest.js';
import { createLocatingKnowledge } from '../../server/tracking/scans/locating-knowledge.js';
import { sharedScanWorld } from '../support/scan-world.js';

const world = await sharedScanWorld();

const locating = createLocatingKnowledge(world);
afterAll(() => locating.stop());

const startMs = Date.now() - 3_600_000;

/** Reads an asset ten times, first five and then three seconds apart, in one batch. Returns the usual gap of its antenna. */
async function learnedGap({ hasEvent }: { hasEvent: boolean }): Promise<number> {
  const org = await world.organization();
  const location = await org.location();
  const reader = await org.reader({ location_id: location, location_rule: 'evidence' });
  const assetId = await org.asset({ tags: [['rfid', 'A1']] });
  if (hasEvent) {
    await world.db.scanEvent.create({
      data: {
        orgId: org.orgId,
        assetId,
        locationId: location,
        eventObservedAt: new Date(startMs),
        receivedAt: new Date(startMs),
      },
    });
  }
  await locating.prepare([org.orgId]);
  const reads = Array.from({ length: 10 }, (_, second) => ({
    tagType: 'rfid' as const,
    value: 'A1',
    antenna: 1,
    rssiDbm: -50,
    observedAtMs: startMs + (second < 5 ? 5 * second : 10 + 3 * second) * 1000,
  }));
  const message = { orgId: org.orgId, readerId: reader.id, topic: 't', content: { kind: 'reads' as const, reads } };
  const options = { retentionDays: 365, waitForTrees: true, knowledge: locating };
  await ingestReads(world.connections, [{ message, receivedAtMs: startMs + 40_000 }], options);
  expect(await org.positions()).toHaveLength(1);
  return locating.siteOf(org.orgId).surroundings.usualGapMs(antennaKey(reader.id, 1));
}

it('are learned from once', async () => {
  const once = await learnedGap({ hasEvent: false });
  expect(once).toBeGreaterThan(3500);
  // An event that no position records makes the first attempt fail.
  expect(await learnedGap({ hasEvent: true })).toBe(once);
});
