import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { createAddressSet } from '../server/index.js';

/**
 * Returns a function that determines the client's address. Uses the part of `X-Forwarded-For` that trusted proxies have
 * written: from the end, where the nearest one appended, to the first address that is not theirs. Anybody can have
 * forged the part before that.
 *
 * @param trustedProxies addresses and networks in CIDR notation, validated with the settings
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

/** Returns an address without the port and the brackets that some proxies add; undefined for any other text. */
function bareAddress(entry: string | undefined): string | undefined {
  const text = entry?.trim() ?? '';
  const bare = /^\[(.+)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text;
  return isIP(bare) === 0 ? undefined : bare;
}
