import type { IncomingMessage } from 'node:http';
import { ContractError } from '../server/index.js';
import type { Exchange } from './exchange.js';
import type { MatchRoutes } from './routes.js';

/** A host name, an IPv4 address or an IPv6 address in brackets, and a port or none (RFC 9110, 7.2; RFC 3986, 3.2.2). */
const hostShape = /^(?:[\w.~!$&'()*+,;=-]|%[\dA-Fa-f]{2})+(?::\d{0,5})?$|^\[[\dA-Fa-f:.]{2,45}\](?::\d{0,5})?$/;
const hostNameLength = 4;
/** The methods of pages and files, and of paths that are unknown. */
const usualMethods = 'GET, HEAD';

export type Rejection = { error: ContractError; allow?: string };

/**
 * Returns why a request is rejected before its path or credential matters: its `Host`, or the method TRACE. `match`
 * finds the methods of its path.
 */
export function earlyRejectionOf(
  { request, instance }: Pick<Exchange, 'request' | 'instance'>,
  match: MatchRoutes,
): Rejection | undefined {
  const hostFault = hostFaultOf(request);
  if (hostFault !== undefined) return { error: new ContractError('bad_request', hostFault) };
  return request.method === 'TRACE' ? methodRejection(match(instance)?.allow ?? usualMethods) : undefined;
}

/** Returns why a request is rejected if Node does not know its method. Such a request never reaches a handler. */
export function unknownMethodRejection(path: string, match: MatchRoutes): Rejection {
  const found = match(path);
  return found ? methodRejection(found.allow) : unknownPath(path);
}

/**
 * Returns the error for CONNECT, whose target is a host and a port. Some clients send a path instead; the `Allow`
 * header then has the methods of that path.
 */
export function connectRejection(target: string, match: MatchRoutes): Rejection & { instance: string } {
  const instance = target.startsWith('/') ? (target.split('?', 1)[0] as string) : '/';
  return { ...methodRejection(match(instance)?.allow ?? usualMethods), instance };
}

/** Returns the error for a path without a route. */
export function unknownPath(path: string): Rejection {
  return { error: new ContractError('not_found', `Unknown API route: ${path}`) };
}

/** Returns the error for a method, with the `Allow` header. */
export function methodRejection(allow: string): Rejection {
  return { error: new ContractError('method_not_allowed', `Allowed methods: ${allow}`), allow };
}

/** Returns what is wrong with the `Host` of a request; only HTTP/1.0 may omit it (RFC 9112, 3.2). */
function hostFaultOf({ rawHeaders, headers, httpVersionMinor, httpVersionMajor }: IncomingMessage): string | undefined {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    if (name.length === hostNameLength && name.toLowerCase() === 'host') count += 1;
  }
  if (count === 0) {
    const isOlder = httpVersionMajor === 1 && httpVersionMinor === 0;
    return isOlder ? undefined : 'Host header is missing';
  }
  if (count > 1) return 'Host header must not be repeated';
  return hostShape.test(headers.host ?? '') ? undefined : 'Host header is not valid';
}
