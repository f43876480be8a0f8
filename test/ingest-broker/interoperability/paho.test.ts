import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { sharedBrokerWorld, native } from '../../support/mqtt.js';
import {
  answerPacket,
  disconnectPacket,
  packet,
  packetTypes,
  pingPacket,
  publishPacket,
  type RawPacket,
  subscribePacket,
  text,
  uint16,
  unsubscribePacket,
} from '../../support/raw-mqtt.js';
import { rawReader } from '../../support/raw-reader.js';
import type { TestReader } from '../../support/scan-world.js';
import { countsOf, createNativeReader } from './native-reader.js';

// The cases of Eclipse Paho's interoperability suite for MQTT 3.1.1 brokers, applied to this one: a broker for readers,
// whose messages go to the server and never from one client to another.

const world = await sharedBrokerWorld();

afterAll(() => world[Symbol.asyncDispose]());

const setUp = () => createNativeReader(world);

const typeOf = (found: RawPacket | undefined) => found?.type;

describe('basic', () => {
  it('takes messages at each QoS, on a second connection as on the first', async () => {
    const { org, reader } = await setUp();
    for (const round of [1, 2]) {
      using client = await rawReader(world.port, reader, { clientId: 'myclientid' });
      expect(client.connack).toEqual({ sessionPresent: false, returnCode: 0 });
      for (const qos of [0, 1, 2] as const) {
        client.send(publishPacket({ topic: reader.publish_topic, payload: native(`QOS ${qos}`), qos, id: 10 + qos }));
      }
      expect(await client.next()).toMatchObject({ type: packetTypes.puback, body: uint16(11) }); // [MQTT-4.3.2-2]
      expect(await client.next()).toMatchObject({ type: packetTypes.pubrec, body: uint16(12) }); // [MQTT-4.3.3-2]
      client.send(answerPacket(packetTypes.pubrel, 12));
      expect(await client.next()).toMatchObject({ type: packetTypes.pubcomp, body: uint16(12) });
      client.send(disconnectPacket);
      await client.closed();
      expect(await countsOf(org)).toEqual({ 'QOS 0': round, 'QOS 1': round, 'QOS 2': round });
    }
  });
});

describe('retained messages', () => {
  // The standard keeps them for later subscribers ([MQTT-3.3.1-5]). Here nobody may subscribe to what a reader
  // publishes, so that nothing has to be kept.
  it('are stored as any message, and kept for nobody', async () => {
    const { org, reader, commands } = await setUp();
    using client = await rawReader(world.port, reader);
    const retained = 1;
    const topic = text(`${commands}/state`);
    for (const qos of [1, 2]) {
      const flags = (qos << 1) | retained;
      client.send(packet(packetTypes.publish, flags, topic, uint16(qos), Buffer.from(native(`R${qos}`))));
    }
    expect([await client.next(), await client.next()].map(typeOf)).toEqual([packetTypes.puback, packetTypes.pubrec]);
    client.send(subscribePacket(7, `${commands}/#`), pingPacket);
    const answers = [await client.next(), await client.next()].map(typeOf);
    expect(new Set(answers)).toEqual(new Set([packetTypes.suback, packetTypes.pingresp]));
    expect(await countsOf(org)).toEqual({ R1: 1, R2: 1 });
  });
});

describe('offline messages', () => {
  it('are not kept, since nothing is published to a reader', async () => {
    const { reader, commands } = await setUp();
    using first = await rawReader(world.port, reader, { clientId: 'away', clean: false });
    first.send(subscribePacket(1, `${commands}/#`));
    expect((await first.next())?.body[2]).toBe(1);
    using other = await rawReader(world.port, reader, { clientId: 'other' });
    other.send(publishPacket({ topic: `${commands}/x`, payload: native('N'), qos: 1 }));
    expect(typeOf(await other.next())).toBe(packetTypes.puback);
    first.send(pingPacket);
    expect(typeOf(await first.next())).toBe(packetTypes.pingresp);
    first.send(disconnectPacket);
    await first.closed();
    using again = await rawReader(world.port, reader, { clientId: 'away', clean: false });
    again.send(pingPacket);
    expect(typeOf(await again.next())).toBe(packetTypes.pingresp);
  });
});

describe('last wills', () => {
  const will = (reader: TestReader) => ({ topic: reader.publish_topic, payload: native('WILL') });

  it('are published when a connection ends for a violation', async () => {
    const { org, reader } = await setUp();
    using client = await rawReader(world.port, reader, { will: will(reader) });
    client.send(Buffer.from([0xf0, 0]));
    await client.closed();
    await expect.poll(() => countsOf(org)).toEqual({ WILL: 1 });
  });

  it('are discarded by a DISCONNECT [MQTT-3.14.4-3]', async () => {
    const { org, reader } = await setUp();
    using client = await rawReader(world.port, reader, { will: will(reader) });
    client.send(disconnectPacket);
    await client.closed();
    using other = await rawReader(world.port, reader, { clientId: 'other' });
    other.send(publishPacket({ topic: reader.publish_topic, payload: native('N'), qos: 1 }));
    await other.next();
    expect(await countsOf(org)).toEqual({ N: 1 });
  });
});

