/** The part of Aedes' persistence that stores what outlives a connection. */
export type SessionStore = {
  addSubscriptions(client: { id: string }, subscriptions: { topic: string; qos: 0 | 1 | 2 }[]): Promise<unknown>;
  cleanSubscriptions(client: { id: string }): Promise<unknown>;
  cleanIncoming(client: { id: string }): Promise<unknown>;
};

/** Client ids of one reader whose sessions are kept while they are disconnected. */
const keptPerReaderMax = 16;

/**
 * A filter among the subscriptions of a kept session, so that CONNACK reports it as present though it may have no other
 * ([MQTT-3.2.2-2]). No client can use it ([MQTT-1.5.3-2]), and nothing is ever published to it.
 */
export const keptFilter = { topic: '\0', qos: 0 } as const;

/** Keeps the sessions that outlive their connections, and limits their number. */
export type Sessions = {
  /** Makes the next CONNECT with the id find a session. */
  keep(username: string, clientId: string): Promise<void>;
  /**
   * Records that a connection of a client begins.
   *
   * @returns a function to call when it has ended, with whether its session outlives it
   */
  come(username: string, clientId: string): (isKept: boolean) => void;
};

/** Creates sessions in the memory of this process: of each user name those that disconnected last. */
export function createSessions(store: () => SessionStore): Sessions {
  const away = new Map<string, Set<string>>();
  /** The present connection of each client id. */
  const inUse = new Map<string, symbol>();

  function forget(clientId: string): void {
    void store().cleanSubscriptions({ id: clientId });
    void store().cleanIncoming({ id: clientId });
  }

  function leave(username: string, clientId: string): void {
    const own = away.get(username) ?? new Set();
    away.set(username, own);
    own.add(clientId);
    const [oldest] = own;
    if (own.size <= keptPerReaderMax || oldest === undefined) return;
    own.delete(oldest);
    forget(oldest);
  }

  return {
    async keep(_username, clientId) {
      await store().addSubscriptions({ id: clientId }, [keptFilter]);
    },
    come(username, clientId) {
      const connection = Symbol(clientId);
      inUse.set(clientId, connection);
      const own = away.get(username);
      own?.delete(clientId);
      if (own?.size === 0) away.delete(username);
      return (isKept) => {
        // A connection that was taken over leaves its session to the new one.
        if (inUse.get(clientId) !== connection) return;
        inUse.delete(clientId);
        if (isKept) leave(username, clientId);
      };
    },
  };
}
