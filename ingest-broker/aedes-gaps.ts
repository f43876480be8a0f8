import type { Duplex } from 'node:stream';
import type { Client, Subscription } from 'aedes';

// Where Aedes falls short of the standard, or of what a broker for many readers needs. All of it touches what Aedes has, but
// does not tell its types.

type ClientInternals = {
  /** Packets that are handled before the socket is read again. */
  _parsingBatch: number;
  _parser: NodeJS.EventEmitter;
};

type ParsedPacket = { cmd: string; subscriptions?: Subscription[] };

type Owner = { id: string };

/** What Aedes keeps of messages to clients. */
export type OutgoingStore = {
  outgoingStream(client: Owner): AsyncIterable<unknown>;
  outgoingClearMessageId(client: Owner, packet: unknown): Promise<unknown>;
  outgoingUpdate(client: Owner, packet: { cmd?: string }): Promise<unknown>;
};

/**
 * Has a client read on though messages of its own wait to be stored: a ping behind them is to be answered in time. To be
 * called before Aedes listens to the socket.
 */
export function readWithoutWaiting(socket: Duplex, client: () => Client): void {
  socket.on('readable', () => {
    internalsOf(client())._parsingBatch = 1;
  });
}

/** Has a SUBACK answer a filter as often as it is asked for ([MQTT-3.8.4-5]); Aedes folds repeated ones into one. */
export function answerRepeatedFilters(client: Client): void {
  internalsOf(client)._parser.prependListener('packet', (packet: ParsedPacket) => {
    const { cmd, subscriptions } = packet;
    if (cmd !== 'subscribe' || !subscriptions) return;
    // What Aedes would replace them with is not taken.
    Object.defineProperty(packet, 'subscriptions', { get: () => subscriptions, set() {} });
  });
}

/**
 * Makes answers harmless that nobody waits for. Aedes ends a connection with a kept session for such a PUBREC, without
 * the PUBREL that lets the client forget it, and sets up a queue for each client that sends such a PUBACK, for good.
 */
export function bearStrayAnswers(store: OutgoingStore): void {
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

/** What Aedes keeps of subscriptions. */
export type SubscriptionStore = {
  addSubscriptions(client: Owner, subscriptions: Subscription[]): Promise<unknown>;
};

/**
 * Keeps of a SUBSCRIBE what was granted: Aedes keeps all of it for a session, with whatever was refused.
 *
 * @param isGranted undefined where it does not know the client
 */
export function keepGrantedFilters(
  store: SubscriptionStore,
  isGranted: (client: Client, filter: string) => boolean | undefined,
): void {
  const add = store.addSubscriptions.bind(store);
  store.addSubscriptions = (client, subscriptions) =>
    add(
      client,
      subscriptions.filter(({ topic }) => isGranted(client as Client, topic) ?? true),
    );
}

function internalsOf(client: Client): ClientInternals {
  return client as unknown as ClientInternals;
}
