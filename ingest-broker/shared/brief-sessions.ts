/** Which QoS 2 messages of the sessions that end with their connection are not released yet. */
export type BriefSessions = {
  has(clientId: string, messageId: number): boolean;
  add(clientId: string, messageId: number): void;
  remove(clientId: string, messageId: number): void;
  clear(clientId: string): void;
};

/** In the memory of this process: nobody else ever needs to know. */
export function createBriefSessions(): BriefSessions {
  const marks = new Map<string, Set<number>>();
  return {
    has: (clientId, messageId) => marks.get(clientId)?.has(messageId) ?? false,
    add(clientId, messageId) {
      const own = marks.get(clientId) ?? new Set();
      marks.set(clientId, own.add(messageId));
    },
    remove(clientId, messageId) {
      const own = marks.get(clientId);
      own?.delete(messageId);
      if (own?.size === 0) marks.delete(clientId);
    },
    clear(clientId) {
      marks.delete(clientId);
    },
  };
}
