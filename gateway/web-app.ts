import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Exchange } from './exchange.js';
import { packingFor, readWebFiles, type WebFile } from './web-files.js';
import { contentSecurityPolicy, securityHeaders } from './web-headers.js';

/** In place of this, pages get the nonce of their answer. */
const nonceMark = '%CSP_NONCE%';
const nonceBytes = 18;

/** Below it, names change with what they name. */
const hashedFolder = '/static/';
const yearSeconds = 31_536_000;
const hourSeconds = 3600;

/** Where the gateway answers with something else than the app. */
const otherEntryPoints = ['/api', '/trpc', '/files', '/healthz', '/readyz', '/metrics'];

export type WebAppOptions = {
  /** The app's build. */
  folder: string;
  https: boolean;
};

/**
 * Answers with the app's files and pages, and false for what is none of them. Everything is read once, here. A path that
 * looks like no file is a page of the app, which finds out by itself what it shows there; `/api/docs` is a page of its own.
 * Returns undefined where nothing has been built.
 */
export function createWebApp({ folder, https }: WebAppOptions): ((exchange: Exchange) => boolean) | undefined {
  if (!existsSync(path.join(folder, 'index.html'))) return undefined;
  const files = readWebFiles(folder);
  const common = securityHeaders({ https });
  const filePolicy = contentSecurityPolicy({ wasm: true });
  const app = readPage('/index.html', { wasm: true });
  const docs = readPage('/docs.html', { wasm: false });

  function readPage(name: string, { wasm }: { wasm: boolean }): Page | undefined {
    const parts = files.get(name)?.bytes.toString().split(nonceMark);
    return parts && { parts, wasm };
  }

  function pageAt(place: string): Page | undefined {
    if (place === '/api/docs') return docs;
    if (place === '/index.html') return app;
    const isElsewhere = otherEntryPoints.some((entry) => place === entry || place.startsWith(`${entry}/`));
    return isElsewhere || /\.[^/]*$/.test(place) ? undefined : app;
  }

  /** Short and different each time, so it goes out as it is. */
  function sendPage({ request, response }: Exchange, { parts, wasm }: Page): void {
    const nonce = randomBytes(nonceBytes).toString('base64');
    const body = Buffer.from(parts.join(nonce));
    response.setHeader('Content-Security-Policy', contentSecurityPolicy({ nonce, wasm }));
    response.setHeader('Content-Type', 'text/html; charset=utf-8');
    response.setHeader('Cache-Control', 'no-cache');
    response.setHeader('Content-Length', body.length);
    response.end(request.method === 'HEAD' ? undefined : body);
  }

  function sendFile({ request, response, instance }: Exchange, file: WebFile): void {
    response.setHeader('Content-Security-Policy', filePolicy);
    response.setHeader('Cache-Control', cacheControlOf(instance));
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

  return (exchange) => {
    const { request, response, instance } = exchange;
    if (request.method !== 'GET' && request.method !== 'HEAD') return false;
    const page = pageAt(instance);
    const file = page || instance.endsWith('.html') ? undefined : files.get(instance);
    if (!page && !file) return false;
    for (const [name, value] of Object.entries(common)) response.setHeader(name, value);
    if (page) {
      exchange.route = page === docs ? '/api/docs' : '/(page)';
      sendPage(exchange, page);
    } else if (file) {
      exchange.route = '/(file)';
      sendFile(exchange, file);
    }
    return true;
  };
}

type Page = { parts: readonly string[]; wasm: boolean };

/** What has no hash in its name is asked for again: what leads to new versions each time, the rest once an hour. */
function cacheControlOf(place: string): string {
  if (place.startsWith(hashedFolder)) return `public, max-age=${yearSeconds}, immutable`;
  const leadsToOthers = /\/(sw|service-worker|workbox[^/]*|registerSW)\.js$|\.webmanifest$/.test(place);
  return leadsToOthers ? 'no-cache' : `public, max-age=${hourSeconds}`;
}

function namesEtag(ifNoneMatch: string | undefined, etag: string): boolean {
  return (ifNoneMatch ?? '').split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}
