import type { IncomingMessage, ServerResponse } from 'node:http';
import { ContractError, rateLimited } from '../server/index.js';
import { BodiesFullError, BodyTimeoutError, BodyTooLargeError, hasUnsupportedEncoding } from './http-body.js';

/** The detail for a request that did not arrive in time, be it the headers or the body. */
export const tooSlowDetail = 'Request took too long to arrive';

/** The delay of a caller whose organization has too many arriving bodies. */
const bodiesFullSeconds = 1;

/** Returns the error for a body that could not be read, or undefined for any other error. */
export function bodyRejectionOf(error: unknown): ContractError | undefined {
  if (error instanceof BodyTooLargeError) {
    return new ContractError('payload_too_large', `Request body must be at most ${error.bytesMax} bytes`);
  }
  if (error instanceof BodyTimeoutError) return new ContractError('bad_request', tooSlowDetail);
  return error instanceof BodiesFullError ? rateLimited(bodiesFullSeconds) : undefined;
}

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
