import { createReaderLimits, type Owner, type ReaderLimits } from './reader-limits.js';

/** The part of Aedes' persistence that stores what outlives a connection. */
export type SessionStore = {
  addSubscriptions(client: { id: string }, subscriptions: { topic: string; qos: 0 | 1 | 2 }[]): Promise<unknown>;
  cleanSubscriptions(client: { id: string }): Promise<unknown>;
  cleanIncoming(client: { id: string }): Promise<unknown>;
};

/** Client ids of one reader whose sessions are kept while they are disconnected. */
const keptPerReaderMax = 16;
const filtersMax = 50;
/** Filters of all sessions, and client ids of those that are kept while they are disconnected. */
const readerBytesMax = 64 * 1024;
const organizationBytesMax = 4 * 1024 * 1024;

/**
 * A filter among the subscriptions of a kept session, so that CONNACK reports it as present though it may have no other
 * ([MQTT-3.2.2-2]). No client can use it ([MQTT-1.5.3-2]), and nothing is ever published to it.
 */
export const keptFilter = { topic: '\0', qos: 0 } as const;

/** The granted filters of a session. */
export type SessionFilters = {
  has(filter: string): boolean;
  /** Returns false if the session, its reader or its organization has too many filters. */
  add(filter: string): boolean;
  delete(filter: string): void;
};

/** A connection of a client, and its session. */
export type SessionConnection = {
  /** Differs for each session, also for those of one client id. */
  readonly sessionKey: number;
  readonly filters: SessionFilters;
  /** Returns whether the session goes on when the connection has ended, and has not been replaced by another one. */
  outlivesConnection(): boolean;
  /** Notes that the connection has ended. */
  leave(): void;
};

/** Keeps the sessions that outlive their connections, and limits their number and their memory. */
export type Sessions = {
  /** Makes the next CONNECT with the id find a session. */
  keep(clientId: string): Promise<void>;
  /**
   * Records that a connection of a client begins.
   *
   * @param isKept whether the session outlives the connection
   */
  connect(owner: Owner, clientId: string, isKept: boolean): SessionConnection;
  /** Forgets the sessions of a deleted reader, those of open connections when these end. */
  forgetReader(readerId: number): void;
};

type Session = {
  readonly key: number;
  readonly owner: Owner;
  readonly clientId: string;
  readonly filters: Set<string>;
  isKept: boolean;
  isForgotten: boolean;
  /** The present connection. */
  connection: symbol | undefined;
};

/** Creates sessions in the memory of this process: of each reader those that disconnected last. */
export function createSessions(store: () => SessionStore, limits: ReaderLimits = createSessionLimits()): Sessions {
  /** By reader and client id; those without a connection in the order in which they disconnected. */
  const readers = new Map<number, Map<string, Session>>();
  let count = 0;

  function newSession(owner: Owner, clientId: string, isKept: boolean): Session {
    count += 1;
    const filters = new Set<string>();
    return { key: count, owner, clientId, filters, isKept, isForgotten: false, connection: undefined };
  }

  /** Removes a session that has no connection, or has lost it to a session that begins anew. */
  function remove(session: Session): void {
    const { owner, clientId, filters } = session;
    session.isForgotten = true;
    for (const filter of filters) limits.add(owner, -Buffer.byteLength(filter));
    filters.clear();
    const own = readers.get(owner.readerId);
    own?.delete(clientId);
    if (own?.size === 0) readers.delete(owner.readerId);
  }

  /** Removes a session, and what Aedes keeps of it. */
  function forget(session: Session): void {
    const { owner, clientId } = session;
    remove(session);
    void store().cleanSubscriptions({ id: clientId });
    void store().cleanIncoming({ id: clientId });
    if (session.connection === undefined) limits.add(owner, -Buffer.byteLength(clientId));
  }

  function keepDisconnected(session: Session): void {
    const { owner, clientId } = session;
    const own = readers.get(owner.readerId);
    session.connection = undefined;
    limits.add(owner, Buffer.byteLength(clientId));
    own?.delete(clientId);
    own?.set(clientId, session);
    const disconnected = [...(own?.values() ?? [])].filter(({ connection }) => connection === undefined);
    const [oldest] = disconnected;
    if (oldest && (disconnected.length > keptPerReaderMax || !limits.mayAdd(owner, 0))) forget(oldest);
  }

  function filtersOf(session: Session): SessionFilters {
    const { owner, filters } = session;
    return {
      has: (filter) => filters.has(filter),
      add(filter) {
        if (filters.has(filter)) return true;
        const bytes = Buffer.byteLength(filter);
        if (session.isForgotten || filters.size === filtersMax || !limits.mayAdd(owner, bytes)) return false;
        limits.add(owner, bytes);
        filters.add(filter);
        return true;
      },
      delete(filter) {
        if (filters.delete(filter)) limits.add(owner, -Buffer.byteLength(filter));
      },
    };
  }

  return {
    async keep(clientId) {
      await store().addSubscriptions({ id: clientId }, [keptFilter]);
    },
    connect(owner, clientId, isKept) {
      const connection = Symbol(clientId);
      const before = readers.get(owner.readerId)?.get(clientId);
      if (before && before.connection === undefined) limits.add(owner, -Buffer.byteLength(clientId));
      const isContinued = before?.isKept === true && isKept;
      // Aedes forgets the session that a clean one replaces.
      if (before && !isContinued) remove(before);
      const session = isContinued ? before : newSession(owner, clientId, isKept);
      session.connection = connection;
      const own = readers.get(owner.readerId) ?? new Map<string, Session>();
      readers.set(owner.readerId, own.set(clientId, session));
      return {
        sessionKey: session.key,
        filters: filtersOf(session),
        outlivesConnection: () => session.isKept && !session.isForgotten,
        leave() {
          // A connection that was taken over leaves its session to the new one.
          if (session.isForgotten || session.connection !== connection) return;
          if (session.isKept) keepDisconnected(session);
          else if (isKept) forget(session);
          else remove(session);
        },
      };
    },
    forgetReader(readerId) {
      for (const session of [...(readers.get(readerId)?.values() ?? [])]) {
        session.isKept = false;
        if (session.connection === undefined) forget(session);
      }
    },
  };
}

function createSessionLimits(): ReaderLimits {
  return createReaderLimits({ readerMax: readerBytesMax, organizationMax: organizationBytesMax });
}
