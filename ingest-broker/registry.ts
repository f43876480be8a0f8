import { setTimeout as delay } from 'node:timers/promises';
import type { Core, Log, ReaderLogin } from '../server/index.js';
import type { Connection } from './connection.js';

/** How often changed readers are looked for. Changes hold within two seconds, this and a slow answer included. */
const lookEveryMs = 400;

/**
 * The connections of the readers that are in. It follows what is changed about readers, in this process or another: a
 * reader that is deleted or has another secret is put out, other settings hold from then on.
 */
export function createRegistry({ core, log }: { core: Core; log: Log }) {
  const connections = new Map<number, Set<Connection>>();
  const stopping = new AbortController();
  let cursor: number | undefined;
  let watching: Promise<void> = Promise.resolve();

  function add(connection: Connection, login: ReaderLogin): void {
    const { readerId } = login;
    const own = connections.get(readerId) ?? new Set();
    connections.set(readerId, own.add(connection));
    connection.client.conn.once('close', () => {
      own.delete(connection);
      if (own.size === 0 && connections.get(readerId) === own) connections.delete(readerId);
    });
  }

  async function look(): Promise<void> {
    const { changes, cursor: next } = await core.readers.changesSince(cursor);
    cursor = next;
    for (const { readerId, login } of changes) {
      for (const connection of connections.get(readerId) ?? []) apply(connection, login);
    }
  }

  function apply(connection: Connection, login: ReaderLogin | undefined): void {
    if (login && login.credential === connection.login?.credential) {
      connection.login = login;
      return;
    }
    log.info(
      { readerId: connection.login?.readerId, remoteAddress: connection.remoteAddress },
      login ? 'a reader has another secret: its connection ends' : 'a reader was deleted: its connection ends',
    );
    connection.client.close();
  }

  async function watch(): Promise<void> {
    const { signal } = stopping;
    while (!signal.aborted) {
      await delay(lookEveryMs, undefined, { signal, ref: false }).catch(() => {});
      if (signal.aborted) return;
      await look().catch((error: unknown) => log.warn({ err: error }, 'changed readers could not be looked for'));
    }
  }

  return {
    add,
    async start(): Promise<void> {
      await look();
      watching = watch();
    },
    async stop(): Promise<void> {
      stopping.abort();
      await watching;
    },
    connections: () => [...connections.values()].reduce((count, own) => count + own.size, 0),
  };
}
