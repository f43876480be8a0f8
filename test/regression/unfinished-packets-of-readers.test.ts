import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import type { Aedes, Client } from 'aedes';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { createConnection } from '../../ingest-broker/connection.js';
import { createFlow } from '../../ingest-broker/flow.js';
import { createRegistry } from '../../ingest-broker/registry.js';
import { createUnfinishedPackets } from '../../ingest-broker/unfinished-packets.js';
import type { Violation } from '../../ingest-broker/wire/intake.js';
import type { Core } from '../../server/index.js';
import { createLog } from '../../server/kernel/log.js';
import { type BrokerWorld, createBrokerWorld, identity, native } from '../support/mqtt.js';
import { connectPacket, packetTypes, pingPacket, publishPacket, rawMqtt } from '../support/raw-mqtt.js';
import { useFakeTimers } from '../support/shared.js';

const kib = 1024;
const mib = 1024 * kib;
const long = publishPacket({ topic: 'a', payload: Buffer.alloc(300 * kib), qos: 0 });
const connect = connectPacket({ clientId: 'c', username: 'u', password: 'p' });

/** Waits for turns of the event loop. Each turn reads 64 KiB from all sockets. */
async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** Connections whose packets go nowhere, and the memory of their unfinished packets. */
function createCrowd() {
  const flow = createFlow();
  const unfinishedPackets = createUnfinishedPackets();
  const violations: Violation[] = [];

  async function open(reader?: { readerId: number; orgId: number }) {
    const socket = new PassThrough({ highWaterMark: mib });
    const read: Buffer[] = [];
    let begunBytes = 0;
    const connection = createConnection({
      aedes: {
        handle: () => ({ _parser: new EventEmitter(), _parsingBatch: 0 }) as unknown as Client,
      } as unknown as Aedes,
      socket,
      remoteAddress: '',
      flow,
      packetBytesMax: 320 * kib,
      unfinishedPackets: {
        connect(goOn) {
          const unfinished = unfinishedPackets.connect(goOn);
          const note = (bytes: number) => unfinished.note((begunBytes = bytes));
          return { ...unfinished, note };
        },
      },
      onIntroduced() {},
      onSilence() {},
      onViolation: (_connection, violation) => violations.push(violation),
    });
    socket.on('readable', () => {
      for (let chunk = socket.read() as Buffer | null; chunk; chunk = socket.read() as Buffer | null) read.push(chunk);
    });
    // A new listener makes the stream read once.
    await turns(1);
    if (reader) {
      socket.write(connect);
      socket.read();
      connection.unfinished.join(reader);
      connection.intake.open();
      read.length = 0;
    }
    return {
      socket,
      send: (bytes: Buffer) => void socket.write(bytes),
      begunBytes: () => begunBytes,
      hasReceived: (bytes: Buffer) => Buffer.concat(read).equals(bytes),
      isListening: () => connection.intake.isListening(),
    };
  }

  return { open, violations };
}

type Member = Awaited<ReturnType<ReturnType<typeof createCrowd>['open']>>;

const total = (members: readonly Member[]) => members.reduce((sum, member) => sum + member.begunBytes(), 0);

describe('packets that are not finished', () => {
  it('of one reader take little more than 1 MiB, and are all finished', async () => {
    const { open } = createCrowd();
    const members = await Promise.all(Array.from({ length: 50 }, () => open({ readerId: 1, orgId: 1 })));
    for (const member of members) member.send(long.subarray(0, -1));
    await turns(400);
    // A buffer can be twice as long as what it holds, and each connection has a short packet.
    expect(total(members)).toBeLessThan(2 * mib + 50 * 32 * kib);
    const other = await open({ readerId: 2, orgId: 1 });
    other.send(long);
    await turns(20);
    expect(other.hasReceived(long)).toBe(true);
    for (const member of members) member.send(long.subarray(-1));
    await turns(800);
    expect(members.every((member) => member.hasReceived(long))).toBe(true);
    expect(total(members)).toBe(0);
  });

  it('of one organization take little more than 4 MiB, and delay no short ones', async () => {
    const { open } = createCrowd();
    const members = await Promise.all(Array.from({ length: 60 }, (_, n) => open({ readerId: n % 20, orgId: 1 })));
    for (const member of members) member.send(long.subarray(0, -1));
    await turns(800);
    expect(total(members)).toBeLessThan(6 * mib + 60 * 32 * kib);
    const short = publishPacket({ topic: 'a', payload: 'b'.repeat(3000), qos: 0 });
    const same = await open({ readerId: 1, orgId: 1 });
    const other = await open({ readerId: 100, orgId: 2 });
    same.send(short);
    other.send(long);
    await turns(20);
    expect([same.hasReceived(short), other.hasReceived(long)]).toEqual([true, true]);
    for (const member of members) member.socket.destroy();
    await turns(2);
    const later = await open({ readerId: 1, orgId: 1 });
    later.send(long);
    await turns(20);
    expect(later.hasReceived(long)).toBe(true);
  });

  it('of connections without a login take little more than 4 MiB', async () => {
    const { open } = createCrowd();
    const members = await Promise.all(Array.from({ length: 100 }, () => open()));
    const will = { topic: 'gone', payload: 'x'.repeat(60 * kib) };
    const large = connectPacket({ clientId: 'c'.repeat(60 * kib), username: 'u', password: 'p', will });
    for (const member of members) member.send(large.subarray(0, -1));
    await turns(400);
    expect(total(members)).toBeLessThan(5 * mib + 100 * 32 * kib);
    const other = await open();
    other.send(connect);
    await turns(5);
    expect(other.hasReceived(connect)).toBe(true);
  });
});

