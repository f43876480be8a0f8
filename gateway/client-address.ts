import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';

/**
 * The address of whoever asks. What stands in `X-Forwarded-For` counts as far as it was written by proxies that are
 * trusted: from the end, where the nearest one put it, back to the first address that is none of theirs. What is further
 * in front anybody can have made up.
 *
 * @param trustedProxies addresses and networks in CIDR notation, as the settings have checked them
 */
export function createClientAddress(trustedProxies: readonly string[]): (request: IncomingMessage) => string {
  if (trustedProxies.length === 0) return peerOf;
  const trusted = createAddressSet(trustedProxies);

  return (request) => {
    let address = peerOf(request);
    const header = request.headers['x-forwarded-for'];
    const forwarded = header === undefined ? [] : String(header).split(',');
    while (trusted(address)) {
      const before = bareAddress(forwarded.pop());
      if (before === undefined) break;
      address = before;
    }
    return address;
  };
}

function peerOf({ socket }: IncomingMessage): string {
  return socket.remoteAddress ?? '';
}

/** Returns a function that says whether an address is one of the members or in a network among them. */
export function createAddressSet(members: readonly string[]): (address: string) => boolean {
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

/** An address without the port and the brackets that some proxies write; undefined for what is no address. */
function bareAddress(entry: string | undefined): string | undefined {
  const text = entry?.trim() ?? '';
  const bare = /^\[(.+)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text;
  return isIP(bare) === 0 ? undefined : bare;
}
