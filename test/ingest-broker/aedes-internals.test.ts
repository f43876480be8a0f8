import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import path from 'node:path';
import { duplexPair } from 'node:stream';
import { Aedes, type Client } from 'aedes';
import { describe, expect, it } from 'vitest';
import {
  answerRepeatedFilters,
  leaveIdentifiersToPersistence,
  passOnOwnMessagesAlone,
  persistenceOf,
} from '../../ingest-broker/aedes-internals.js';
import { projectRoot } from '../../server/kernel/project-root.js';
import { createPeer, expectPacket, type FakePeer } from '../support/fake-broker.js';

/** The releases whose code was compared with what the adapter relies on. */
const checkedVersions = ['1.2.0'];

const { version } = JSON.parse(
  readFileSync(path.join(projectRoot(), 'node_modules', 'aedes', 'package.json'), 'utf8'),
) as { version: string };

/** A broker without anything of ours around it. */
async function openBroker() {
  const aedes = await Aedes.createBroker();
  return { aedes, [Symbol.asyncDispose]: () => new Promise<void>((resolve) => aedes.close(resolve)) };
}

async function connect(aedes: Aedes, clientId: string) {
  const [near, far] = duplexPair();
  const client = aedes.handle(far);
  const peer = createPeer(near as Socket);
  const ready = once(aedes, 'clientReady');
  peer.send({ cmd: 'connect', clientId, protocolId: 'MQTT', protocolVersion: 4, clean: true, keepalive: 0 });
  await expectPacket(peer, 'connack');
  await ready;
  return { client, peer };
}

async function subscribe(peer: FakePeer, ...topics: string[]): Promise<unknown> {
  const subscriptions = topics.map((topic) => ({ topic, qos: 1 as const }));
  peer.send({ cmd: 'subscribe', messageId: 1, subscriptions });
  return expectPacket(peer, 'suback');
}

describe(`Aedes ${version}`, () => {
  it('is a release that the adapter was checked for', () => {
    expect(checkedVersions).toContain(version);
  });

  it('has the private parts of a client that the adapter uses', async () => {
    await using broker = await openBroker();
    const { client } = await connect(broker.aedes, 'reader');
    expect(client).toMatchObject({
      _parsingBatch: expect.any(Number),
      _parser: { prependListener: expect.any(Function), parse: expect.any(Function) },
      _inboundInflight: expect.any(Set),
    });
  });

  it('has the parts of the persistence that are replaced', async () => {
    await using broker = await openBroker();
    const replaced = [
      'outgoingStream',
      'outgoingClearMessageId',
      'outgoingUpdate',
      'incomingGetPacket',
      'incomingStorePacket',
      'incomingDelPacket',
      'cleanIncoming',
    ];
    const persistence = persistenceOf(broker.aedes) as unknown as Record<string, unknown>;
    expect(replaced.filter((name) => typeof persistence[name] !== 'function')).toEqual([]);
  });

  it('passes on what the broker publishes, and not what a client does', async () => {
    await using broker = await openBroker();
    passOnOwnMessagesAlone(broker.aedes);
    const listener = await connect(broker.aedes, 'listener');
    await subscribe(listener.peer, '#');
    const { peer } = await connect(broker.aedes, 'reader');
    peer.send({
      cmd: 'publish',
      topic: 'reads',
      payload: 'of a client',
      qos: 1,
      dup: false,
      retain: false,
      messageId: 1,
    });
    await expectPacket(peer, 'puback');
    const own = { cmd: 'publish', topic: 'own', payload: 'of the broker', qos: 0, dup: false, retain: false } as const;
    broker.aedes.publish(own, () => {});
    expect(await listener.peer.next()).toMatchObject({ cmd: 'publish', topic: 'own' });
  });

  it('keeps a set of the identifiers of unreleased messages, and none with the adapter', async () => {
    await using broker = await openBroker();
    const keptAfter = async (clientId: string, adapt: (client: Client) => void) => {
      const { client, peer } = await connect(broker.aedes, clientId);
      adapt(client);
      const message = { cmd: 'publish', topic: 'reads', payload: 'x', qos: 2, dup: false, retain: false } as const;
      peer.send({ ...message, messageId: 1 });
      await expectPacket(peer, 'pubrec');
      const { size } = (client as unknown as { _inboundInflight: { size: number } })._inboundInflight;
      peer.send({ cmd: 'pubrel', messageId: 1 });
      await expectPacket(peer, 'pubcomp');
      return size;
    };
    expect(await keptAfter('plain', () => {})).toBe(1);
    expect(await keptAfter('adapted', leaveIdentifiersToPersistence)).toBe(0);
  });

  it('answers a filter as often as it is asked for, and without the adapter once', async () => {
    await using broker = await openBroker();
    const plain = await connect(broker.aedes, 'plain');
    expect(await subscribe(plain.peer, 'a', 'a')).toMatchObject({ granted: [1] });
    const adapted = await connect(broker.aedes, 'adapted');
    answerRepeatedFilters(adapted.client);
    expect(await subscribe(adapted.peer, 'a', 'a')).toMatchObject({ granted: [1, 1] });
  });
});
