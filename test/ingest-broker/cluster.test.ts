import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLog } from '../../server/log.js';
import { type ClusterWorld, createClusterWorld, logIn } from '../support/cluster-world.js';
import {
  answerPacket,
  packet,
  packetTypes,
  publishPacket,
  type RawMqtt,
  subscribePacket,
} from '../support/raw-mqtt.js';
import type { ScanOrganization, TestReader } from '../support/scan-world.js';

let world: ClusterWorld;
const logged: { level: string; msg: string }[] = [];

beforeAll(async () => {
  const log = createLog('info', { write: (line: string) => void logged.push(JSON.parse(line) as (typeof logged)[0]) });
  world = await createClusterWorld({ log });
});

afterAll(async () => {
  await world[Symbol.asyncDispose]();
});

const tag = 'NOBODYS';

/** An organisation with a reader; every read of the tag that it sends is counted, once each time it is stored. */
async function setUp() {
  const org = await world.organization();
  const reader = await org.reader({ format: 'native' });
  return { org, reader };
}

async function countOf(org: ScanOrganization): Promise<number> {
  return (await org.admin.scans.unknownTags()).data[0]?.count ?? 0;
}

function message(reader: TestReader, { id, qos = 2, dup = false }: { id: number; qos?: 1 | 2; dup?: boolean }): Buffer {
  const payload = JSON.stringify({ reads: [{ value: tag }] });
  return publishPacket({ topic: reader.publish_topic, payload, qos, id, dup });
}

async function nextType(client: RawMqtt): Promise<number | undefined> {
  return (await client.next())?.type;
}

/** Sends a packet and resolves with the type of what comes back. */
function exchange(client: RawMqtt, sent: Buffer): Promise<number | undefined> {
  client.send(sent);
  return nextType(client);
}

const release = (id: number) => answerPacket(packetTypes.pubrel, id);

async function untilAway(isAway: boolean): Promise<void> {
  await expect
    .poll(() => world.nodes.map(({ redis }) => redis.isAway()), { timeout: 10_000 })
    .toEqual([isAway, isAway]);
}

describe('a reader that comes to another process', () => {
  test.each([false, true])('ends its own connection to the first one (clean session: %s)', async (clean) => {
    const { reader } = await setUp();
    const [one, other] = world.nodes;
    using before = await logIn(one, reader, { clean });
    using after = await logIn(other, reader, { clean });
    await before.closed();
    expect(await exchange(after, message(reader, { id: 1, qos: 1 }))).toBe(packetTypes.puback);
    using again = await logIn(one, reader, { clean });
    await after.closed();
    expect(await exchange(again, message(reader, { id: 1, qos: 1 }))).toBe(packetTypes.puback);
  });

  test('and another one with the same client id leave each other alone', async () => {
    const [one, other] = world.nodes;
    const [first, second] = [await setUp(), await setUp()];
    using gate = await logIn(one, first.reader);
    using stranger = await logIn(other, second.reader);
    expect(await exchange(stranger, message(second.reader, { id: 1, qos: 1 }))).toBe(packetTypes.puback);
    expect(await exchange(gate, message(first.reader, { id: 1, qos: 1 }))).toBe(packetTypes.puback);
  });

  test('finds its session there, with its subscriptions, until it asks for a clean one', async () => {
    const { reader } = await setUp();
    const [one, other] = world.nodes;
    const filter = `readers/${reader.mqtt_username}/commands/#`;
    {
      using client = await logIn(one, reader);
      expect(client.hasSession).toBe(false);
      expect(await exchange(client, subscribePacket(1, filter))).toBe(packetTypes.suback);
      const key = `whereabouts:client:${reader.mqtt_username}%2Fgate`;
      await expect.poll(() => world.inspector.hkeys(key)).toEqual(expect.arrayContaining(['\0', filter]));
    }
    {
      using client = await logIn(other, reader);
      expect(client.hasSession).toBe(true);
    }
    {
      using client = await logIn(one, reader, { clean: true });
      expect(client.hasSession).toBe(false);
    }
    using client = await logIn(other, reader);
    expect(client.hasSession).toBe(false);
  });

  test('leaves no will behind in Redis, and sends the one it has when it vanishes', async () => {
    const { org, reader } = await setUp();
    const [one] = world.nodes;
    const will = { topic: reader.publish_topic, payload: JSON.stringify({ reads: [{ value: tag }] }) };
    using client = await logIn(one, reader, { will });
    expect(await world.inspector.keys('*will*')).toEqual([]);
    client.socket.resetAndDestroy();
    await expect.poll(() => countOf(org)).toBe(1);
  });
});

