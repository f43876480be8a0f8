import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRegistry } from '../../ingest-broker/registry.js';
import type { Core, ReaderChange } from '../../server/index.js';
import { createLog } from '../../server/log.js';
import { type BrokerWorld, createBrokerWorld, type Credentials } from '../support/mqtt.js';
import { type ConnectOptions, disconnectPacket, packetTypes, subscribePacket } from '../support/raw-mqtt.js';
import { rawReader } from '../support/raw-reader.js';

// What the broker keeps of a reader takes little memory, for all that its clients can send.

const kib = 1024;

let world: BrokerWorld;
beforeAll(async () => {
  world = await createBrokerWorld();
});
afterAll(() => world[Symbol.asyncDispose]());

async function createReader() {
  const org = await world.organization();
  return org.reader({ format: 'native' });
}

describe('a CONNECT', () => {
  const will = (length: number) => ({ topic: 'gone', payload: 'x'.repeat(length) });

  it.each<[string, (reader: Credentials) => Partial<ConnectOptions>, number]>([
    ['a client id of 1 KiB', () => ({ clientId: 'x'.repeat(kib) }), 0],
    ['a longer client id', () => ({ clientId: 'x'.repeat(kib + 1) }), 2],
    ['a longer client id in fewer characters', () => ({ clientId: 'é'.repeat(kib / 2 + 1), clean: false }), 2],
    ['a last will of 4 KiB', () => ({ will: will(4 * kib) }), 0],
    ['a longer last will', () => ({ will: will(4 * kib + 1) }), 5],
    ['a user name above 1 KiB', () => ({ username: 'x'.repeat(kib + 1) }), 4],
    ['a password above 1 KiB', ({ mqtt_password: password }) => ({ password: password.padEnd(kib + 1) }), 4],
  ])('with %s is answered with its return code', async (_what, options, returnCode) => {
    const reader = await createReader();
    using client = await rawReader(world.port, reader, options(reader));
    expect(client.connack).toEqual({ sessionPresent: false, returnCode });
    if (returnCode !== 0) expect(await client.next()).toBeUndefined();
  });
});

describe('filters of sessions that are kept', () => {
  it('count with those of the connections, and are there again without being counted twice', async () => {
    const reader = await createReader();
    const commands = `readers/${reader.mqtt_username}/commands/`;
    const filters = Array.from({ length: 10 }, (_, n) => `${commands}${n}/`.padEnd(kib, 'x'));
    const grantedOn = async (clientId: string) => {
      using client = await rawReader(world.port, reader, { clientId, clean: false });
      client.send(subscribePacket(1, ...filters));
      const answer = await client.next();
      expect(answer?.type).toBe(packetTypes.suback);
      client.send(disconnectPacket);
      await client.closed();
      return [...(answer?.body.subarray(2) ?? [])].filter((code) => code !== 0x80).length;
    };
    let granted = 0;
    for (let n = 0; n < 10; n += 1) granted += await grantedOn(`kept ${n}`);
    expect(granted).toBe(63); // Of 64 KiB, the client ids take a few bytes.
    expect(await grantedOn('kept 0')).toBe(10);
    const other = await createReader();
    using client = await rawReader(world.port, other);
    client.send(subscribePacket(1, `readers/${other.mqtt_username}/commands/#`));
    expect((await client.next())?.body[2]).toBe(1);
  });
});

it('readers that are deleted are reported, connected or not', async () => {
  const deleted: number[] = [];
  const changes = [
    { readerId: 1, login: undefined, isMoving: false },
    { readerId: 2, login: {}, isMoving: true },
  ] as ReaderChange[];
  const core = {
    readers: { noteConnected() {}, changesSince: () => Promise.resolve({ changes, cursor: 1 }) },
  } as unknown as Core;
  const registry = createRegistry({
    ...{ core, log: createLog('silent'), connectionsPerOrganization: 5 },
    onDeleted: (readerId) => deleted.push(readerId),
  });
  await registry.start();
  await registry.stop();
  expect(new Set(deleted)).toEqual(new Set([1]));
});
