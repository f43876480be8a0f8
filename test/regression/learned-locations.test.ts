import { afterAll, describe, expect, it } from 'vitest';
import { antennaKey, type Lesson } from '../../server/locating/index.js';
import { createLocatingKnowledge } from '../../server/tracking/scans/locating-knowledge.js';
import { sharedScanWorld } from '../support/scan-world.js';

const world = await sharedScanWorld();

/** How much the clock of the process was advanced. */
let advancedMs = 0;
const locating = createLocatingKnowledge({ ...world, elapsedMs: () => performance.now() + advancedMs });
afterAll(() => locating.stop());

const idleMs = 601_000;

async function setUp() {
  const org = await world.organization();
  const here = await org.location();
  const reader = await org.reader({ location_id: here });
  return { org, here, antenna: antennaKey(reader.id, 1) };
}

type Scene = Awaited<ReturnType<typeof setUp>>;

/** Teaches one visit, which began at an instant. */
function teach({ org, here, antenna }: Scene, { db, fromMs }: { db: number; fromMs: number }, by = locating): void {
  const lesson: Lesson = {
    location: here,
    fromMs,
    spanMs: 60_000,
    visits: 1,
    heard: [{ antenna, location: here, db }],
  };
  by.siteOf(org.orgId).learn({ gap: { antenna, gapMs: 2500 }, lesson });
}

const pictureOf = ({ org, here }: Scene, by = locating) => by.siteOf(org.orgId).surroundings.picture(here);
const stored = ({ here }: Scene) => world.db.locationPicture.findMany({ where: { locationId: here } });

describe('learned locations', () => {
  it('are stored when an organization is idle, and loaded again with the usual gaps of their antennas', async () => {
    const scene = await setUp();
    await locating.prepare([scene.org.orgId]);
    const site = locating.siteOf(scene.org.orgId);
    teach(scene, { db: -3, fromMs: Date.now() });
    advancedMs += idleMs;
    await expect.poll(() => locating.siteOf(scene.org.orgId) === site, { timeout: 10_000 }).toBe(false);
    await locating.prepare([scene.org.orgId]);
    expect(pictureOf(scene)).toMatchObject({
      visits: 1,
      antennas: new Map([[scene.antenna, { location: scene.here, visits: 1, sumDb: -3 }]]),
    });
    expect(locating.siteOf(scene.org.orgId).surroundings.usualGapMs(scene.antenna)).toBe(2500);
  });

  it('are stored later if they cannot be stored', async () => {
    const scene = await setUp();
    let isDown = true;
    const db = new Proxy(world.db, {
      get(target, name) {
        if (isDown && name === '$executeRaw') return () => Promise.reject(new Error('down'));
        return target[name as keyof typeof target];
      },
    });
    const other = createLocatingKnowledge({ db, log: world.log });
    await other.prepare([scene.org.orgId]);
    teach(scene, { db: -3, fromMs: Date.now() }, other);
    await expect(other.save()).rejects.toThrow('down');
    isDown = false;
    await other.save();
    await other.stop();
    expect(await stored(scene)).toHaveLength(1);
  });

  it('that are reset are not stored again by a process that has not noticed it, and forgotten by it within seconds', async () => {
    const scene = await setUp();
    const { org, here, antenna } = scene;
    await locating.prepare([org.orgId]);
    teach(scene, { db: -3, fromMs: Date.now() });
    await locating.save();
    teach(scene, { db: -5, fromMs: Date.now() });
    await org.admin.locations.resetSignatures({ location_id: here });
    await locating.save();
    expect(await stored(scene)).toMatchObject([{ visits: 0, antennas: [], resetAt: expect.any(Date) }]);
    await expect.poll(() => pictureOf(scene)?.visits, { timeout: 10_000 }).toBe(0);
    // A visit that began before the reset teaches nothing any more.
    teach(scene, { db: -5, fromMs: Date.now() - 60_000 });
    expect(pictureOf(scene)?.visits).toBe(0);
    teach(scene, { db: -7, fromMs: Date.now() + 1000 });
    await locating.save();
    expect(await stored(scene)).toMatchObject([{ visits: 1, antennas: [{ sum_db: -7 }] }]);
    expect(pictureOf(scene)?.antennas.get(antenna)?.sumDb).toBe(-7);
  });

  it('are followed where another process has learned them, with its readers', async () => {
    const scene = await setUp();
    const { org, antenna } = scene;
    await locating.prepare([org.orgId]);
    const other = createLocatingKnowledge({ db: world.db, log: world.log });
    await other.prepare([org.orgId]);
    teach(scene, { db: -4, fromMs: Date.now() }, other);
    await other.stop();
    await world.db.reader.updateMany({ where: { orgId: org.orgId }, data: { lastMessageAt: new Date() } });
    await expect.poll(() => pictureOf(scene)?.antennas.get(antenna)?.sumDb, { timeout: 10_000 }).toBe(-4);
    const { reader } = locating.siteOf(org.orgId).surroundings;
    await expect.poll(() => reader(antenna)?.untilMs ?? 0, { timeout: 10_000 }).toBeGreaterThan(0);
  });

  it('that are deleted are neither stored nor loaded', async () => {
    const scene = await setUp();
    await locating.prepare([scene.org.orgId]);
    teach(scene, { db: -3, fromMs: Date.now() });
    await locating.save();
    expect(await stored(scene)).toHaveLength(1);
    await scene.org.admin.locations.delete({ location_id: scene.here });
    teach(scene, { db: -3, fromMs: Date.now() });
    await locating.save();
    expect(await stored(scene)).toEqual([]);
  });
});
