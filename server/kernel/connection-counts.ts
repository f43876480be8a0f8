import { networksOf } from './client-networks.js';
import { createOwnerCounts } from './owner-counts.js';

/** An IPv6 /64, /56 and /48 may hold this many times the connections of an IPv4 address. */
const factors = [1, 2, 4];

export type ConnectionCounts = {
  /**
   * Counts a connection of an address. Returns a function to call once when the connection ends, or undefined if the
   * address or one of its networks has reached its limit.
   */
  take(address: string): (() => void) | undefined;
};

/**
 * Counts open connections by address, and connections over IPv6 by /64, /56 and /48. Memory is bounded by the number of open
 * connections.
 *
 * @param options.perAddressMax connections of one IPv4 address or IPv6 /64; a /56 may hold twice this number, a /48
 * four times this number
 */
export function createConnectionCounts({ perAddressMax }: { perAddressMax: number }): ConnectionCounts {
  const open = createOwnerCounts<string>();
  const isFull = (network: string, index: number) => open.of(network) >= perAddressMax * (factors[index] ?? 1);

  return {
    take(address) {
      const networks = networksOf(address);
      if (networks.some(isFull)) return undefined;
      for (const network of networks) open.add(network, 1);
      return () => networks.forEach((network) => open.add(network, -1));
    },
  };
}