describe('a QoS 2 message', () => {
  test('that is sent again to another process is stored once', async () => {
    const { org, reader } = await setUp();
    const [one, other] = world.nodes;
    {
      using client = await logIn(one, reader);
      expect(await exchange(client, message(reader, { id: 7 }))).toBe(packetTypes.pubrec);
    }
    using client = await logIn(other, reader);
    expect(await exchange(client, message(reader, { id: 7, dup: true }))).toBe(packetTypes.pubrec);
    expect(await countOf(org)).toBe(1);
    expect(await exchange(client, release(7))).toBe(packetTypes.pubcomp);
    expect(await exchange(client, release(7))).toBe(packetTypes.pubcomp);
    expect(await exchange(client, message(reader, { id: 7 }))).toBe(packetTypes.pubrec);
    expect(await countOf(org)).toBe(2);
  });

  test('with an identifier that a session had used which is over is stored', async () => {
    const { org, reader } = await setUp();
    const [one, other] = world.nodes;
    {
      using client = await logIn(one, reader);
      expect(await exchange(client, message(reader, { id: 5 }))).toBe(packetTypes.pubrec);
    }
    {
      using client = await logIn(other, reader, { clean: true });
      expect(await exchange(client, message(reader, { id: 5 }))).toBe(packetTypes.pubrec);
      expect(await exchange(client, message(reader, { id: 5, dup: true }))).toBe(packetTypes.pubrec);
      expect(await countOf(org)).toBe(2);
    }
    using client = await logIn(one, reader);
    expect(await exchange(client, message(reader, { id: 5 }))).toBe(packetTypes.pubrec);
    expect(await countOf(org)).toBe(3);
  });
});

