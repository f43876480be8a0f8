import { afterAll, expect, it } from 'vitest';
import { untilWaitedFor } from '../support/locked-tables.js';
import { sharedBrokerWorld, identity, native } from '../support/mqtt.js';
import { connectPacket, packetTypes, publishPacket, type RawMqtt, rawMqtt } from '../support/raw-mqtt.js';
import type { ScanOrganization, TestReader } from '../support/scan-world.js';

// A connection has its own packet identifiers, also while a message of the previous one is being stored.

const world = await sharedBrokerWorld();
afterAll(() => world[Symbol.asyncDispose]());

/** Connects with always the same client id. */
async function connect(reader: TestReader, clean: boolean): Promise<RawMqtt> {
  const client = await rawMqtt(world.port);
  client.send(connectPacket({ clientId: 'c', clean, ...identity(reader) }));
  expect((await client.next())?.type).toBe(packetTypes.connack);
  return client;
}

function publish(client: RawMqtt, reader: TestReader, value: string): void {
  client.send(publishPacket({ topic: reader.publish_topic, payload: native(value), qos: 2, id: 5 }));
}

/** Runs `meanwhile` while a message is being stored. */
async function whileStoring(reader: TestReader, meanwhile: () => Promise<void>): Promise<void> {
  await world.db.$transaction(async (tx) => {
    await tx.$executeRaw`LOCK TABLE unknown_tags IN ACCESS EXCLUSIVE MODE`;
    publish(await connect(reader, false), reader, 'FIRST');
    await untilWaitedFor(tx, 'unknown_tags');
    await meanwhile();
  });
}

async function valuesOf(org: ScanOrganization): Promise<string[]> {
  return (await org.admin.scans.unknownTags()).data.map(({ value }) => value).toSorted();
}

it.each([true, false])(
  'a message is not taken for one of a connection before, with a clean session: %j',
  async (clean) => {
    const org = await world.organization();
    const reader = await org.reader({ format: 'native' });
    let client: RawMqtt | undefined;
    await whileStoring(reader, async () => {
      client = await connect(reader, clean);
      publish(client, reader, 'SECOND');
    });
    expect((await client?.next())?.type).toBe(packetTypes.pubrec);
    expect(await valuesOf(org)).toEqual(['FIRST', 'SECOND']);
  },
);
