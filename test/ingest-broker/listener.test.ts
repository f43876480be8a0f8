import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { copyFileSync, readFileSync } from 'node:fs';
import { connect as connectTls } from 'node:tls';
import { connectAsync } from 'mqtt';
import { describe, expect, it } from 'vitest';
import { createIngestBroker } from '../../ingest-broker/index.js';
import { lockStatement } from '../../server/kernel/database/locks.js';
import { closed, createBrokerWorld, cs463 } from '../support/mqtt.js';
import { connectPacket, packetTypes, pingPacket, publishPacket, rawMqtt, uint16 } from '../support/raw-mqtt.js';
import { type RawReader, rawReader } from '../support/raw-reader.js';
import { createScanWorld } from '../support/scan-world.js';
import { createSelfSigned } from '../support/self-signed.js';

const epc = 'E2801190A503006543E21224';

describe('the MQTT listener', () => {
  it('speaks TLS alone where plain MQTT is switched off', async () => {
    using files = createSelfSigned();
    const { certFile, keyFile } = files;
    const settings = { mqttPlain: 'off', mqttTls: { port: 0, certFile, keyFile } } as const;
    await using world = await createScanWorld({ settings });
    const broker = createIngestBroker(world);
    const { port, tlsPort } = await broker.listen();
    expect([port, typeof tlsPort, broker.isListening()]).toEqual([0, 'number', true]);
    const org = await world.organization();
    const reader = await org.reader({});
    const login = { username: reader.mqtt_username, password: reader.mqtt_password, reconnectPeriod: 0 };
    const client = await connectAsync(`mqtts://127.0.0.1:${tlsPort}`, { ...login, rejectUnauthorized: false });
    client.end(true);
    await broker.close();
  });

  it('speaks TLS beside TCP where a certificate is set', async () => {
    using files = createSelfSigned();
    const { certFile, keyFile } = files;
    await using world = await createScanWorld({ settings: { mqttTls: { port: 0, certFile, keyFile } } });
    const broker = createIngestBroker(world);
    const { port, tlsPort } = await broker.listen();
    expect(tlsPort).toBeDefined();
    expect(tlsPort).not.toBe(port);
    const org = await world.organization();
    await org.asset({ tags: [['rfid', epc]] });
    const reader = await org.reader({ format: 'csl_cs463' });
    const client = await connectAsync(`mqtts://127.0.0.1:${tlsPort}`, {
      username: reader.mqtt_username,
      password: reader.mqtt_password,
      rejectUnauthorized: false,
      reconnectPeriod: 0,
    });
    await client.publishAsync(reader.publish_topic, cs463([epc]), { qos: 1 });
    expect(await org.events()).toHaveLength(1);
    client.end(true);
    await broker.close();
  });

  it('reads its certificate again for new connections, and keeps the old one where the files are wrong', async () => {
    using files = createSelfSigned();
    using renewed = createSelfSigned();
    const { certFile, keyFile } = files;
    await using world = await createScanWorld({ settings: { mqttTls: { port: 0, certFile, keyFile } } });
    const broker = createIngestBroker(world);
    const { tlsPort = 0 } = await broker.listen();
    const certificate = async () => {
      const socket = connectTls({ host: '127.0.0.1', port: tlsPort, rejectUnauthorized: false });
      await once(socket, 'secureConnect');
      const { fingerprint256 } = socket.getPeerCertificate();
      socket.destroy();
      return fingerprint256;
    };
    const first = await certificate();
    copyFileSync(renewed.certFile, certFile);
    broker.reloadCertificate?.();
    expect(await certificate()).toBe(first);
    copyFileSync(renewed.keyFile, keyFile);
    broker.reloadCertificate?.();
    const { fingerprint256 } = new X509Certificate(readFileSync(renewed.certFile));
    expect(await certificate()).toBe(fingerprint256);
    await broker.close();
  });

  it('reports that its port is in use, and closes what it has opened', async () => {
    await using world = await createBrokerWorld();
    const settings = { ...world.settings, mqttPort: world.port };
    const second = createIngestBroker({ ...world, settings });
    await expect(second.listen()).rejects.toMatchObject({ code: 'EADDRINUSE' });
    expect(second.isListening()).toBe(false);
    expect(world.broker.isListening()).toBe(true);
  });

  it('acknowledges accepted messages before it closes, and accepts no connections afterwards', async () => {
    await using world = await createBrokerWorld();
    const org = await world.organization();
    await org.asset({ tags: [['rfid', epc]] });
    const reader = await org.reader({ format: 'csl_cs463' });
    using client = await rawMqtt(world.port);
    client.send(connectPacket({ clientId: 'c', username: reader.mqtt_username, password: reader.mqtt_password }));
    await client.next();
    const { closing } = await world.db.$transaction(async (tx) => {
      await tx.$queryRaw(lockStatement('tree', org.orgId));
      client.send(publishPacket({ topic: reader.publish_topic, payload: cs463([epc]), qos: 1, id: 7 }));
      await expect.poll(() => world.broker.stats().messagesUnderWay).toBe(1);
      return { closing: world.broker.close() };
    });
    expect(await client.next()).toMatchObject({ type: packetTypes.puback, body: uint16(7) });
    await client.closed();
    await closing;
    expect(world.broker.isListening()).toBe(false);
    await expect(world.connect(reader)).rejects.toThrow('ECONNREFUSED');
    expect(await org.events()).toHaveLength(1);
  });

  it('closes while connections have not logged in', async () => {
    await using world = await createBrokerWorld();
    using silent = await rawMqtt(world.port);
    using begun = await rawMqtt(world.port);
    begun.send(Buffer.from([0x10, 60, 0, 4]));
    await world.broker.close();
    await Promise.all([silent.closed(), begun.closed()]);
    expect(world.broker.isListening()).toBe(false);
  });

  it('closes while connections are in the TLS handshake', async () => {
    using files = createSelfSigned();
    const { certFile, keyFile } = files;
    await using world = await createScanWorld({ settings: { mqttTls: { port: 0, certFile, keyFile } } });
    const broker = createIngestBroker(world);
    const { tlsPort = 0 } = await broker.listen();
    using silent = await rawMqtt(tlsPort);
    const { closed: ended } = silent;
    await broker.close();
    await ended();
    expect(broker.isListening()).toBe(false);
  });

  it('has a hundred connections of a reader at most: the oldest goes', async () => {
    await using world = await createBrokerWorld();
    const reader = await (await world.organization()).reader();
    const clients: RawReader[] = [];
    for (let index = 0; index < 101; index += 1) {
      clients.push(await rawReader(world.port, reader, { clientId: `client ${index}` }));
    }
    const [oldest, second] = clients;
    await oldest?.closed();
    second?.send(pingPacket);
    expect((await second?.next())?.type).toBe(packetTypes.pingresp);
    await expect.poll(() => world.broker.stats().connections).toBe(100);
    for (const client of clients) client.socket.destroy();
  });

  it('counts its connections', async () => {
    await using world = await createBrokerWorld();
    const reader = await (await world.organization()).reader();
    const [one, two] = [await world.connect(reader), await world.connect(reader)];
    expect(world.broker.stats().connections).toBe(2);
    await one.endAsync();
    await expect.poll(() => world.broker.stats().connections).toBe(1);
    two.end(true);
    await closed(two);
  });
});
