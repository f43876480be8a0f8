import { BlockList, isIP } from 'node:net';

/**
 * Returns a function that returns whether an address is among the given addresses and networks. An IPv4 address is also
 * found in its notation as an IPv6 address (`::ffff:192.0.2.1`).
 *
 * @param members addresses and networks in CIDR notation, validated with the settings
 */
export function createAddressSet(members: readonly string[]): (address: string) => boolean {
  if (members.length === 0) return () => false;
  const list = new BlockList();
  for (const member of members) {
    const [network = '', prefix] = member.split('/');
    if (prefix === undefined) list.addAddress(network, familyOf(network));
    else list.addSubnet(network, Number(prefix), familyOf(network));
  }
  return (address) => isIP(address) !== 0 && list.check(address, familyOf(address));
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4';
}
