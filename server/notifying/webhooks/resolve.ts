import { lookup as systemLookup, Resolver } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import { callbackify } from 'node:util';
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

/** The name resolves to an address that is not on the public Internet. */
export class PrivateAddressError extends Error {
  constructor() {
    super('The address is not on the public Internet');
    this.name = 'PrivateAddressError';
  }
}

type Address = { address: string; family: number };

/** A slow name server delays an attempt by this time; it blocks no thread of the process. */
const resolverOptions = { timeout: 2000, tries: 2 };

/**
 * Returns the lookup function of sockets. The connection goes to the very address that was checked, so a name cannot
 * resolve differently between the check and the connection.
 */
export function createLookup({ allowsPrivate }: { allowsPrivate: boolean }): LookupFunction {
  const resolver = new Resolver(resolverOptions);

  async function addressesOf(name: string): Promise<Address[]> {
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const found = [
      ...(v4.status === 'fulfilled' ? v4.value.map((address) => ({ address, family: 4 })) : []),
      ...(v6.status === 'fulfilled' ? v6.value.map((address) => ({ address, family: 6 })) : []),
    ];
    if (found.length > 0) return found;
    // Names of the machine and its network are not in the DNS.
    if (allowsPrivate) return systemLookup(name, { all: true });
    throw v4.status === 'rejected' ? v4.reason : new Error(`${name} has no address`);
  }

  async function allowedAddresses(name: string): Promise<Address[]> {
    const addresses = await addressesOf(name);
    const allowed = allowsPrivate ? addresses : addresses.filter(({ address }) => isPublicAddress(address));
    if (allowed.length === 0) throw new PrivateAddressError();
    return allowed;
  }

  const resolved = callbackify(allowedAddresses);
  return (hostname, options, callback) => {
    resolved(hostname, (error, addresses) => {
      const [first] = addresses ?? [];
      if (error || !first) callback(error ?? new PrivateAddressError(), '', 0);
      else if (options.all) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}
