/**
 * Tracks the QoS 2 messages of the session that the broker has not released yet, by packet identifier. A message that
 * is repeated before its release is stored once ([MQTT-4.3.3-2]). Outlives connections, but not the process.
 */
export function createReceived() {
  const storing = new Map<number, Promise<void>>();
  return {
    async once(messageId: number, store: () => Promise<void>): Promise<void> {
      const before = storing.get(messageId);
      if (before) return before;
      const stored = store();
      storing.set(messageId, stored);
      try {
        await stored;
      } catch (error) {
        if (storing.get(messageId) === stored) storing.delete(messageId);
        throw error;
      }
    },
    release(messageId: number): void {
      storing.delete(messageId);
    },
    /** Forgets the identifiers when the broker has started a new session, in which they are new. */
    forget(): void {
      storing.clear();
    },
  };
}
