import { afterAll, describe, expect, it } from 'vitest';
import { antennaKey } from '../../server/locating/index.js';
import { ingestReads } from '../../server/tracking/scans/ingest.js';
import { createLocatingKnowledge } from '../../server/tracking/scans/locating-knowledge.js';
import { sharedScanWorld, type ScanOrganization } from '../support/scan-world.js';

const world = await sharedScanWorld();

/** How much the clock of the process was advanced. */
let advancedMs = 0;
/** What another process knows than the one that deletes locations: it reads changes every two seconds. */
const locating = createLocatingKnowledge({ ...world, elapsedMs: () => performance.now() + advancedMs });
afterAll(() => locating.stop());

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

/** The same, with what a calibration of all of them has taught another process. */
async function setUpLearned(): Promise<Scene> {
  const scene = await setUp();
  const { org, reader, here, left, right } = scene;
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
  return scene;
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

const signatureOf = ({ reader, here }: Pick<Scene, 'reader' | 'here'>, { knowledge, antennaSettings } = locating) =>
  knowledge.surroundings(antennaSettings).signature(here, antennaKey(reader.id, 1));

/** Teaches one level of the location between the antennas. */
const teach = ({ reader, here }: Pick<Scene, 'reader' | 'here'>, orgId: number, { knowledge } = locating) =>
  knowledge.learnLabel({ location: here, antenna: antennaKey(reader.id, 1), rssiDbm: -58 }, { orgId, nowMs: startMs });

const stored = (locationId: number) => world.db.locationSignature.count({ where: { locationId } });

describe('learned locations after an idle time', () => {
  /** Lets so much time pass that the organization is removed from memory. */
  async function idle(scene: Scene): Promise<void> {
    advancedMs += 601 * secondMs;
    await expect.poll(() => signatureOf(scene), { timeout: 10_000 }).toBeUndefined();
  }

  it('are loaded again, and assets are found there', async () => {
    const scene = await setUpLearned();
    await see(scene, bySecond([0, 5], [-50, -72]));
    expect(signatureOf(scene)).toEqual({ reads: 8, meanDbm: -62, variance: 4 });
    await idle(scene);

    await see(scene, bySecond([700, 5], [-50, -72]));
    expect(signatureOf(scene)).toEqual({ reads: 8, meanDbm: -62, variance: 4 });
    await see(scene, bySecond([705, 30], [-62, -62]));
    expect(await locationOf(scene)).toBe(scene.here);
  });

  it('are what was learned until then', async () => {
    const scene = await setUp();
    await locating.prepare([scene.org.orgId]);
    teach(scene, 1);
    const learned = signatureOf(scene);
    expect(learned?.meanDbm).toBe(-58);
    await idle(scene);
    await locating.prepare([scene.org.orgId]);
    expect(signatureOf(scene)).toEqual({ meanDbm: -58, reads: expect.closeTo(learned?.reads ?? 0, 5), variance: 0 });
  });

  it('are stored later if they cannot be stored', async () => {
    const scene = await setUp();
    let isDown = true;
    const db = new Proxy(world.db, {
      get(target, name) {
        if (isDown && name === '$transaction') return () => Promise.reject(new Error('down'));
        return target[name as keyof typeof target];
      },
    });
    const other = createLocatingKnowledge({ db, log: world.log });
    await other.prepare([scene.org.orgId]);
    teach(scene, 1, other);
    await expect(other.save()).rejects.toThrow('down');
    isDown = false;
    await other.save();
    await other.stop();
    expect(await stored(scene.here)).toBe(1);
  });
});

it('learned locations that are reset are not stored again, even if that is while they are being stored', async () => {
  const org = await world.organization();
  const here = await org.location();
  const reader = await org.reader({ location_id: here });
  const db = new Proxy(world.db, {
    get(target, name) {
      if (name !== '$transaction') return target[name as keyof typeof target];
      return async (...given: Parameters<typeof target.$transaction>) => {
        await org.admin.locations.resetSignatures({ location_id: here });
        // The process notices it before the transaction begins.
        await expect.poll(() => signatureOf({ reader, here }, other), { timeout: 10_000 }).toBeUndefined();
        return target.$transaction(...given);
      };
    },
  });
  const other = createLocatingKnowledge({ db, log: world.log });
  await other.prepare([org.orgId]);
  teach({ reader, here }, org.orgId, other);
  expect(signatureOf({ reader, here }, other)).toBeDefined();
  await other.save();
  await other.stop();
  expect(await stored(here)).toBe(0);
});

describe('assets at deleted locations', () => {
  it('are not placed there by what was learned of it', async () => {
    const scene = await setUpLearned();
    await see(scene, bySecond([0, 5], [-50, -72]));
    expect(await locationOf(scene)).toBe(scene.left);
    await scene.org.admin.locations.delete({ location_id: scene.here });
    await see(scene, bySecond([10, 20], [-62, -62]));
    expect(await locationOf(scene)).not.toBe(scene.here);
    expect((await scene.org.events()).map(({ location_id }) => location_id)).not.toContain(scene.here);
    expect(await stored(scene.here)).toBe(0);
  });

  it('are not placed there after a start, whatever is still stored of it', async () => {
    const scene = await setUpLearned();
    await scene.org.deleteLocation(scene.here);
    await locating.prepare([scene.org.orgId]);
    const left = { ...scene, here: scene.left };
    expect(signatureOf(left)?.meanDbm).toBe(-50);
    expect(signatureOf(scene)).toBeUndefined();
  });

  it('are not placed there by an antenna that was there', async () => {
    const scene = await setUpLearned();
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
});
