import { networksOf } from './client-networks.js';

/** An IPv6 /64, /56 and /48 may hold this many times the connections of an IPv4 address. */
const factors = [1, 2, 4];

export type ConnectionCounts = {
  /**
   * Counts a connection of an address. Returns the function that ends the counting, to be called once, or undefined if
   * the address or one of its networks has reached its limit.
   */
  take(address: string): (() => void) | undefined;
};

/**
 * Counts open connections by address, and connections over IPv6 by /64, /56 and /48. Memory is bounded by the number of open
 * connections.
 *
 * @param options.perAddressMax connections of one IPv4 address or IPv6 /64; a /56 may hold twice, a /48 four times as
 *   many
 */
export function createConnectionCounts({ perAddressMax }: { perAddressMax: number }): ConnectionCounts {
  const open = new Map<string, number>();

  function isFull(network: string, index: number): boolean {
    return (open.get(network) ?? 0) >= perAddressMax * (factors[index] ?? 1);
  }

  function release(network: string): void {
    const left = (open.get(network) ?? 1) - 1;
    if (left === 0) open.delete(network);
    else open.set(network, left);
  }

  return {
    take(address) {
      const networks = networksOf(address);
      if (networks.some(isFull)) return undefined;
      for (const network of networks) open.set(network, (open.get(network) ?? 0) + 1);
      return () => networks.forEach(release);
    },
  };
}
