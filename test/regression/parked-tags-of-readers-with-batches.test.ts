import { afterAll, expect, it } from 'vitest';
import { sharedBrokerWorld } from '../support/mqtt.js';
import { createRandom } from '../support/random.js';
import { visitsIn } from '../support/visits.js';

const world = await sharedBrokerWorld();

afterAll(() => world[Symbol.asyncDispose]());

const tag = 'AC233F000001';
const seconds = 40;
const readsPerSecond = 10;
/** Long enough ago that none of the reads is ahead of the service's clock. */
const startMs = Date.now() - 2 * seconds * 1000;

/** Three gateways that read a tag ten times a second, and publish once a second at phases of their own. */
async function publishParked(rssiOf: (gateway: number) => number) {
  const org = await world.organization();
  const locations = [await org.location(), await org.location(), await org.location()];
  const assetId = await org.asset({ tags: [['ble', tag]] });
  const clients = [];
  for (const location_id of locations) {
    const reader = await org.reader({ format: 'native', location_id, location_rule: 'evidence' });
    clients.push({ topic: `readers/${reader.mqtt_username}/reads`, client: await world.connect(reader) });
  }
  for (let second = 0; second < seconds; second += 1) {
    for (const [gateway, { topic, client }] of clients.entries()) {
      const sentMs = startMs + second * 1000 + gateway * 330;
      const reads = Array.from({ length: readsPerSecond }, (_, i) => ({
        tag_type: 'ble',
        value: tag,
        rssi_dbm: rssiOf(gateway),
        observed_at: new Date(sentMs - 900 + i * 100 + gateway * 13).toISOString(),
      }));
      await client.publishAsync(topic, JSON.stringify({ reads }), { qos: 1 });
    }
  }
  const visits = await visitsIn(world.db, { orgId: org.orgId, assetId });
  return { locations: visits.map(({ locationId }) => locationId), nearest: locations[0] };
}

it('stay where they are at constant levels', async () => {
  const { locations, nearest } = await publishParked((gateway) => -55 - 10 * gateway);
  expect(locations).toEqual([nearest]);
});

it('stay where they are while their levels wander', async () => {
  const random = createRandom(7);
  const deviations = [0, 0, 0];
  const { locations, nearest } = await publishParked((gateway) => {
    // A standard deviation of 3 dB, and a correlation of 0.9 from read to read.
    const noise = Array.from({ length: 12 }, () => random() - 0.5).reduce((sum, one) => sum + one, 0);
    const deviation = 0.9 * (deviations[gateway] ?? 0) + 3 * Math.sqrt(0.19) * noise;
    deviations[gateway] = deviation;
    return Math.round(-55 - 10 * gateway + deviation);
  });
  expect(locations).toEqual([nearest]);
});
