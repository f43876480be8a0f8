import { afterAll, beforeAll, expect, it } from 'vitest';
import { antennaKey } from '../../server/locating/index.js';
import { ingestReads } from '../../server/tracking/scans/ingest.js';
import { createLocatingKnowledge, type LocatingKnowledge } from '../../server/tracking/scans/locating-knowledge.js';
import { sharedScanWorld, type ScanOrganization, type ScanWorld } from '../support/scan-world.js';

let world: ScanWorld;
let locating: LocatingKnowledge;
/** How much the clock of the process was advanced. */
let advancedMs = 0;

beforeAll(async () => {
  world = await sharedScanWorld();
  locating = createLocatingKnowledge({ ...world, elapsedMs: () => performance.now() + advancedMs });
});
afterAll(async () => {
  await locating.stop();
});

const secondMs = 1000;
const epc = 'E2801190A503006543E21224';
const startMs = Date.now() - 7_200_000;

type Scene = { org: ScanOrganization; reader: { id: number }; here: number; left: number; right: number };

/** A reader with antennas at two locations, and a third location between them without one. */
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
  return { org, reader, here, left, right };
}

/** Stores reads by both antennas, once a second from a second on. */
async function see({ org, reader }: Scene, levels: readonly [number, number], [from, seconds]: [number, number]) {
  await locating.prepare([org.orgId]);
  for (let second = from; second < from + seconds; second += 1) {
    const reads = levels.map((rssiDbm, index) => ({
      ...{ tagType: 'rfid' as const, value: epc, antenna: index + 1, rssiDbm },
      observedAtMs: startMs + second * secondMs + index * 300,
    }));
    const message = { orgId: org.orgId, readerId: reader.id, topic: 't', content: { kind: 'reads' as const, reads } };
    await ingestReads(world.connections, [{ message, receivedAtMs: startMs + second * secondMs + 400 }], {
      ...{ retentionDays: 365, waitForTrees: true, knowledge: locating },
    });
  }
}

/** Stores what a calibration of the location between the antennas has taught another process. */
async function learn({ org, reader, here, left, right }: Scene): Promise<void> {
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
}

const signatureOf = ({ reader, here }: Scene) =>
  locating.knowledge.surroundings(locating.antennaSettings).signature(here, antennaKey(reader.id, 1));

/** Lets so much time pass that the organization is removed from memory. */
async function idle(scene: Scene): Promise<void> {
  advancedMs += 601 * secondMs;
  await expect.poll(() => signatureOf(scene), { timeout: 10_000 }).toBeUndefined();
}

it('are loaded again, and assets are found there', async () => {
  const scene = await setUp();
  await learn(scene);
  await see(scene, [-50, -72], [0, 5]);
  expect(signatureOf(scene)).toEqual({ reads: 8, meanDbm: -62, variance: 4 });
  await idle(scene);

  await see(scene, [-50, -72], [700, 5]);
  expect(signatureOf(scene)).toEqual({ reads: 8, meanDbm: -62, variance: 4 });
  await see(scene, [-62, -62], [705, 30]);
  expect((await scene.org.positions())[0]?.location_id).toBe(scene.here);
});

it('are what was learned until then', async () => {
  const scene = await setUp();
  const { org, reader, here } = scene;
  await locating.prepare([org.orgId]);
  locating.knowledge.learnLabel(
    { location: here, antenna: antennaKey(reader.id, 1), rssiDbm: -58 },
    { orgId: 1, nowMs: startMs },
  );
  const learned = signatureOf(scene);
  expect(learned?.meanDbm).toBe(-58);
  await idle(scene);
  await locating.prepare([org.orgId]);
  expect(signatureOf(scene)).toEqual({ meanDbm: -58, reads: expect.closeTo(learned?.reads ?? 0, 5), variance: 0 });
});

it('are stored later if they cannot be stored', async () => {
  const { org, reader, here } = await setUp();
  let isDown = true;
  const db = new Proxy(world.db, {
    get(target, name) {
      if (isDown && name === '$transaction') return () => Promise.reject(new Error('down'));
      return target[name as keyof typeof target];
    },
  });
  const other = createLocatingKnowledge({ db, log: world.log });
  await other.prepare([org.orgId]);
  other.knowledge.learnLabel(
    { location: here, antenna: antennaKey(reader.id, 1), rssiDbm: -58 },
    { orgId: 1, nowMs: startMs },
  );
  await expect(other.save()).rejects.toThrow('down');
  isDown = false;
  await other.save();
  await other.stop();
  expect(await world.db.locationSignature.count({ where: { orgId: org.orgId } })).toBe(1);
});