describe('a packet that hardly continues', () => {
  afterEach(() => vi.useRealTimers());

  async function openInFakeTime() {
    useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const crowd = createCrowd();
    return { ...crowd, member: await crowd.open({ readerId: 1, orgId: 1 }) };
  }

  it('ends its connection after 30 seconds', async () => {
    const { member, violations } = await openInFakeTime();
    member.send(long.subarray(0, 5000));
    await turns(2);
    member.send(long.subarray(5000, 5500));
    await turns(2);
    vi.advanceTimersByTime(29_999);
    expect(violations).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(violations.map(({ error }) => error.message)).toEqual(['a packet that was not finished']);
    await turns(2);
    expect(member.socket.destroyed).toBe(true);
  });

  it('may take longer at 1 KiB in 30 seconds, and between others', async () => {
    const { member, violations } = await openInFakeTime();
    member.send(long.subarray(0, 5000));
    for (let n = 0; n < 5; n += 1) {
      await turns(2);
      member.send(long.subarray(5000 + n * kib, 5000 + (n + 1) * kib));
      await turns(2);
      vi.advanceTimersByTime(30_000);
    }
    member.send(long.subarray(5000 + 5 * kib));
    await turns(20);
    expect(member.hasReceived(long)).toBe(true);
    // Each read ends in the middle of a ping.
    member.send(pingPacket.subarray(0, 1));
    for (let n = 0; n < 5; n += 1) {
      await turns(2);
      vi.advanceTimersByTime(29_000);
      member.send(Buffer.concat([pingPacket.subarray(1), pingPacket.subarray(0, 1)]));
    }
    member.send(pingPacket.subarray(1));
    await turns(2);
    vi.advanceTimersByTime(120_000);
    expect(violations).toEqual([]);
  });

  it('is waited for while its socket is not read', async () => {
    useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { open, violations } = createCrowd();
    const members = await Promise.all(Array.from({ length: 20 }, () => open({ readerId: 1, orgId: 1 })));
    for (const member of members) member.send(long.subarray(0, -1));
    await turns(200);
    const waiting = members.filter((member) => !member.isListening());
    expect(waiting.length).toBeGreaterThan(10);
    for (let n = 0; n < 3; n += 1) vi.advanceTimersByTime(30_000);
    expect(violations).toHaveLength(members.length - waiting.length);
  });
});

describe('connections of an organization', () => {
  it('are limited; connections of the reader with the most are ended', () => {
    const ended: string[] = [];
    const core = { readers: { noteConnected() {} } } as unknown as Core;
    const registry = createRegistry({
      core,
      log: createLog('silent'),
      connectionsPerOrganization: 5,
    });
    function come(name: string, readerId: number, orgId = 1): EventEmitter {
      const conn = new EventEmitter();
      function close(): void {
        ended.push(name);
        conn.emit('close');
      }
      const intake = { announceEnd() {} };
      const connection = { client: { conn, close }, intake } as unknown as Parameters<typeof registry.add>[0];
      registry.add(connection, { readerId, orgId } as Parameters<typeof registry.add>[1]);
      return conn;
    }
    for (const name of ['a1', 'a2', 'a3']) come(name, 1);
    for (const name of ['b1', 'c1']) come(name, name === 'b1' ? 2 : 3);
    for (let n = 0; n < 5; n += 1) come(`other ${n}`, 10 + n, 2);
    expect(ended).toEqual([]);
    come('d1', 4);
    expect(ended).toEqual(['a1']);
    come('b2', 2);
    expect(ended).toEqual(['a1', 'a2']);
    const gone = come('b3', 2);
    expect(ended).toEqual(['a1', 'a2', 'b1']);
    gone.emit('close');
    come('e1', 5);
    expect(ended).toHaveLength(3);
    expect(registry.connections()).toBe(10);
  });
});

describe('over TCP', () => {
  let world: BrokerWorld;
  beforeAll(async () => {
    world = await createBrokerWorld();
  });
  afterAll(() => world[Symbol.asyncDispose]());

  it('long messages of many connections of a reader, begun at once, are all acknowledged', async () => {
    const org = await world.organization();
    const reader = await org.reader({ format: 'native' });
    const clients = await Promise.all(Array.from({ length: 12 }, () => rawMqtt(world.port)));
    const payload = native('E2801190A503006543E21224') + ' '.repeat(250 * kib);
    const message = publishPacket({ topic: reader.publish_topic, payload, qos: 1, id: 7 });
    for (const [n, client] of clients.entries()) {
      client.send(connectPacket({ clientId: `c${n}`, ...identity(reader) }));
      expect((await client.next())?.type).toBe(packetTypes.connack);
      client.send(message.subarray(0, -1));
    }
    for (const client of clients) client.send(message.subarray(-1));
    for (const client of clients) expect((await client.next())?.type).toBe(packetTypes.puback);
    for (const client of clients) client[Symbol.dispose]();
  });
});
