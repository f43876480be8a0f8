import { afterAll, beforeAll, expect, it } from 'vitest';
import { antennaKey } from '../../server/locating/index.js';
import { ingestReads } from '../../server/tracking/scans/ingest.js';
import { createLocatingKnowledge, type LocatingKnowledge } from '../../server/tracking/scans/locating-knowledge.js';
import { sharedScanWorld, type ScanOrganization, type ScanWorld } from '../support/scan-world.js';

let world: ScanWorld;
/** What another process knows than the one that deletes locations: it reads changes every two seconds. */
let locating: LocatingKnowledge;

beforeAll(async () => {
  world = await sharedScanWorld();
  locating = createLocatingKnowledge(world);
});
afterAll(async () => {
  await locating.stop();
});

const secondMs = 1000;
const epc = 'E2801190A503006543E21224';
const startMs = Date.now() - 7_200_000;

type Scene = { org: ScanOrganization; reader: { id: number }; here: number; left: number; right: number };

/** A reader with antennas at two locations, and a third location between them without one, all of them learned. */
async function setUp(): Promise<Scene> {
  const org = await world.organization();
  const [left, here, right] = [await org.location(), await org.location(), await org.location()];
  await org.asset({ tags: [['rfid', epc]] });
  const reader = await org.reader({
    ...{ location_rule: 'evidence', resolution_seconds: 0 },
    antennas: [
      { port: 1, location_id: left },
      { port: 2, location_id: right },
    ],
  });
  const signature = (locationId: number, antenna: number, meanDbm: number) => ({
    ...{ orgId: org.orgId, readerId: reader.id, locationId, antenna, meanDbm, reads: 8, variance: 4 },
  });
  await world.db.locationSignature.createMany({
    data: [
      ...[signature(here, 1, -62), signature(here, 2, -62)],
      ...[signature(left, 1, -50), signature(left, 2, -72)],
      ...[signature(right, 1, -72), signature(right, 2, -50)],
    ],
  });
  return { org, reader, here, left, right };
}

type Read = [antenna: number, rssiDbm: number, second: number];

/** Stores reads, each in a batch of its own. */
async function see({ org, reader }: Scene, reads: readonly Read[]): Promise<void> {
  await locating.prepare([org.orgId]);
  for (const [antenna, rssiDbm, second] of reads) {
    const receivedAtMs = startMs + second * secondMs;
    const read = { tagType: 'rfid' as const, value: epc, antenna, rssiDbm, observedAtMs: null };
    const message = {
      ...{ orgId: org.orgId, readerId: reader.id, topic: 't' },
      content: { kind: 'reads' as const, reads: [read] },
    };
    await ingestReads(world.connections, [{ message, receivedAtMs }], {
      ...{ retentionDays: 365, waitForTrees: true, knowledge: locating },
    });
  }
}

/** Reads by both antennas, once a second. */
const bySecond = ([from, seconds]: [number, number], levels: [number, number]): Read[] =>
  Array.from({ length: seconds }, (_, index): Read[] =>
    levels.map((rssiDbm, port): Read => [port + 1, rssiDbm, from + index + port / 2]),
  ).flat();

const locationOf = async ({ org }: Scene) => (await org.positions())[0]?.location_id;

it('are not placed there by what was learned of it', async () => {
  const scene = await setUp();
  await see(scene, bySecond([0, 5], [-50, -72]));
  expect(await locationOf(scene)).toBe(scene.left);
  await scene.org.admin.locations.delete({ location_id: scene.here });
  await see(scene, bySecond([10, 20], [-62, -62]));
  expect(await locationOf(scene)).not.toBe(scene.here);
  expect((await scene.org.events()).map(({ location_id }) => location_id)).not.toContain(scene.here);
  expect(await world.db.locationSignature.count({ where: { locationId: scene.here } })).toBe(0);
});

it('are not placed there after a start, whatever is still stored of it', async () => {
  const scene = await setUp();
  await scene.org.deleteLocation(scene.here);
  await locating.prepare([scene.org.orgId]);
  const { signature } = locating.knowledge.surroundings(locating.antennaSettings);
  const key = antennaKey(scene.reader.id, 1);
  expect(signature(scene.left, key)?.meanDbm).toBe(-50);
  expect(signature(scene.here, key)).toBeUndefined();
});

it('are not placed there by an antenna that was there', async () => {
  const scene = await setUp();
  await see(scene, bySecond([0, 5], [-50, -72]));
  await see(scene, [[2, -58, 5]]);
  expect(await locationOf(scene)).toBe(scene.left);
  await scene.org.admin.locations.delete({ location_id: scene.right });
  // These reads are of the other antenna, so the settings of this one come from memory.
  const weaker = [6, 7, 8].map((second): Read => [1, -75, second]);
  await see(scene, weaker);
  expect(await locationOf(scene)).not.toBe(scene.right);
  expect((await scene.org.events()).map(({ location_id }) => location_id)).not.toContain(scene.right);
  expect(locating.antennaSettings(antennaKey(scene.reader.id, 2))?.location).toBe(0);
});
