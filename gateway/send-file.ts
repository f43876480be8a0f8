import type { Exchange } from './exchange.js';
import { packingFor, type WebFile } from './web-files.js';

const yearSeconds = 31_536_000;
const hourSeconds = 3600;

/** For files whose name changes with their content. */
export const cachedForEver = `public, max-age=${yearSeconds}, immutable`;
export const cachedForAnHour = `public, max-age=${hourSeconds}`;

type FileHeaders = { policy: string; cacheControl: string };

/** Sends a file in the smallest encoding that the client accepts, or 304 if the client has it. */
export function sendFile({ request, response }: Exchange, file: WebFile, { policy, cacheControl }: FileHeaders): void {
  response.setHeader('Content-Security-Policy', policy);
  response.setHeader('Cache-Control', cacheControl);
  response.setHeader('ETag', file.etag);
  if (file.packed.length > 0) response.setHeader('Vary', 'Accept-Encoding');
  if (namesEtag(request.headers['if-none-match'], file.etag)) {
    response.statusCode = 304;
    response.end();
    return;
  }
  const { bytes, encoding } = packingFor(file, request.headers['accept-encoding']?.toString());
  if (encoding !== undefined) response.setHeader('Content-Encoding', encoding);
  response.setHeader('Content-Type', file.contentType);
  response.setHeader('Content-Length', bytes.length);
  response.end(request.method === 'HEAD' ? undefined : bytes);
}

function namesEtag(ifNoneMatch: string | undefined, etag: string): boolean {
  return (ifNoneMatch ?? '').split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}
