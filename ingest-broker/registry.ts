import { connectionNoteMs, type Core, type Log, type ReaderChange, type ReaderLogin } from '../server/index.js';
import type { Connection } from './connection.js';
import { createReaderWatch } from './reader-changes.js';

/** Connections of one reader. Devices that lose connections without closing them leave some behind. */
const connectionsPerReaderMax = 100;

/**
 * The connections of authenticated readers. It follows changes of readers, in this process or another: a reader that is
 * deleted, has another secret or is being moved to another cell is disconnected, other settings apply at once. Reports
 * connected readers to the server regularly.
 */
export function createRegistry({ core, log }: { core: Core; log: Log }) {
  const connections = new Map<number, Set<Connection>>();
  let timer: NodeJS.Timeout | undefined;
  const watch = createReaderWatch({
    core,
    log,
    onChange(change) {
      for (const connection of connections.get(change.readerId) ?? []) apply(connection, change);
    },
  });

  function add(connection: Connection, login: ReaderLogin): void {
    const { readerId } = login;
    const own = connections.get(readerId) ?? new Set();
    connections.set(readerId, own.add(connection));
    const [oldest] = own;
    if (own.size > connectionsPerReaderMax) oldest?.client.close();
    core.readers.noteConnected([readerId]);
    connection.client.conn.once('close', () => {
      own.delete(connection);
      if (own.size === 0 && connections.get(readerId) === own) connections.delete(readerId);
    });
  }

  function apply(connection: Connection, { login, isMoving }: ReaderChange): void {
    if (login && !isMoving && login.credential === connection.login?.credential) {
      connection.login = login;
      return;
    }
    const { remoteAddress } = connection;
    const readerId = connection.login?.readerId;
    log.info({ readerId, remoteAddress }, `${reasonOf(login, isMoving)}: the connection of the reader ends`);
    connection.client.close();
  }

  function reasonOf(login: ReaderLogin | undefined, isMoving: boolean): string {
    if (isMoving) return 'the organization is being moved';
    return login ? 'a reader has another secret' : 'a reader was deleted';
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
    connections: () => [...connections.values()].reduce((count, own) => count + own.size, 0),
  };
}
