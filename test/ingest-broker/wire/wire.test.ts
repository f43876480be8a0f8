import { Duplex, PassThrough } from 'node:stream';
import fc from 'fast-check';
import { type Packet as Mqtt5Packet, parser } from 'mqtt-packet';
import { describe, expect, it } from 'vitest';
import { isOfMqtt5 } from '../../../ingest-broker/wire/connect-rules.js';
import { createFraming } from '../../../ingest-broker/wire/framing.js';
import { isWellFormedFilter } from '../../../ingest-broker/wire/filters.js';
import { createIntake, type Piece, type Violation } from '../../../ingest-broker/wire/intake.js';
import { translateConnect } from '../../../ingest-broker/wire/mqtt5/connect.js';
import { translateRequest } from '../../../ingest-broker/wire/mqtt5/requests.js';
import type { Packet } from '../../../ingest-broker/wire/packet-types.js';
import { checkPacket } from '../../../ingest-broker/wire/rules.js';
import { ProtocolViolationError } from '../../../ingest-broker/wire/violation.js';
import { bytesOf, connectOf } from '../../support/mqtt5-client.js';
import { mutate, mutations } from '../../support/mutations.js';
import {
  answerPacket,
  connectPacket,
  disconnectPacket,
  packetTypes,
  pingPacket,
  publishPacket,
  subscribePacket,
  unsubscribePacket,
} from '../../support/raw-mqtt.js';

const connect = connectPacket({
  clientId: 'c',
  username: 'u',
  password: 'p',
  will: { topic: 'gone', payload: 'forever' },
});

const packets = [
  connect,
  publishPacket({ topic: 'a/b', payload: 'c'.repeat(200), qos: 0 }),
  publishPacket({ topic: 'a/b', payload: '', qos: 1, id: 65_535, dup: true }),
  publishPacket({ topic: 'ä', payload: Buffer.alloc(20_000), qos: 2, id: 1 }),
  answerPacket(packetTypes.pubrel, 1),
  answerPacket(packetTypes.puback, 2),
  subscribePacket(3, 'a/+/b', '#', 'c/#'),
  unsubscribePacket(4, 'a', 'b'),
  pingPacket,
  disconnectPacket,
];
const stream = Buffer.concat(packets);

function cut(bytes: Buffer, pieceOf: () => number): Packet[] {
  const framing = createFraming(() => {});
  const found: Packet[] = [];
  for (let begin = 0; begin < bytes.length; ) {
    const end = begin + pieceOf();
    framing.give(bytes.subarray(begin, end));
    for (let packet = framing.take(); packet; packet = framing.take()) found.push(packet);
    begin = end;
  }
  return found;
}

describe('framing', () => {
  it('finds the same in whatever pieces, and no more than there is', () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 3000 }), { minLength: 1, maxLength: 20 });
    const outcome = (bytes: Buffer, pieceOf: () => number) => {
      try {
        return cut(bytes, pieceOf).map((packet) => packet.bytes.toString('base64'));
      } catch (error) {
        return error instanceof ProtocolViolationError ? 'lost' : error;
      }
    };
    const isFoundAlike = fc.property(mutations, sizes, (given, pieces) => {
      const bytes = mutate(stream, given);
      let count = 0;
      const nextSize = () => pieces[count++ % pieces.length] ?? 1;
      expect(outcome(bytes, nextSize)).toEqual(outcome(bytes, () => bytes.length));
    });
    fc.assert(isFoundAlike, { seed: 11, numRuns: 300 });
  });

  it('tells of a header before what it announces is there', () => {
    const framing = createFraming(({ bodyBytes }) => {
      if (bodyBytes > 100) throw new ProtocolViolationError('too long');
    });
    framing.give(Buffer.from([0x30, 100]));
    expect(framing.take()).toBeUndefined();
    const other = createFraming(({ bodyBytes }) => {
      if (bodyBytes > 100) throw new ProtocolViolationError('too long');
    });
    other.give(Buffer.from([0x30]));
    expect(other.take()).toBeUndefined();
    other.give(Buffer.from([101]));
    expect(() => other.take()).toThrow('too long');
  });
});

