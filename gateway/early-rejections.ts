import type { IncomingMessage } from 'node:http';
import { ContractError } from '../server/index.js';
import type { Exchange } from './exchange.js';
import { filesMethods, isFilesPath } from './files.js';
import type { RouteMatch } from './rest/routes.js';

/** A host name, an IPv4 address or an IPv6 address in brackets, and a port or none (RFC 9110, 7.2; RFC 3986, 3.2.2). */
const hostShape = /^(?:[\w.~!$&'()*+,;=-]|%[\dA-Fa-f]{2})+(?::\d{0,5})?$|^\[[\dA-Fa-f:.]{2,45}\](?::\d{0,5})?$/;
const hostNameLength = 4;

export type EarlyRejection = { error: ContractError; allow?: string };

/**
 * Returns why a request is rejected before its path or credential matters: its `Host`, or the method TRACE. `match`
 * finds the methods of a path below `/api`.
 */
export function earlyRejectionOf(
  { request, instance }: Pick<Exchange, 'request' | 'instance'>,
  match: (path: string) => RouteMatch | undefined,
): EarlyRejection | undefined {
  const hostFault = hostFaultOf(request);
  if (hostFault !== undefined) return { error: new ContractError('bad_request', hostFault) };
  return request.method === 'TRACE' ? methodRejection(allowedMethods(instance, match)) : undefined;
}

/** Returns why a request is rejected if Node does not know its method. Such a request never reaches a handler. */
export function unknownMethodRejection(path: string, match: (path: string) => RouteMatch | undefined): EarlyRejection {
  const isKnownPath =
    match(path) !== undefined || isTrpcPath(path) || isDescriptionPath(path) || filesMethods(path) !== undefined;
  if (isKnownPath) return methodRejection(allowedMethods(path, match));
  const what = isFilesPath(path) ? 'route' : 'API route';
  return { error: new ContractError('not_found', `Unknown ${what}: ${path}`) };
}

/**
 * Returns the error for CONNECT, whose target is a host and a port. Some clients send a path instead; the `Allow`
 * header then has the methods of that path.
 */
export function connectRejection(
  target: string,
  match: (path: string) => RouteMatch | undefined,
): EarlyRejection & { allow: string; instance: string } {
  const instance = target.startsWith('/') ? (target.split('?', 1)[0] as string) : '/';
  return { ...methodRejection(allowedMethods(instance, match)), instance };
}

function allowedMethods(path: string, match: (path: string) => RouteMatch | undefined): string {
  return match(path)?.route.allow ?? filesMethods(path) ?? (isTrpcPath(path) ? 'GET, HEAD, POST' : 'GET, HEAD');
}

/** Returns the error for a method, with the `Allow` header. */
function methodRejection(allow: string): EarlyRejection & { allow: string } {
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

function isTrpcPath(path: string): boolean {
  return path === '/trpc' || path.startsWith('/trpc/');
}

function isDescriptionPath(path: string): boolean {
  return /^(?:\/api(?:\/v1)?)?\/openapi\.(?:json|yaml)$/.test(path);
}
