import { beforeAll, expect, it } from 'vitest';
import { antennaKey } from '../../server/locating/index.js';
import { createLocatingKnowledge } from '../../server/tracking/scans/locating-knowledge.js';
import { sharedScanWorld, type ScanWorld } from '../support/scan-world.js';

let world: ScanWorld;

beforeAll(async () => {
  world = await sharedScanWorld();
});

it('are not stored again, even if they are reset while they are being stored', async () => {
  const org = await world.organization();
  const location = await org.location();
  const reader = await org.reader({ location_id: location });
  const key = antennaKey(reader.id, 1);
  const db = new Proxy(world.db, {
    get(target, name) {
      if (name !== '$transaction') return target[name as keyof typeof target];
      return async (...given: Parameters<typeof target.$transaction>) => {
        await org.admin.locations.resetSignatures({ location_id: location });
        // The process notices it before the transaction begins.
        await expect.poll(signature, { timeout: 10_000 }).toBeUndefined();
        return target.$transaction(...given);
      };
    },
  });
  const locating = createLocatingKnowledge({ db, log: world.log });
  const signature = () => locating.knowledge.surroundings(locating.antennaSettings).signature(location, key);
  await locating.prepare([org.orgId]);
  locating.knowledge.learnLabel({ location, antenna: key, rssiDbm: -58 }, { orgId: org.orgId, nowMs: Date.now() });
  expect(signature()).toBeDefined();
  await locating.save();
  await locating.stop();
  expect(await world.db.locationSignature.count({ where: { orgId: org.orgId } })).toBe(0);
});
