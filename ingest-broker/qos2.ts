import { createReaderLimits, type Owner, type ReaderLimits } from './reader-limits.js';

/** The part of Aedes' persistence that remembers QoS 2 messages until their PUBREL. */
export type IncomingPersistence = {
  incomingGetPacket(client: object, packet: { messageId: number }): Promise<unknown>;
  incomingStorePacket(client: object, packet: { messageId: number }): Promise<void>;
  incomingDelPacket(client: object, packet: { messageId: number }): Promise<void>;
  cleanIncoming(client: object): Promise<void>;
};

/**
 * The most unreleased messages of a reader over all its connections. Equals the number of packet identifiers of one
 * client.
 */
const readerMax = 65_535;
const organizationMax = 1_000_000;

/** The reader, or its organization, has too many unreleased QoS 2 messages: its connection has to end. */
export class TooManyUnreleasedError extends Error {
  constructor() {
    super('the reader or its organization has too many QoS 2 messages that were not released');
    this.name = 'TooManyUnreleasedError';
  }
}

/** The QoS 2 messages of a connection, by packet identifier. */
type Messages = { owner: Owner; underWay: Map<number, Promise<void>>; unreleased: Set<number> };

/** Stores each QoS 2 message of a connection once. Aedes keeps only the packet identifiers of the messages. */
export type ExactlyOnce = {
  begin(client: object, owner: Owner): void;
  /** Forgets the packet identifiers of a connection that has ended. */
  end(client: object): void;
  /**
   * Stores a message, unless it repeats a message that is not released or is still being stored ([MQTT-4.3.3-2]).
   *
   * @throws TooManyUnreleasedError, and the errors of storing
   */
  once(client: object, messageId: number, store: () => Promise<void>): Promise<void>;
  /** Records that a message is refused, which releases its packet identifier (MQTT 5, section 4.3.3). */
  refuse(packet: object): void;
  /** Replaces methods of the in-memory persistence, which would keep whole packets. */
  persistence: IncomingPersistence;
};

export function createExactlyOnce(
  limits: ReaderLimits = createReaderLimits({ readerMax, organizationMax }),
): ExactlyOnce {
  const connections = new Map<object, Messages>();
  const refused = new WeakSet<object>();

  return {
    begin(client, owner) {
      connections.set(client, { owner, underWay: new Map(), unreleased: new Set() });
    },
    end(client) {
      const messages = connections.get(client);
      if (messages) limits.add(messages.owner, -messages.unreleased.size);
      connections.delete(client);
    },
    async once(client, messageId, store) {
      const messages = connections.get(client);
      if (!messages) throw new Error('the connection has gone');
      if (messages.unreleased.has(messageId)) return;
      const first = messages.underWay.get(messageId);
      if (first) return first;
      // Checked before the message is stored, or it would be stored once more when the reader repeats it.
      if (!limits.mayAdd(messages.owner, 1)) throw new TooManyUnreleasedError();
      const storing = store();
      messages.underWay.set(messageId, storing);
      return storing.finally(() => messages.underWay.delete(messageId));
    },
    refuse: (packet) => void refused.add(packet),
    persistence: {
      async incomingGetPacket(client, { messageId }) {
        if (!connections.get(client)?.unreleased.has(messageId)) throw new Error('no such packet');
        return { messageId };
      },
      async incomingStorePacket(client, packet) {
        const { messageId } = packet;
        const messages = connections.get(client);
        if (!messages || messages.unreleased.has(messageId) || refused.has(packet)) return;
        messages.unreleased.add(messageId);
        limits.add(messages.owner, 1);
      },
      async incomingDelPacket(client, { messageId }) {
        const messages = connections.get(client);
        if (messages?.unreleased.delete(messageId)) limits.add(messages.owner, -1);
      },
      async cleanIncoming() {},
    },
  };
}
