import type { Owner } from './reader-limits.js';
import type { UnreleasedMessages } from './unreleased-messages.js';

/** The part of Aedes' persistence that remembers QoS 2 messages until their PUBREL. */
export type IncomingStore = {
  incomingGetPacket(client: { id: string }, packet: { messageId: number }): Promise<unknown>;
};

export type Qos2Message = {
  client: { id: string };
  owner: Owner;
  /** Of the session, which may outlive the connection, and within which packet identifiers are unique. */
  sessionKey: number;
  messageId: number;
};

/** The reader, or its organization, has too many unreleased QoS 2 messages: its connection has to end. */
export class TooManyUnreleasedError extends Error {
  constructor() {
    super('the reader or its organization has too many QoS 2 messages that were not released');
    this.name = 'TooManyUnreleasedError';
  }
}

/**
 * Stores each QoS 2 message once ([MQTT-4.3.3-2]): a repeated one is recognized by its packet identifier, also while
 * the first one is still being stored.
 *
 * @throws TooManyUnreleasedError, and the errors of storing
 */
export function createExactlyOnce(store: () => IncomingStore, unreleased: UnreleasedMessages) {
  const underWay = new Map<string, Promise<void>>();

  return async function once(message: Qos2Message, work: () => Promise<void>): Promise<void> {
    const { client, owner, sessionKey, messageId } = message;
    const key = `${messageId} ${sessionKey}`;
    const first = underWay.get(key);
    if (first) return first;
    const storing = storeUnlessKnown();
    underWay.set(key, storing);
    return storing.finally(() => underWay.delete(key));

    async function storeUnlessKnown(): Promise<void> {
      const isKnown = await store()
        .incomingGetPacket(client, { messageId })
        .then(
          () => true,
          () => false,
        );
      if (isKnown) return;
      // Checked before it is stored, or it would be stored once more when the reader repeats it.
      if (unreleased.isFull(owner)) throw new TooManyUnreleasedError();
      await work();
    }
  };
}

/** The part of the persistence that this module replaces. */
export type IncomingPersistence = IncomingStore & {
  incomingStorePacket(client: { id: string }, packet: { messageId: number }): Promise<void>;
  incomingDelPacket(client: { id: string }, packet: { messageId: number }): Promise<void>;
  cleanIncoming(client: { id: string }): Promise<void>;
};

/**
 * Makes the in-memory persistence remember only the identifiers of QoS 2 messages; Aedes would keep whole packets.
 *
 * @param ownerOf undefined for a client without a login, which can have no messages
 */
export function keepIdentifiersAlone(
  persistence: IncomingPersistence,
  unreleased: UnreleasedMessages,
  ownerOf: (client: { id: string }) => Owner | undefined,
): void {
  persistence.incomingGetPacket = async ({ id }, { messageId }) => {
    if (!unreleased.has(id, messageId)) throw new Error('no such packet');
    return { messageId };
  };
  persistence.incomingStorePacket = async (client, { messageId }) => {
    const owner = ownerOf(client);
    if (owner) unreleased.add(owner, client.id, messageId);
  };
  persistence.incomingDelPacket = async ({ id }, { messageId }) => unreleased.remove(id, messageId);
  persistence.cleanIncoming = async ({ id }) => unreleased.clear(id);
}
