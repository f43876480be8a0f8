import { networksOf } from '../server/index.js';

/** A connection that can be ended. */
type Ending = { destroy(): unknown };

export type UnauthenticatedLimits = {
  connectionsMax?: number;
  perNetworkMax?: number;
  timeoutMs?: number;
  now?: () => number;
};

/** Unauthenticated connections at once. */
const connectionsMaxDefault = 2000;
/**
 * Unauthenticated connections of one IPv4 address or IPv6 /64. With this limit, a site of a thousand readers behind one
 * address logs in within seconds.
 */
const perNetworkMaxDefault = 500;
/**
 * After this time without a CONNECT, a connection can be ended to make space for a new one. A reader needs three round
 * trips.
 */
const timeoutMsDefault = 2000;

/**
 * Limits the connections that have not sent a CONNECT, in total and for each network. A client that opens thousands of
 * them uses a bounded amount of memory and file descriptors. It does not delay readers of other networks, and delays
 * readers of its own network by at most two seconds.
 */
export function limitUnauthenticated(options: UnauthenticatedLimits = {}) {
  const { connectionsMax = connectionsMaxDefault, perNetworkMax = perNetworkMaxDefault } = options;
  const { timeoutMs = timeoutMsDefault, now = () => performance.now() } = options;
  /** Both are in the order in which the connections arrived. */
  const waiting = new Map<string, { connection: Ending; network: string | undefined; sinceMs: number }>();
  const networks = new Map<string, Set<string>>();

  function forget(name: string): void {
    const network = waiting.get(name)?.network;
    waiting.delete(name);
    if (network === undefined) return;
    const own = networks.get(network);
    own?.delete(name);
    if (own?.size === 0) networks.delete(network);
  }

  function makeRoom(names: Iterable<string>): boolean {
    const [oldest] = names;
    const entry = oldest === undefined ? undefined : waiting.get(oldest);
    if (oldest === undefined || !entry || now() - entry.sinceMs < timeoutMs) return false;
    forget(oldest);
    entry.connection.destroy();
    return true;
  }

  return {
    /**
     * Returns whether one more connection is allowed.
     *
     * @param name unique to each connection
     * @param address the client's; undefined if a proxy has not reported it, then only the total limit applies
     */
    admit(name: string, connection: Ending, address: string | undefined): boolean {
      const network = address === undefined ? undefined : networksOf(address)[0];
      const own = (network !== undefined && networks.get(network)) || new Set<string>();
      if (own.size >= perNetworkMax && !makeRoom(own)) return false;
      if (waiting.size >= connectionsMax && !makeRoom(waiting.keys())) return false;
      waiting.set(name, { connection, network, sinceMs: now() });
      if (network !== undefined) networks.set(network, own.add(name));
      return true;
    },
    /** Call this when the connection has sent its CONNECT, or has ended. */
    forget,
  };
}
