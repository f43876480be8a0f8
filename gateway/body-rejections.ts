import type { IncomingMessage, ServerResponse } from 'node:http';
import { ContractError } from '../server/index.js';
import { hasUnsupportedEncoding } from './http-body.js';

/** Returns the media type of a body in lower case, without parameters such as a charset; undefined if there is none. */
export function mediaTypeOf({ headers }: IncomingMessage): string | undefined {
  return headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
}

/**
 * Rejects a body in an encoding such as gzip, and sets `Accept-Encoding` (RFC 9110, 15.5.16).
 *
 * @throws ContractError `unsupported_media_type`
 */
export function requirePlainEncoding(request: IncomingMessage, response: ServerResponse): void {
  if (!hasUnsupportedEncoding(request)) return;
  response.setHeader('Accept-Encoding', 'identity');
  throw new ContractError(
    'unsupported_media_type',
    'Content-Encoding is not supported; send the body without compression',
  );
}
