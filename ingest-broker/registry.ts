import { connectionNoteMs, type Core, type Log, type ReaderChange, type ReaderLogin } from '../server/index.js';
import type { Connection } from './connection.js';
import { createReaderWatch } from './reader-changes.js';
import type { Owner } from './reader-limits.js';
import { reasonCodes } from './wire/mqtt5/reason-codes.js';

/** Connections of one reader. A device that loses a connection without closing it leaves the old connection behind. */
const connectionsPerReaderMax = 100;

export type RegistryOptions = {
  core: Core;
  log: Log;
  connectionsPerOrganization: number;
};

/**
 * Creates the registry of authenticated connections. It follows changes of readers, in this process or another: a
 * reader that is deleted or has another secret is disconnected, other settings apply at
 * once. Reports connected readers to the server regularly.
 */
export function createRegistry({ core, log, connectionsPerOrganization }: RegistryOptions) {
  const connections = new Map<number, Set<Connection>>();
  const organizations = new Map<number, { readerIds: Set<number>; connections: number }>();
  let timer: NodeJS.Timeout | undefined;
  const watch = createReaderWatch({
    core,
    log,
    onChange(change) {
      for (const connection of connections.get(change.readerId) ?? []) apply(connection, change);
    },
  });

  function add(connection: Connection, login: ReaderLogin): void {
    const { readerId, orgId } = login;
    const own = connections.get(readerId) ?? new Set();
    connections.set(readerId, own.add(connection));
    const organization = organizations.get(orgId) ?? { readerIds: new Set(), connections: 0 };
    organizations.set(orgId, organization);
    organization.readerIds.add(readerId);
    organization.connections += 1;
    connection.client.conn.once('close', () => remove(connection, login));
    if (own.size > connectionsPerReaderMax) endOldest(login);
    else if (organization.connections > connectionsPerOrganization) {
      endOldest({ orgId, readerId: busiestOf(organization.readerIds) });
    }
    core.readers.noteConnected([readerId]);
  }

  /** Returns the reader with the most connections, which can best do without one. */
  function busiestOf(readerIds: ReadonlySet<number>): number {
    let busiest = 0;
    let most = 0;
    for (const readerId of readerIds) {
      const count = connections.get(readerId)?.size ?? 0;
      if (count <= most) continue;
      busiest = readerId;
      most = count;
    }
    return busiest;
  }

  function endOldest(reader: Owner): void {
    const [oldest] = connections.get(reader.readerId) ?? [];
    if (!oldest) return;
    remove(oldest, reader);
    oldest.intake.announceEnd(reasonCodes.quotaExceeded);
    oldest.client.close();
  }

  function remove(connection: Connection, { readerId, orgId }: Owner): void {
    const own = connections.get(readerId);
    if (!own?.delete(connection)) return;
    const organization = organizations.get(orgId);
    if (organization) organization.connections -= 1;
    if (own.size > 0) return;
    connections.delete(readerId);
    organization?.readerIds.delete(readerId);
    if (organization?.readerIds.size === 0) organizations.delete(orgId);
  }

  function apply(connection: Connection, { login }: ReaderChange): void {
    if (login && login.credential === connection.login?.credential) {
      connection.login = login;
      return;
    }
    const { remoteAddress } = connection;
    const readerId = connection.login?.readerId;
    log.info(
      { readerId, remoteAddress },
      `${login ? 'a reader has another secret' : 'a reader was deleted'}: the connection of the reader ends`,
    );
    connection.intake.announceEnd(reasonCodes.administrativeAction);
    connection.client.close();
  }

  return {
    add,
    async start(): Promise<void> {
      await watch.start();
      timer = setInterval(() => core.readers.noteConnected(connections.keys()), connectionNoteMs).unref();
    },
    async stop(): Promise<void> {
      clearInterval(timer);
      await watch.stop();
    },
    /** Ends all connections of clients of MQTT 5, with the reason. */
    announceEnd(reasonCode: number): void {
      for (const own of connections.values()) for (const { intake } of own) intake.announceEnd(reasonCode);
    },
    connections: () => [...connections.values()].reduce((count, own) => count + own.size, 0),
  };
}
