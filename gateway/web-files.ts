import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type { Exchange } from './exchange.js';
import path from 'node:path';

/** The compressed forms that the build stores beside a file, the smallest first. */
const packings = [
  { encoding: 'br', ending: '.br' },
  { encoding: 'gzip', ending: '.gz' },
] as const;

const contentTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
};

type WebFile = {
  contentType: string;
  bytes: Buffer;
  /** Changes with the bytes. */
  etag: string;
  packed: readonly { encoding: (typeof packings)[number]['encoding']; bytes: Buffer }[];
};

/** Reads all files of a build into memory, by the path that browsers request. */
export function readWebFiles(folder: string): ReadonlyMap<string, WebFile> {
  const files = new Map<string, WebFile>();
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  for (const name of names) {
    const contentType = contentTypes[path.extname(name)];
    if (contentType === undefined) continue;
    files.set(`/${name.split(path.sep).join('/')}`, readWebFile(path.join(folder, name), contentType));
  }
  return files;
}

function readWebFile(file: string, contentType: string): WebFile {
  const bytes = readFileSync(file);
  return {
    contentType,
    bytes,
    etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}"`,
    packed: packings.flatMap(({ encoding, ending }) => {
      const packedFile = `${file}${ending}`;
      return existsSync(packedFile) ? [{ encoding, bytes: readFileSync(packedFile) }] : [];
    }),
  };
}

/** Returns the smallest encoding that a client accepts (RFC 9110, 12.5.3), or the file unencoded. */
function packingFor(file: WebFile, acceptEncoding: string | undefined): { bytes: Buffer; encoding?: string } {
  const wishes = new Map<string, number>();
  for (const wish of (acceptEncoding ?? '').toLowerCase().split(',')) {
    const [name = '', ...parameters] = wish.split(';').map((part) => part.trim());
    const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1';
    wishes.set(name, Number(quality));
  }
  const isTaken = (encoding: string) => (wishes.get(encoding) ?? wishes.get('*') ?? 0) > 0;
  return file.packed.find(({ encoding }) => isTaken(encoding)) ?? { bytes: file.bytes };
}

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