describe('the rules', () => {
  it('reject everything that the parser of the broker fails on', () => {
    let passed = 0;
    const short = packets.filter((bytes) => bytes.length <= 1000);
    const isAcceptedByBoth = fc.property(fc.constantFrom(...short), mutations, (original, given) => {
      const [packet] = packetsOf(mutate(original, given));
      if (!packet || !isAllowed(packet)) return;
      passed += 1;
      const seen: unknown[] = [];
      const theirs = parser();
      theirs.on('packet', () => seen.push('packet'));
      theirs.on('error', (error: unknown) => seen.push(error));
      theirs.parse(packet.bytes);
      expect([packet.bytes.toString('hex'), seen]).toEqual([packet.bytes.toString('hex'), ['packet']]);
    });
    fc.assert(isAcceptedByBoth, { seed: 12, numRuns: 20_000 });
    expect(passed).toBeGreaterThan(500);
  });

  it('reject everything of MQTT 5 that cannot be translated to MQTT 3.1.1', () => {
    const everything = { userProperties: { a: 'b' }, messageExpiryInterval: 9, correlationData: Buffer.from('c') };
    const will = { topic: 'gone', payload: 'forever', properties: everything };
    const login = connectOf({ mqtt_username: 'u', mqtt_password: 'p' }, { will, properties: { receiveMaximum: 9 } });
    const message = { cmd: 'publish', topic: 'a/b', payload: 'c', dup: false, retain: false } as const;
    const filter = { topic: 'a/+/b', qos: 1, nl: true, rh: 2 } as const;
    const originals: Mqtt5Packet[] = [
      login,
      { ...message, qos: 0, properties: everything },
      { ...message, qos: 2, messageId: 1, properties: everything },
      { cmd: 'pubrel', messageId: 1, reasonCode: 0x92, properties: { reasonString: 'r' } },
      { cmd: 'subscribe', messageId: 3, subscriptions: [filter], properties: { subscriptionIdentifier: 300 } },
      { cmd: 'unsubscribe', messageId: 4, unsubscriptions: ['a', 'b'] },
      { cmd: 'disconnect', reasonCode: 4, properties: { reasonString: 'r' } },
    ];
    let passed = 0;
    const isAcceptedByBoth = fc.property(fc.constantFrom(...originals), mutations, (original, given) => {
      const [packet] = packetsOf(mutate(bytesOf(original), given));
      const translated = packet && isAllowed(packet, understoodAs311);
      if (!translated) return;
      passed += 1;
      const seen: unknown[] = [];
      const theirs = parser();
      theirs.on('packet', ({ cmd }) => seen.push(cmd));
      theirs.on('error', (error: unknown) => seen.push(error));
      theirs.parse(translated.bytes);
      expect([translated.bytes.toString('hex'), seen]).toEqual([
        translated.bytes.toString('hex'),
        [expect.any(String)],
      ]);
    });
    fc.assert(isAcceptedByBoth, { seed: 13, numRuns: 20_000 });
    expect(passed).toBeGreaterThan(500);
  });

  function understoodAs311(packet: Packet): Packet {
    if (packet.type === packetTypes.connect && isOfMqtt5(packet.body))
      return translateConnect(packet, () => 'id').packet;
    return packet.type === packetTypes.connect ? packet : translateRequest(packet, true).packet;
  }

  function packetsOf(bytes: Buffer): Packet[] {
    try {
      return cut(bytes, () => bytes.length);
    } catch {
      return [];
    }
  }

  function isAllowed(packet: Packet, understood = (given: Packet) => given): Packet | undefined {
    try {
      const translated = understood(packet);
      checkPacket(translated);
      return translated;
    } catch (error) {
      if (error instanceof ProtocolViolationError) return undefined;
      throw error;
    }
  }
});

describe('a filter', () => {
  it.each(['a', '/', '#', '+', 'a/#', '+/+/#', '/+/', 'a/+/b', '$SYS/#'])('is well formed: %s', (filter) => {
    expect(isWellFormedFilter(filter)).toBe(true);
  });

  it.each(['a#', '#a', '#/a', 'a/#/b', 'a/b#', '##', 'a+', '+a', 'a/b+', 'a/+b', 'a/b+/c', '++', 'a/+#'])(
    'is not well formed: %s',
    (filter) => {
      expect(isWellFormedFilter(filter)).toBe(false);
    },
  );
});

