import { lookup as systemLookup, Resolver } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import { callbackify } from 'node:util';
import { isPublicAddress } from './address-check.js';

/** The name resolves to an address that is not on the public Internet. */
export class PrivateAddressError extends Error {
  constructor() {
    super('The address is not on the public Internet');
    this.name = 'PrivateAddressError';
  }
}

type Address = { address: string; family: number };

/** A slow name server delays an attempt this long; it blocks no thread of the process. */
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
