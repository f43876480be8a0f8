import { isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';

/** The networks that an address belongs to, from the smallest to the largest. */
const prefixes = [64, 56, 48] as const;

/**
 * Returns the networks that an address is counted by, the smallest first. An IPv4 address, and a text that is not an
 * address, is a network of its own. The holder of one IPv6 address usually holds the /64 around it, and providers
 * assign customers a /56 or a /48.
 */
export function networksOf(address: string): readonly [string, ...string[]] {
  if (!address.includes(':')) return [address];
  const bare = address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '');
  if (!isIPv6(bare)) return [bare];
  const { parts } = ipaddr.IPv6.parse(bare);
  const [smallest, ...larger] = prefixes.map((bits) => networkOf(parts, bits));
  return [smallest ?? bare, ...larger];
}

function networkOf(groups: readonly number[], bits: number): string {
  const kept = groups.slice(0, 4).map((group, index) => {
    const bitsOfGroup = Math.min(16, Math.max(0, bits - index * 16));
    return (group & (0xffff << (16 - bitsOfGroup)) & 0xffff).toString(16);
  });
  return `${kept.slice(0, Math.ceil(bits / 16)).join(':')}::/${bits}`;
}
