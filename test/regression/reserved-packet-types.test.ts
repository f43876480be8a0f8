import { afterAll, expect, it } from 'vitest';
import { messageOf } from '../ingest-broker/devices/playing.js';
import { sharedBrokerWorld } from '../support/mqtt.js';
import { logIn } from '../support/raw-login.js';

const world = await sharedBrokerWorld();
afterAll(() => world[Symbol.asyncDispose]());

it.each([
  ['0, with an incomplete length', messageOf('40-reserved-packet-type.bin').subarray(0, 1)],
  ['0', messageOf('40-reserved-packet-type.bin')],
  ['2, which servers send', Buffer.from([0x20])],
  ['15, which MQTT 5 has', Buffer.from([0xf0, 0xff])],
])('a packet of type %s ends the connection at once', async (_, bytes) => {
  const org = await world.organization();
  const client = await logIn(world, await org.reader());
  client.send(bytes);
  expect(await client.next()).toBeUndefined();
  await expect
    .poll(async () => (await org.admin.scans.rejectedMessages()).data.map(({ reason }) => reason))
    .toEqual([expect.stringContaining('no client sends packets of type')]);
});
