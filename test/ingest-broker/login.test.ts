import { afterAll, describe, expect, it } from 'vitest';
import { closed, sharedBrokerWorld, identity } from '../support/mqtt.js';
import { type ConnectOptions, connectPacket, packetTypes, type RawMqtt, rawMqtt } from '../support/raw-mqtt.js';
import type { ScanOrganization } from '../support/scan-world.js';

const world = await sharedBrokerWorld();
afterAll(() => world[Symbol.asyncDispose]());

async function connack(options: ConnectOptions): Promise<RawMqtt & { returnCode: number | undefined }> {
  const client = await rawMqtt(world.port);
  client.send(connectPacket(options));
  const packet = await client.next();
  const isConnack = packet?.type === packetTypes.connack;
  return Object.assign(client, { returnCode: isConnack ? packet.body[1] : undefined });
}

const list = async (org: ScanOrganization) => (await org.admin.readers.list()).data;

describe('a login', () => {
  it('needs the reader’s own user name and password', async () => {
    const org = await world.organization();
    const one = await org.reader();
    const two = await org.reader();
    const attempts: [Partial<ConnectOptions>, number | undefined][] = [
      [{}, 0],
      [{ password: two.mqtt_password }, 4],
      [{ username: two.mqtt_username }, 4],
      [{ username: 'nobody' }, 4],
      [{ username: one.mqtt_username.toUpperCase() }, 4],
      [{ username: 'no\0body' }, undefined],
      [{ username: '' }, 4],
      [{ password: '' }, 4],
      [{ username: 'a\u{1}b' }, 4],
    ];
    for (const [given, expected] of attempts) {
      using client = await connack({ clientId: 'c', ...identity(one), ...given });
      expect([given, client.returnCode]).toEqual([given, expected]);
      if (expected !== 0) await client.closed();
    }
  });

  it('keeps two readers with one client id apart, and lets a reader take over its own id', async () => {
    const one = await (await world.organization()).reader();
    const two = await (await world.organization()).reader();
    const clientId = 'reader-1';
    const first = await world.connect(one, { clientId });
    const second = await world.connect(two, { clientId });
    const again = await world.connect(one, { clientId });
    await closed(first);
    for (const [client, reader] of [[second, two] as const, [again, one] as const]) {
      await client.publishAsync(reader.publish_topic, '{"reads":[]}', { qos: 1 });
    }
    expect(second.connected).toBe(true);
  });

  it('takes an empty client id with a clean session alone', async () => {
    const reader = await (await world.organization()).reader();
    using first = await connack({ clientId: '', ...identity(reader) });
    using second = await connack({ clientId: '', ...identity(reader) });
    expect([first.returnCode, second.returnCode]).toEqual([0, 0]);
    expect(first.socket.closed).toBe(false);
    using kept = await connack({ clientId: '', clean: false, ...identity(reader) });
    expect(kept.returnCode).toBe(2);
    await kept.closed();
  });

  it('is spoken in MQTT 3.1, 3.1.1 and 5, with long ids', async () => {
    const reader = await (await world.organization()).reader();
    for (const version of [3, 4, 5] as const) {
      using client = await connack({ clientId: 'x'.repeat(200), version, ...identity(reader) });
      expect(client.returnCode).toBe(0);
    }
  });

  it('has no answer while the database cannot be asked: the connection ends', async () => {
    const reader = await (await world.organization()).reader();
    await world.db.$executeRaw`ALTER TABLE readers RENAME TO elsewhere`;
    using client = await connack({ clientId: 'c', ...identity(reader) });
    await world.db.$executeRaw`ALTER TABLE elsewhere RENAME TO readers`;
    expect(client.returnCode).toBeUndefined();
  });
});

describe('administrators', () => {
  it('see when the login of a device was last rejected under a reader’s user name, and why', async () => {
    const org = await world.organization();
    const neighbor = await (await world.organization()).reader();
    const begunMs = Date.now();
    const refused: [Partial<ConnectOptions>, string][] = [
      [{ password: 'wrong' }, 'wrong password'],
      [{ clientId: '', clean: false }, 'an empty client id needs a clean session'],
      [{ clientId: 'x'.repeat(1025) }, 'the client id has more than 1024 bytes'],
      [{ password: 'x'.repeat(1025) }, 'user name or password has more than 1024 bytes'],
      [{ will: { topic: 'gone', payload: 'x'.repeat(4097) } }, 'the last will has more than 4096 bytes'],
    ];
    const expected = new Map<number, string>();
    for (const [given, reason] of refused) {
      const reader = await org.reader();
      expected.set(reader.id, reason);
      using client = await connack({ clientId: 'c', ...identity(reader), ...given });
      await client.closed();
    }
    for (const username of ['nobody', 'x'.repeat(300), neighbor.mqtt_username]) {
      using client = await connack({ clientId: 'c', username, password: 'wrong' });
      await client.closed();
    }
    const reasons = async () =>
      new Map((await list(org)).map(({ id, last_refusal_reason }) => [id, last_refusal_reason]));
    await expect.poll(reasons).toEqual(expected);
    for (const { last_refused_at } of await list(org)) {
      expect(Date.parse(last_refused_at ?? '')).toBeGreaterThan(begunMs - 1000);
      expect(Date.parse(last_refused_at ?? '')).toBeLessThan(Date.now() + 1000);
    }
  });

  it('see that a reader is connected which has not sent anything', async () => {
    const org = await world.organization();
    const [silent, away] = [await org.reader({ name: 'A' }), await org.reader({ name: 'B' })];
    const [before, alsoBefore] = await list(org);
    await world.connect(silent);
    const expected = [{ ...before, last_connected_at: expect.any(String) }, alsoBefore];
    await expect.poll(() => list(org)).toEqual(expected);
    expect(alsoBefore).toMatchObject({ id: away.id, last_connected_at: null });
  });
});

describe('a connection', () => {
  it('ends when its reader is deleted or has another password', async () => {
    const org = await world.organization();
    const [deleted, rotated, kept] = [await org.reader(), await org.reader(), await org.reader()];
    const [first, second] = [await world.connect(deleted), await world.connect(rotated)];
    const third = await world.connect(kept);
    await org.admin.readers.delete({ id: deleted.id });
    const { mqtt_password } = await org.admin.readers.rotateSecret({ id: rotated.id });
    await org.admin.readers.update({ id: kept.id, name: 'renamed' });
    await Promise.all([closed(first), closed(second)]);
    expect(third.connected).toBe(true);
    await expect(world.connect(rotated)).rejects.toThrow('Bad username or password');
    await world.connect({ ...rotated, mqtt_password });
  });

  it('follows a changed format and topic', async () => {
    const org = await world.organization();
    const reader = await org.reader({ format: 'csl_cs463' });
    const client = await world.connect(reader);
    await org.admin.readers.update({ id: reader.id, format: 'native', publish_topic: 'dock/1' });
    for (;;) {
      await client.publishAsync(reader.publish_topic, '{"reads":[{"value":"NOBODY"}]}', { qos: 1 });
      if ((await org.admin.scans.unknownTags()).total_count > 0) break;
    }
    await client.publishAsync('dock/1', '{"reads":[{"value":"NOBODY 2"}]}', { qos: 1 });
    expect((await org.admin.scans.unknownTags()).total_count).toBe(2);
  });
});
