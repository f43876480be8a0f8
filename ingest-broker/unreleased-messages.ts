/** Packet identifiers that one client can have: two bytes, without 0. */
const identifiersMax = 65_535;

/**
 * The QoS 2 messages that have been stored, but not yet released by their PUBREL, as packet identifiers by client id.
 */
export type UnreleasedMessages = {
  has(clientId: string, messageId: number): boolean;
  add(clientId: string, messageId: number): void;
  remove(clientId: string, messageId: number): void;
  clear(clientId: string): void;
  /** Whether a reader, over all its client ids, has as many as one client can have. */
  isFull(clientId: string): boolean;
};

/**
 * Remembers unreleased messages in the memory of this process, as plain numbers without topics and payloads. Each
 * reader has at most 65,535 of them; a client id begins with the reader's user name and a slash.
 */
export function createUnreleasedMessages(countMax = identifiersMax): UnreleasedMessages {
  const byClient = new Map<string, Set<number>>();
  const counts = new Map<string, number>();

  function count(clientId: string, change: number): void {
    const owner = ownerOf(clientId);
    const next = (counts.get(owner) ?? 0) + change;
    if (next > 0) counts.set(owner, next);
    else counts.delete(owner);
  }

  return {
    has: (clientId, messageId) => byClient.get(clientId)?.has(messageId) ?? false,
    add(clientId, messageId) {
      const own = byClient.get(clientId) ?? new Set();
      if (own.has(messageId)) return;
      byClient.set(clientId, own.add(messageId));
      count(clientId, 1);
    },
    remove(clientId, messageId) {
      const own = byClient.get(clientId);
      if (own?.delete(messageId)) count(clientId, -1);
      if (own?.size === 0) byClient.delete(clientId);
    },
    clear(clientId) {
      count(clientId, -(byClient.get(clientId)?.size ?? 0));
      byClient.delete(clientId);
    },
    isFull: (clientId) => (counts.get(ownerOf(clientId)) ?? 0) >= countMax,
  };
}

function ownerOf(clientId: string): string {
  return clientId.slice(0, clientId.indexOf('/'));
}
