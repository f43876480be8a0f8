import ipaddr from 'ipaddr.js';

/**
 * Returns whether an IP address belongs to the public Internet. Private, loopback, link-local, carrier-grade NAT,
 * multicast, documentation and translation ranges do not; neither do metadata services, whose addresses are link-local.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  // An IPv4 address inside an IPv6 one is judged as IPv4.
  return ipaddr.process(address).range() === 'unicast';
}

/** Returns the host of a URL if it is an IP address. */
export function addressOfHost(hostname: string): string | undefined {
  const bare = hostname.replaceAll(/^\[|\]$/g, '');
  return ipaddr.isValid(bare) ? bare : undefined;
}
