import type { Core, ReaderLogin } from '../server/index.js';
import type { Connection } from './connection.js';
import { reasonCodes } from './wire/mqtt5/reason-codes.js';

/**
 * Only two devices can cause this many takeovers in this time: a single device leaves at most one connection behind.
 */
const takeoversMin = 3;
const withinMs = 60_000;
const holdersMax = 20_000;

type Holder = { connection: Connection; takenAtMs: number[]; addresses: string[] };

/**
 * Follows which connection has a client id, and reports client ids that two devices take from each other: each ends the
 * connection of the other ([MQTT-3.1.4-2]), which looks like a bad network to both.
 */
export function createTakeovers(core: Pick<Core, 'readers'>, elapsedMs: () => number = () => performance.now()) {
  /** The latest holder of each client id; the client id that connected longest ago is first. */
  const holders = new Map<string, Holder>();

  return {
    /** Called when a connection has logged in, before the broker ends the earlier one with its client id. */
    connected(connection: Connection, { orgId, readerId, username }: ReaderLogin): void {
      const { client, remoteAddress } = connection;
      const earlier = holders.get(client.id);
      const isTakeover = earlier !== undefined && !earlier.connection.client.conn.destroyed;
      if (isTakeover) earlier.connection.intake.announceEnd(reasonCodes.sessionTakenOver);
      const nowMs = elapsedMs();
      const before = (earlier?.takenAtMs ?? []).filter((atMs) => atMs > nowMs - withinMs);
      const takenAtMs = (isTakeover ? [...before, nowMs] : before).slice(-takeoversMin);
      const others = (earlier?.addresses ?? []).filter((address) => address !== remoteAddress);
      const addresses = [...others, remoteAddress].slice(-2);
      holders.delete(client.id);
      holders.set(client.id, { connection, takenAtMs, addresses });
      const [oldest] = holders.keys();
      if (holders.size > holdersMax && oldest !== undefined) holders.delete(oldest);
      if (takenAtMs.length < takeoversMin) return;
      const subject = client.id.slice(username.length + 1);
      core.readers.note({ orgId, readerId, kind: 'client_id', subject, detail: addresses.join(', ') });
    },
  };
}
