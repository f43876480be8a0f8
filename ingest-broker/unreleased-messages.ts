import { createReaderLimits, type Owner, type ReaderLimits } from './reader-limits.js';

/** Of a reader over all its client ids: as many packet identifiers as one client can have, two bytes without 0. */
const readerMax = 65_535;
const organizationMax = 1_000_000;

/**
 * The QoS 2 messages that have been stored, but not yet released by their PUBREL, as packet identifiers by client id.
 */
export type UnreleasedMessages = {
  has(clientId: string, messageId: number): boolean;
  add(owner: Owner, clientId: string, messageId: number): void;
  remove(clientId: string, messageId: number): void;
  clear(clientId: string): void;
  /** Returns whether a reader or its organization has as many as it may have. */
  isFull(owner: Owner): boolean;
};

/** Remembers unreleased messages in the memory of this process, as plain numbers without topics and payloads. */
export function createUnreleasedMessages(
  limits: ReaderLimits = createReaderLimits({ readerMax, organizationMax }),
): UnreleasedMessages {
  const clients = new Map<string, { owner: Owner; messageIds: Set<number> }>();

  return {
    has: (clientId, messageId) => clients.get(clientId)?.messageIds.has(messageId) ?? false,
    add(owner, clientId, messageId) {
      const client = clients.get(clientId) ?? { owner, messageIds: new Set() };
      if (client.messageIds.has(messageId)) return;
      client.messageIds.add(messageId);
      clients.set(clientId, client);
      limits.add(client.owner, 1);
    },
    remove(clientId, messageId) {
      const client = clients.get(clientId);
      if (!client?.messageIds.delete(messageId)) return;
      limits.add(client.owner, -1);
      if (client.messageIds.size === 0) clients.delete(clientId);
    },
    clear(clientId) {
      const client = clients.get(clientId);
      if (!client) return;
      limits.add(client.owner, -client.messageIds.size);
      clients.delete(clientId);
    },
    isFull: (owner) => !limits.mayAdd(owner, 1),
  };
}
