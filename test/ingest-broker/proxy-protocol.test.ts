import { connect as connectTcp, type Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { connect as connectTls } from 'node:tls';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { createIngestBroker, type IngestBroker } from '../../ingest-broker/index.js';
import { createLog } from '../../server/kernel/log.js';
import { identity } from '../support/mqtt.js';
import { binaryHeader, headerOfIpv4, headerOfIpv6, tlv } from '../support/proxy-headers.js';
import { connectPacket, pingPacket, type RawMqtt, rawMqtt } from '../support/raw-mqtt.js';
import { createScanWorld, type ScanWorld, type TestReader } from '../support/scan-world.js';
import { createSelfSigned, type SelfSigned } from '../support/self-signed.js';
import { useFakeTimers } from '../support/shared.js';

// 127.0.0.1 is a proxy, and the clients that it reports can be in a network of proxies. Any other address is not trusted.

const proxy = '127.0.0.1';
const untrusted = '127.0.0.2';
const trustedProxies = [proxy, '10.0.0.0/8'];
/** Unauthenticated connections of a network. */
const perNetworkMax = 500;

type Entry = { msg?: string; remoteAddress?: string; readerId?: number; reason?: string };

let files: SelfSigned;
let world: ScanWorld;
let broker: IngestBroker;
let ports: { plain: number; tls: number };
const entries: Entry[] = [];

beforeAll(async () => {
  files = createSelfSigned();
  const { certFile, keyFile } = files;
  const log = createLog('debug', { write: (line) => entries.push(JSON.parse(line) as Entry) });
  world = await createScanWorld({ settings: { mqttTls: { port: 0, certFile, keyFile }, trustedProxies }, log });
  broker = createIngestBroker(world);
  const { port, tlsPort = 0 } = await broker.listen();
  ports = { plain: port, tls: tlsPort };
});

afterAll(async () => {
  await broker.close();
  await world[Symbol.asyncDispose]();
  files[Symbol.dispose]();
});

const createReader = async () => (await world.organization()).reader();
const line = (text: string) => Buffer.from(`${text}\r\n`, 'latin1');

/** How the bytes of a client are sent: everything that it writes at first together with the header, or byte by byte. */
type Sending = 'in one segment' | 'byte by byte';

/** A connection whose first bytes follow a header. */
function behindHeader(socket: Socket, header: Buffer, sending: Sending): Duplex {
  let before = header;
  socket.setNoDelay(true);
  async function send(bytes: Buffer, done: () => void): Promise<void> {
    const all = Buffer.concat([before, bytes]);
    before = Buffer.alloc(0);
    if (sending === 'in one segment') socket.write(all);
    else {
      for (const byte of all) {
        socket.write(Buffer.from([byte]));
        await new Promise((resolve) => setImmediate(resolve));
      }
    }
    done();
  }
  const stream = new Duplex({
    read() {},
    write: (bytes: Buffer, _encoding, done) => void send(bytes, done),
    destroy: (error, done) => done((socket.destroy(), error)),
  });
  socket.on('data', (bytes) => stream.push(bytes));
  socket.on('error', () => {});
  socket.on('close', () => stream.push(null));
  return stream;
}

type Attempt = { header: Buffer; sending?: Sending; over?: 'plain' | 'tls'; from?: string };

/** Sends a CONNECT behind a header. Returns the return code of the CONNACK, or undefined if the connection was closed. */
async function logIn(reader: TestReader, attempt: Attempt): Promise<number | undefined> {
  const { header, sending = 'in one segment', over = 'plain', from = proxy } = attempt;
  const socket = connectTcp({ port: ports[over], host: '127.0.0.1', localAddress: from });
  const tcp = behindHeader(socket, header, sending);
  const stream = over === 'tls' ? connectTls({ socket: tcp, rejectUnauthorized: false }) : tcp;
  stream.on('error', () => {});
  stream.write(connectPacket({ clientId: 'c', ...identity(reader) }));
  const answer = await new Promise<Buffer | undefined>((resolve) => {
    stream.once('data', (bytes: Buffer) => resolve(bytes));
    stream.once('end', () => resolve(undefined));
    stream.once('close', () => resolve(undefined));
  });
  socket.destroy();
  return answer?.[3];
}

/** The addresses with which a reader has logged in, as they are logged. */
function loggedAddresses({ id }: TestReader): (string | undefined)[] {
  return entries
    .filter(({ msg, readerId }) => msg === 'a reader logged in' && readerId === id)
    .map(({ remoteAddress }) => remoteAddress);
}

describe('a reader behind a proxy', () => {
  const none = Buffer.alloc(0);
  const headers: [string, Buffer, string][] = [
    ['version 1, IPv4', line('PROXY TCP4 192.0.2.7 192.0.2.1 56324 1883'), '192.0.2.7'],
    ['version 1, IPv6', line('PROXY TCP6 2001:db8::7 2001:db8::1 56324 1883'), '2001:db8::7'],
    ['version 1, unknown', line('PROXY UNKNOWN'), proxy],
    ['version 2, IPv4', headerOfIpv4('192.0.2.7'), '192.0.2.7'],
    ['version 2, IPv6', headerOfIpv6('2001:0db8:0000:0000:0000:0000:0000:0007'), '2001:db8::7'],
    ['version 2, with TLVs', headerOfIpv4('192.0.2.7', tlv(0xea, Buffer.alloc(500, 7))), '192.0.2.7'],
    ['version 2, local', binaryHeader({ command: 0, protocol: 0, addresses: none }), proxy],
    ['no header', none, proxy],
  ];
  const ways = (['plain', 'tls'] as const).flatMap((over) =>
    (['in one segment', 'byte by byte'] as const).map((sending) => ({ over, sending })),
  );

  it.each(ways)('is logged by its own address: $over, $sending', async ({ over, sending }) => {
    for (const [what, header, address] of headers) {
      const reader = await createReader();
      expect([what, await logIn(reader, { header, sending, over })]).toEqual([what, 0]);
      expect([what, ...loggedAddresses(reader)]).toEqual([what, address]);
    }
  });

  it('is logged by its own address when its login is rejected', async () => {
    const reader = await createReader();
    const impostor = { ...reader, mqtt_password: 'wrong' };
    expect(await logIn(impostor, { header: headerOfIpv4('198.51.100.9') })).toBe(4);
    expect(entries).toContainEqual(
      expect.objectContaining({ msg: 'a reader login was rejected', remoteAddress: '198.51.100.9' }),
    );
  });

  it('is read on after the header, however its packets arrive', async () => {
    const reader = await createReader();
    using client = await rawMqtt(ports.plain);
    client.send(headerOfIpv4('192.0.2.7'), connectPacket({ clientId: 'c', ...identity(reader) }), pingPacket);
    expect([(await client.next())?.type, (await client.next())?.type]).toEqual([2, 13]);
    client.send(pingPacket);
    expect((await client.next())?.type).toBe(13);
  });
});

describe('a header from any other address', () => {
  it.each(['plain', 'tls'] as const)('is a malformed packet: %s', async (over) => {
    const reader = await createReader();
    for (const header of [headerOfIpv4('192.0.2.7'), line('PROXY TCP4 192.0.2.7 192.0.2.1 1 2')]) {
      expect(await logIn(reader, { header, over, from: untrusted })).toBeUndefined();
    }
    expect(loggedAddresses(reader)).toEqual([]);
    expect(await logIn(reader, { header: Buffer.alloc(0), over, from: untrusted })).toBe(0);
    expect(loggedAddresses(reader)).toEqual([untrusted]);
  });
});

describe('a header that is not valid', () => {
  it.each<[string, Buffer, string | undefined]>([
    ['version 1', line('PROXY TCP4 192.0.2.7 192.0.2.1 1'), 'the line is not valid'],
    ['a line without end', Buffer.from(`PROXY UNKNOWN ${'x'.repeat(93)}`), 'the line is too long'],
    ['version 2', binaryHeader({ command: 7, protocol: 0x11, addresses: Buffer.alloc(12) }), 'the command is unknown'],
    ['too long', headerOfIpv4('192.0.2.7', tlv(4, Buffer.alloc(60_000))).subarray(0, 100), 'the header is too long'],
    ['two headers', Buffer.concat([headerOfIpv4('192.0.2.7'), headerOfIpv4('192.0.2.8')]), undefined],
    ['a word that begins like one', line('PROXIES'), undefined],
  ])('ends the connection: %s', async (_what, header, reason) => {
    const reader = await createReader();
    for (const over of ['plain', 'tls'] as const) {
      entries.length = 0;
      expect(await logIn(reader, { header, over })).toBeUndefined();
      const malformed = entries.filter(({ msg }) => msg === 'a proxy sent a malformed PROXY protocol header');
      const expected = reason === undefined ? [] : [expect.objectContaining({ remoteAddress: proxy, reason })];
      expect(malformed).toEqual(expected);
      expect(loggedAddresses(reader)).toEqual([]);
    }
  });
});

describe('a header that is never completed', () => {
  afterEach(() => vi.useRealTimers());

  it('ends the connection after ten seconds, as silence does', async () => {
    const reader = await createReader();
    entries.length = 0;
    useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const header = headerOfIpv4('192.0.2.7', tlv(4, Buffer.alloc(4000)));
    const stalled: RawMqtt[] = [];
    for (const port of [ports.plain, ports.tls]) {
      for (const bytes of [
        header.subarray(0, 20),
        header.subarray(0, 4000),
        Buffer.from('PROXY TCP4'),
        Buffer.alloc(0),
      ]) {
        const client = await rawMqtt(port);
        if (bytes.length > 0) client.send(bytes);
        stalled.push(client);
      }
    }
    // Connections are accepted in their order: the others have been read now.
    expect(await logIn(reader, { header: headerOfIpv4('192.0.2.7') })).toBe(0);
    expect(await logIn(reader, { header: headerOfIpv4('192.0.2.7'), over: 'tls' })).toBe(0);
    vi.advanceTimersByTime(9000);
    expect(await logIn(reader, { header: headerOfIpv4('192.0.2.7') })).toBe(0);
    expect(stalled.map(({ socket }) => socket.readyState)).toEqual(stalled.map(() => 'open'));
    vi.advanceTimersByTime(1000);
    await Promise.all(stalled.map((client) => client.closed()));
    const incomplete = expect.objectContaining({ remoteAddress: proxy, reason: 'the header is incomplete' });
    expect(entries.filter(({ reason }) => reason !== undefined)).toEqual(Array.from({ length: 6 }, () => incomplete));
  });
});

describe('the limit of unauthenticated connections', () => {
  it.each(['192.0.2.66', '10.1.2.3'])('is for the address in the header: %s', async (attacker) => {
    const reader = await createReader();
    const flood: RawMqtt[] = [];
    const open = async (address: string) => {
      const client = await rawMqtt(ports.plain);
      client.send(headerOfIpv4(address));
      return client;
    };
    for (let index = 0; index < perNetworkMax; index += 1) flood.push(await open(attacker));
    // The oldest one is replaced if it is older than two seconds.
    const ended = await Promise.race([(await open(attacker)).closed(), ...flood.map((client) => client.closed())]);
    expect(ended).toBeUndefined();
    const others = { header: headerOfIpv4('192.0.2.67') };
    expect([await logIn(reader, others), await logIn(reader, { ...others, over: 'tls' })]).toEqual([0, 0]);
    expect(await logIn(reader, { header: Buffer.alloc(0) })).toBe(0);
    expect(flood.filter(({ socket }) => socket.readyState === 'open').length).toBeGreaterThanOrEqual(perNetworkMax - 1);
    for (const client of flood) client.socket.destroy();
  });
});
