import ipaddr from 'ipaddr.js';

/** All public IPv6 addresses (RFC 4291, 2.4). The rest can be an IPv4 address in another notation, such as `::7f00:1`. */
const globalUnicast = ipaddr.parseCIDR('2000::/3');

/**
 * Returns whether an IP address belongs to the public Internet. Private, loopback, link-local, carrier-grade NAT,
 * multicast, documentation and translation ranges do not; neither do metadata services, whose addresses are link-local.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  // An IPv4 address inside an IPv6 one is judged as IPv4.
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv6' && !parsed.match(globalUnicast)) return false;
  return parsed.range() === 'unicast';
}

/** Returns the host of a URL if it is an IP address. */
export function addressOfHost(hostname: string): string | undefined {
  const bare = hostname.replaceAll(/^\[|\]$/g, '');
  return ipaddr.isValid(bare) ? bare : undefined;
}
