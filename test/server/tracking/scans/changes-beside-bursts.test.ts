import { ulid } from 'ulid';
import { expect, it } from 'vitest';
import { createIngestion } from '../../../../server/tracking/scans/ingestion.js';
import { sharedScanWorld } from '../../../support/scan-world.js';
import { burstTag, countStored, createBurst, expectVisitsOfEvents } from './burst.js';

const world = await sharedScanWorld();

const assetCount = 40;
const rounds = 30;

it('stores every acknowledged read once, with its visits, while tags, readers, locations and assets change', async () => {
  const org = await world.organization();
  const { orgId, admin } = org;
  const yard = await org.location();
  const assets: number[] = [];
  for (let no = 0; no < assetCount; no += 1) assets.push(await org.asset({ tags: [['rfid', burstTag(no)]] }));
  const spare = await org.asset();
  const { dock, hall, readers, messageOf } = await createBurst(org);
  // Two processes read the same assets.
  const other = createIngestion(world);
  const changes: Record<number, () => Promise<unknown>> = {
    4: () => admin.readers.update({ id: readers[0].id, location_id: yard }),
    8: () =>
      world.db.$executeRaw`UPDATE tags SET asset_id = ${spare} WHERE org_id = ${orgId} AND value = ${burstTag(7)}`,
    12: () => admin.scans.submit({ submission_id: ulid(), location_id: dock, reads: [{ asset_id: assets[3] ?? 0 }] }),
    16: () => admin.readers.update({ id: readers[1].id, location_id: yard }),
    20: () => admin.locations.delete({ location_id: hall }).catch(() => 'assets are there'),
    24: () => admin.assets.delete({ asset_id: assets[11] ?? 0 }),
  };
  const work: Promise<unknown>[] = [];
  for (let round = 0; round < rounds; round += 1) {
    work.push(
      world.core.ingestion.ingest(messageOf(round, 0, assetCount)),
      other.ingest(messageOf(round, 1, assetCount)),
    );
    const change = changes[round];
    if (change) work.push(change());
    if (round % 3 === 0) await Promise.all(work);
  }
  await Promise.all(work);
  await other.stop(1000);

  // The deleted asset no longer has reads after its deletion; they are unknown then.
  const { events, unknown, byHand } = await countStored(world, orgId);
  expect(events + unknown).toBe(rounds * 2 * assetCount);
  expect(byHand).toBe(1);
  await expectVisitsOfEvents(world, orgId, [...assets, spare]);
});
