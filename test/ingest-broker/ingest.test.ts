import { expect, it } from 'vitest';
import { sharedBrokerWorld, cs463 } from '../support/mqtt.js';

const epc = 'E2801190A503006543E21224';

it('has stored a CS463 payload as event and position when its PUBACK arrives', async () => {
  await using world = await sharedBrokerWorld();
  const org = await world.organization();
  const dock = await org.location();
  const assetId = await org.asset({ tags: [['rfid', epc]] });
  const reader = await org.reader({ format: 'csl_cs463', antennas: [{ port: 1, location_id: dock }] });
  const client = await world.connect(reader);
  const atMs = Date.now() - 1000;
  await client.publishAsync(reader.publish_topic, cs463([epc], { atMs }), { qos: 1 });
  const at = new Date(atMs).toISOString();
  const seen = { asset_id: assetId, at, location_id: dock, reader_id: reader.id, antenna: 1 };
  expect(await org.events()).toEqual([{ ...seen, rssi_dbm: -56 }]);
  expect(await org.positions()).toEqual([seen]);
});