describe('overlapping subscriptions', () => {
  it('are granted each, the same one twice too [MQTT-3.8.4-5]', async () => {
    const { reader, commands } = await setUp();
    using client = await rawReader(world.port, reader);
    client.send(subscribePacket(9, `${commands}/#`, `${commands}/+`, 'nosubscribe', `${commands}/#`));
    expect(await client.next()).toMatchObject({
      type: packetTypes.suback,
      body: Buffer.concat([uint16(9), Buffer.from([1, 1, 128, 1])]),
    });
  });
});

describe('the keep alive', () => {
  it('is one and a half times as long: a reader that is silent for longer is disconnected, and its will is published [MQTT-3.1.2-24]', async () => {
    const { org, reader } = await setUp();
    const will = { topic: reader.publish_topic, payload: native('WILL') };
    const begunMs = performance.now();
    using client = await rawReader(world.port, reader, { keepAliveSeconds: 1, will });
    await client.closed();
    const lastedMs = performance.now() - begunMs;
    expect(lastedMs).toBeGreaterThan(1400);
    await expect.poll(() => countsOf(org)).toEqual({ WILL: 1 });
  });

  it('is kept by any packet, and 0 is forever', async () => {
    const { reader } = await setUp();
    using pings = await rawReader(world.port, reader, { clientId: 'pings', keepAliveSeconds: 1 });
    using publishes = await rawReader(world.port, reader, { clientId: 'publishes', keepAliveSeconds: 1 });
    using silent = await rawReader(world.port, reader, { clientId: 'silent', keepAliveSeconds: 0 });
    for (let time = 0; time < 5; time += 1) {
      await delay(500);
      pings.send(pingPacket);
      expect(typeOf(await pings.next())).toBe(packetTypes.pingresp);
      publishes.send(publishPacket({ topic: reader.publish_topic, payload: native('N'), qos: 0 }));
    }
    for (const client of [publishes, silent]) {
      client.send(pingPacket);
      expect(typeOf(await client.next())).toBe(packetTypes.pingresp);
    }
  });

  it('is not broken by a half packet now and then', async () => {
    const { reader } = await setUp();
    using client = await rawReader(world.port, reader, { keepAliveSeconds: 1 });
    client.send(Buffer.from([0x30, 100]));
    const dribble = setInterval(() => client.send(Buffer.from([0])), 300);
    expect(await client.next()).toBeUndefined();
    clearInterval(dribble);
  });
});

describe('redelivery on reconnect', () => {
  it('at QoS 1 is stored and acknowledged again', async () => {
    const { org, reader } = await setUp();
    const asset = await org.asset({ tags: [['rfid', 'A']] });
    const payload = JSON.stringify({ reads: [{ value: 'A', observed_at: new Date().toISOString() }] });
    for (const dup of [false, true]) {
      using client = await rawReader(world.port, reader, { clientId: 'kept', clean: false });
      expect(client.connack.sessionPresent).toBe(false);
      client.send(publishPacket({ topic: reader.publish_topic, payload, qos: 1, id: 7, dup }));
      expect(await client.next()).toMatchObject({ type: packetTypes.puback, body: uint16(7) });
      client.socket.destroy();
    }
    expect(await org.events(asset)).toHaveLength(1);
  });

  it('at QoS 2 is answered again, and a read that has its time is stored once', async () => {
    const { org, reader } = await setUp();
    const asset = await org.asset({ tags: [['rfid', 'A']] });
    const payload = JSON.stringify({ reads: [{ value: 'A', observed_at: new Date().toISOString() }] });
    const message = (dup: boolean) => publishPacket({ topic: reader.publish_topic, payload, qos: 2, id: 7, dup });
    const steps: [Buffer, number][] = [
      [message(false), packetTypes.pubrec],
      [message(true), packetTypes.pubrec],
      [answerPacket(packetTypes.pubrel, 7), packetTypes.pubcomp],
      [answerPacket(packetTypes.pubrel, 7), packetTypes.pubcomp],
    ];
    for (const [sent, expected] of steps) {
      using client = await rawReader(world.port, reader, { clientId: 'kept', clean: false });
      client.send(sent);
      expect(await client.next()).toMatchObject({ type: expected, body: uint16(7) });
      client.socket.destroy();
    }
    expect(await org.events(asset)).toHaveLength(1);
  });
});

describe('topics that begin with $', () => {
  it('are not what # and + stand for, not even for a reader that may publish anywhere [MQTT-4.7.2-1]', async () => {
    const org = await world.organization();
    const reader = await org.reader({ format: 'native', publish_topic: '#' });
    using client = await rawReader(world.port, reader);
    client.send(publishPacket({ topic: 'any/where', payload: native('N'), qos: 1 }));
    expect(typeOf(await client.next())).toBe(packetTypes.puback);
    client.send(publishPacket({ topic: '$SYS/x', payload: native('N'), qos: 1 }));
    expect(await client.next()).toBeUndefined();
  });
});

describe('unsubscribing', () => {
  it('is acknowledged, from what there is and what there is not [MQTT-3.10.4-5]', async () => {
    const { reader, commands } = await setUp();
    using client = await rawReader(world.port, reader, { clientId: 'kept', clean: false });
    client.send(subscribePacket(1, `${commands}/#`));
    await client.next();
    client.send(unsubscribePacket(2, `${commands}/#`, 'never/asked/for'), unsubscribePacket(3, `${commands}/#`));
    expect(await client.next()).toMatchObject({ type: packetTypes.unsuback, body: uint16(2) });
    expect(await client.next()).toMatchObject({ type: packetTypes.unsuback, body: uint16(3) });
  });
});
