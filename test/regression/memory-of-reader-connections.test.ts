import { describe, expect, it } from 'vitest';
import { createBrokerWorld, type Credentials } from '../support/mqtt.js';
import type { ConnectOptions } from '../support/raw-mqtt.js';
import { rawReader } from '../support/raw-reader.js';
import { fileWorld } from '../support/shared.js';

// What the broker keeps of a reader takes little memory, for all that its clients can send.

const kib = 1024;

const world = fileWorld(createBrokerWorld);

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
