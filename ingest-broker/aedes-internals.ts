import type { Duplex } from 'node:stream';
import type { Aedes, Client, PublishPacket, Subscription } from 'aedes';
import { writeToStream } from 'mqtt-packet';
import type { IncomingPersistence } from './qos2.js';

// Adapts Aedes where it violates the standard or does not serve many readers well. Uses parts of Aedes that its types
// do not declare. No other file reaches into Aedes. A release of Aedes may change all of this without notice:
// `test/ingest-broker/aedes-internals.test.ts` names the releases for which it was checked.

/** What Aedes keeps for its clients; defined once the broker listens. */
export type Persistence = IncomingPersistence & OutgoingStore;

type BrokerInternals = {
  persistence: Persistence;
  publish(packet: PublishPacket, ...rest: unknown[]): void;
  subscribe(topic: string, deliver: unknown, done: () => void): void;
};

type ClientInternals = {
  subscriptions: Record<string, unknown>;
  /** Packets that are handled before the socket is read again. */
  _parsingBatch: number;
  _parser: NodeJS.EventEmitter;
  /** Packet identifiers of QoS 2 messages that are not released. */
  _inboundInflight: Pick<Set<number>, 'has' | 'add' | 'delete' | 'size'>;
};

type ParsedPacket = { cmd: string; subscriptions?: Subscription[] };

type Owner = { id: string };

/** Aedes' store of messages to clients. */
export type OutgoingStore = {
  outgoingStream(client: Owner): AsyncIterable<unknown>;
  outgoingClearMessageId(client: Owner, packet: unknown): Promise<unknown>;
  outgoingUpdate(client: Owner, packet: { cmd?: string }): Promise<unknown>;
};

/** Makes `mqtt-packet` encode packet identifiers when they are needed. Its cache of all 65,536 would take 10 MB. */
export function writePacketIdentifiersWithoutCache(): void {
  writeToStream.cacheNumbers = false;
}

export function persistenceOf(aedes: Aedes): Persistence {
  return (aedes as unknown as BrokerInternals).persistence;
}

/**
 * Stops Aedes from passing on messages of clients, since only the server receives them. Aedes still passes on what the
 * broker itself publishes: without a client, or with a callback in its place.
 */
export function passOnOwnMessagesAlone(aedes: Aedes): void {
  const internals = aedes as unknown as BrokerInternals;
  const publish = internals.publish.bind(aedes);
  internals.publish = (packet, ...rest) => {
    const [client, done] = rest;
    if (typeof client === 'object' && client !== null) (done as (() => void) | undefined)?.();
    else publish(packet, ...rest);
  };
}

/**
 * Lets a client read on while its own messages wait to be stored, so that a ping behind them is answered in time. Call
 * this before Aedes listens to the socket.
 */
export function readWithoutWaiting(socket: Duplex, client: () => Client): void {
  socket.on('readable', () => {
    internalsOf(client())._parsingBatch = 1;
  });
}

/** Stops Aedes from keeping the packet identifiers of unreleased messages in a set of each client: the persistence has them. */
export function leaveIdentifiersToPersistence(client: Client): void {
  internalsOf(client)._inboundInflight = {
    size: 0,
    has: () => false,
    add() {
      return this as Set<number>;
    },
    delete: () => false,
  };
}

/** Makes a SUBACK answer a repeated filter each time it was sent ([MQTT-3.8.4-5]). Aedes would answer it once. */
export function answerRepeatedFilters(client: Client): void {
  internalsOf(client)._parser.prependListener('packet', (packet: ParsedPacket) => {
    const { cmd, subscriptions } = packet;
    if (cmd !== 'subscribe' || !subscriptions) return;
    // Ignores the merged list that Aedes would assign.
    Object.defineProperty(packet, 'subscriptions', { get: () => subscriptions, set() {} });
  });
}

/**
 * Ignores acknowledgements that nobody waits for. At such a PUBREC, Aedes would end a connection with a kept session,
 * without the PUBREL that lets the client forget the message. For each client that sends such a PUBACK, Aedes would
 * keep a queue forever.
 */
export function ignoreUnexpectedAcknowledgements(store: OutgoingStore): void {
  const clear = store.outgoingClearMessageId.bind(store);
  const update = store.outgoingUpdate.bind(store);
  store.outgoingClearMessageId = async (client, packet) => {
    for await (const _waiting of store.outgoingStream(client)) return clear(client, packet);
    return undefined;
  };
  store.outgoingUpdate = async (client, packet) => {
    if (packet.cmd !== 'pubrel') return update(client, packet);
    return update(client, packet).catch(() => undefined);
  };
}

/** Answers subscriptions and then forgets them, since nothing is ever published to a client. */
export function forgetSubscriptions(aedes: Aedes): void {
  (aedes as unknown as BrokerInternals).subscribe = (_topic, _deliver, done) => done();
  aedes.on('subscribe', (_granted, client) => {
    internalsOf(client).subscriptions = {};
  });
}

function internalsOf(client: Client): ClientInternals {
  return client as unknown as ClientInternals;
}