describe('while Redis is away', () => {
  test('readers are let in, and what they send is stored and acknowledged, but for kept QoS 2 sessions, which wait', async () => {
    const { org, reader } = await setUp();
    const [one] = world.nodes;
    using early = await logIn(one, reader, { clientId: 'early' });
    await world.redis.kill();
    await untilAway(true);

    expect(await exchange(early, message(reader, { id: 1, qos: 1 }))).toBe(packetTypes.puback);
    using brief = await logIn(one, reader, { clientId: 'brief', clean: true });
    expect(await exchange(brief, message(reader, { id: 1, qos: 1 }))).toBe(packetTypes.puback);
    expect(await exchange(brief, message(reader, { id: 2 }))).toBe(packetTypes.pubrec);
    expect(await exchange(brief, message(reader, { id: 2, dup: true }))).toBe(packetTypes.pubrec);
    expect(await exchange(brief, release(2))).toBe(packetTypes.pubcomp);
    using kept = await logIn(one, reader, { clientId: 'kept' });
    expect(kept.hasSession).toBe(false);
    expect(await exchange(kept, message(reader, { id: 1, qos: 1 }))).toBe(packetTypes.puback);
    expect(await exchange(kept, subscribePacket(9, `readers/${reader.mqtt_username}/commands/#`))).toBe(
      packetTypes.suback,
    );
    expect(await countOf(org)).toBe(4);

    kept.send(message(reader, { id: 2 }));
    // A connection is not held up by what waits on it.
    expect(await exchange(kept, packet(packetTypes.pingreq, 0))).toBe(packetTypes.pingresp);
    expect(await countOf(org)).toBe(4);
    await world.redis.restart();
    await untilAway(false);
    expect(await nextType(kept)).toBe(packetTypes.pubrec);
    expect(await countOf(org)).toBe(5);
    expect(await exchange(kept, release(2))).toBe(packetTypes.pubcomp);
    // Each process says it once, whoever comes and goes meanwhile.
    const told = logged.map(({ msg }) => msg.replace(/:.*/, '')).toSorted();
    expect(told).toEqual(['Redis is away', 'Redis is away', 'Redis is back', 'Redis is back']);
  });

  test('a message that comes again is not stored again, also where its connection ends meanwhile', async () => {
    const { org, reader } = await setUp();
    const [one, other] = world.nodes;
    {
      using client = await logIn(one, reader);
      expect(await exchange(client, message(reader, { id: 2 }))).toBe(packetTypes.pubrec);
    }
    world.redis.freeze();
    try {
      await untilAway(true);
      using client = await logIn(other, reader);
      client.send(message(reader, { id: 2, dup: true }));
      await expect.poll(() => other.broker.stats().messagesUnderWay).toBe(1);
      client.socket.resetAndDestroy();
      await expect.poll(() => other.broker.stats().messagesUnderWay).toBe(0);
    } finally {
      world.redis.thaw();
    }
    await untilAway(false);
    using client = await logIn(other, reader);
    expect(await exchange(client, message(reader, { id: 2, dup: true }))).toBe(packetTypes.pubrec);
    expect(await countOf(org)).toBe(1);
  });

  test('a release is not confirmed before the identifier is free', async () => {
    const { org, reader } = await setUp();
    const [one] = world.nodes;
    using client = await logIn(one, reader);
    expect(await exchange(client, message(reader, { id: 3 }))).toBe(packetTypes.pubrec);
    world.redis.freeze();
    try {
      await untilAway(true);
      client.send(release(3), message(reader, { id: 4, qos: 1 }));
      expect((await client.next())?.type).toBe(packetTypes.puback);
    } finally {
      world.redis.thaw();
    }
    expect(await nextType(client)).toBe(packetTypes.pubcomp);
    expect(await exchange(client, message(reader, { id: 3 }))).toBe(packetTypes.pubrec);
    expect(await countOf(org)).toBe(3);
  });

  test('a session that somebody ends is over when it is back', async () => {
    const { org, reader } = await setUp();
    const [one, other] = world.nodes;
    {
      using client = await logIn(one, reader);
      expect(await exchange(client, message(reader, { id: 6 }))).toBe(packetTypes.pubrec);
    }
    const marks = `whereabouts:incoming:${reader.mqtt_username}/gate`;
    expect(await world.inspector.exists(marks)).toBe(1);
    world.redis.freeze();
    try {
      await untilAway(true);
      using client = await logIn(other, reader, { clean: true });
      expect(await exchange(client, message(reader, { id: 6, qos: 1 }))).toBe(packetTypes.puback);
    } finally {
      world.redis.thaw();
    }
    await untilAway(false);
    await expect.poll(() => world.inspector.exists(marks)).toBe(0);
    using client = await logIn(one, reader);
    expect(client.hasSession).toBe(false);
    expect(await exchange(client, message(reader, { id: 6 }))).toBe(packetTypes.pubrec);
    expect(await countOf(org)).toBe(3);
  });
});

describe('what is kept in Redis', () => {
  test('goes by itself after 30 days, and is bounded until then', async () => {
    const { reader } = await setUp();
    const [one, other] = world.nodes;
    const ids = Array.from({ length: 66 }, (_, index) => `gate-${index}`);
    for (const [index, clientId] of ids.entries()) {
      using client = await logIn(index % 2 ? one : other, reader, { clientId });
      expect(await exchange(client, message(reader, { id: 1 }))).toBe(packetTypes.pubrec);
    }
    const own = () => world.inspector.keys(`whereabouts:*:${reader.mqtt_username}*`);
    await expect.poll(async () => (await own()).length).toBe(64 + 64 + 1);
    using first = await logIn(one, reader, { clientId: 'gate-0' });
    expect(first.hasSession).toBe(false);
    using last = await logIn(other, reader, { clientId: 'gate-65' });
    expect(last.hasSession).toBe(true);
    const keys = (await world.inspector.keys('*')).filter((key) => key !== 'whereabouts:clients');
    const lives = await Promise.all(keys.map(async (key) => ({ key, seconds: await world.inspector.ttl(key) })));
    // -2 is what Redis says of a key that has gone meanwhile, and -1 of one that would stay.
    expect(lives.filter(({ seconds }) => seconds === -1 || seconds > 30 * 86_400)).toEqual([]);
  });
});
