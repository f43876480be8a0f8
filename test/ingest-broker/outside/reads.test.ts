import { expect, it } from 'vitest';
import { cs463 } from '../../support/mqtt.js';
import { createOutsideWorld } from '../../support/outside-world.js';
import { createScanWorld } from '../../support/scan-world.js';

const epc = 'E2801190A503006543E21224';

it('stores what a reader publishes to the outside broker', async () => {
  await using world = await createScanWorld();
  const org = await world.organization();
  const dock = await org.location();
  const assetId = await org.asset({ tags: [['rfid', epc]] });
  const reader = await org.reader({ format: 'csl_cs463', antennas: [{ port: 1, location_id: dock }] });
  await using outside = await createOutsideWorld(world, { readers: [reader] });
  await outside.join();
  const client = await outside.connect(reader);
  const atMs = Date.now() - 1000;
  for (const qos of [0, 1, 2] as const) {
    await client.publishAsync(reader.publish_topic, cs463([epc], { atMs: atMs + qos }), { qos });
  }
  const at = new Date(atMs + 2).toISOString();
  await expect
    .poll(() => org.positions())
    .toEqual([{ asset_id: assetId, at, location_id: dock, reader_id: reader.id, antenna: 1 }]);
});
