/** The part of Aedes' persistence that holds what outlives a connection. */
export type SessionStore = {
  cleanSubscriptions(client: { id: string }): Promise<unknown>;
  cleanIncoming(client: { id: string }): Promise<unknown>;
};

/** Client ids of one reader whose sessions are kept while they are away. */
const keptPerReaderMax = 16;

/**
 * Keeps the sessions that outlive their connections from growing without end: of each user name the ones that went last.
 */
export function createSessions(store: () => SessionStore) {
  const away = new Map<string, Set<string>>();

  function forget(clientId: string): void {
    void store().cleanSubscriptions({ id: clientId });
    void store().cleanIncoming({ id: clientId });
  }

  return {
    came(username: string, clientId: string): void {
      const own = away.get(username);
      own?.delete(clientId);
      if (own?.size === 0) away.delete(username);
    },
    went(username: string, clientId: string): void {
      const own = away.get(username) ?? new Set();
      away.set(username, own);
      own.delete(clientId);
      own.add(clientId);
      const [oldest] = own;
      if (own.size <= keptPerReaderMax || oldest === undefined) return;
      own.delete(oldest);
      forget(oldest);
    },
  };
}