describe('an intake', () => {
  type Given = { hasCapacity?: () => boolean; socket?: Duplex };

  function open({ hasCapacity = () => true, socket = new PassThrough({ highWaterMark: 2 ** 20 }) }: Given = {}) {
    const violations: Violation[] = [];
    const pieces: Piece[] = [];
    const intake = createIntake({
      socket,
      bodyBytesMax: 100_000,
      hasCapacity,
      onRead: (piece) => pieces.push(piece),
      onViolation: (violation) => violations.push(violation),
    });
    const read = () => (socket.read() as Buffer | null)?.toString('hex');
    return { socket, intake, violations, pieces, read };
  }

  it('keeps back what follows a CONNECT until that is accepted', () => {
    const { socket, intake, read } = open();
    socket.write(Buffer.concat([connect, pingPacket, disconnectPacket]));
    expect(read()).toBe(connect.toString('hex'));
    expect(read()).toBeUndefined();
    intake.open();
    expect(read()).toBe(Buffer.concat([pingPacket, disconnectPacket]).toString('hex'));
  });

  it('passes on whole packets alone, and what comes before a violation', async () => {
    const { socket, intake, violations, read } = open();
    socket.write(connect);
    read();
    intake.open();
    socket.write(Buffer.concat([pingPacket, Buffer.from([0x30])]));
    expect(read()).toBe(pingPacket.toString('hex'));
    socket.write(Buffer.from([3, 0, 1, 0x61]));
    expect(read()).toBe('3003000161');
    socket.write(Buffer.concat([pingPacket, Buffer.from([0x36, 0]), pingPacket]));
    expect(read()).toBe(pingPacket.toString('hex'));
    expect(violations.map(({ error }) => error.message)).toEqual(['PUBLISH: the QoS is 3 [MQTT-3.3.1-4]']);
    await new Promise((resolve) => socket.once('close', resolve));
  });

  it('reads nothing while memory is used up, and reads again afterwards', () => {
    let hasCapacity = true;
    const { socket, intake, read } = open({ hasCapacity: () => hasCapacity });
    socket.write(connect);
    read();
    intake.open();
    hasCapacity = false;
    socket.write(pingPacket);
    expect([read(), intake.isListening()]).toEqual([undefined, false]);
    hasCapacity = true;
    let passed: string | undefined;
    socket.on('readable', () => (passed ??= read()));
    intake.goOn();
    expect([passed, intake.isListening()]).toEqual([pingPacket.toString('hex'), true]);
  });

  it('reads a hundred packets at a time, and 16 KiB', () => {
    const { socket, intake, pieces, read } = open();
    socket.write(connect);
    read();
    intake.open();
    socket.write(Buffer.concat(Array.from({ length: 250 }, () => pingPacket)));
    while (read() !== undefined);
    socket.write(publishPacket({ topic: 'a', payload: Buffer.alloc(40_000), qos: 0 }));
    while (read() !== undefined);
    expect(pieces.map(({ packets, isMoreThere }) => [packets, isMoreThere])).toEqual([
      [1, false],
      [100, true],
      [100, true],
      [50, false],
      [0, true],
      [0, true],
      [1, false],
    ]);
  });

  it('reads nothing of a client that does not take its answers, until it does', async () => {
    let take = () => {};
    const socket = new Duplex({
      read() {},
      write(_chunk, _encoding, done) {
        take = done;
      },
    });
    const { intake, read } = open({ socket });
    socket.push(connect);
    read();
    intake.open();
    socket.write(Buffer.alloc(100_000));
    socket.push(pingPacket);
    expect(read()).toBeUndefined();
    // Its keep-alive goes on.
    expect(intake.isListening()).toBe(true);
    const passed = new Promise((resolve) => {
      socket.on('readable', () => resolve(read()));
    });
    take();
    expect(await passed).toBe(pingPacket.toString('hex'));
  });
});
