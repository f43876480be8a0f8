import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Exchange } from './exchange.js';
import { cachedForAnHour, cachedForEver, sendFile } from './send-file.js';
import { readWebFiles } from './web-files.js';
import { contentSecurityPolicy, securityHeaders } from './web-headers.js';

/** In place of this, pages get the nonce of their answer. */
const nonceMark = '%CSP_NONCE%';
const nonceBytes = 18;

/** Below it, names change with what they name. */
const hashedFolder = '/static/';

/** Where the gateway answers with something else than the app. */
const otherEntryPoints = ['/api', '/docs', '/trpc', '/files', '/healthz', '/readyz', '/metrics'];

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
      sendFile(exchange, file, { policy: filePolicy, cacheControl: cacheControlOf(instance) });
    }
    return true;
  };
}

type Page = { parts: readonly string[]; wasm: boolean };

/** What has no hash in its name is asked for again: what leads to new versions each time, the rest once an hour. */
function cacheControlOf(place: string): string {
  if (place.startsWith(hashedFolder)) return cachedForEver;
  const leadsToOthers = /\/(sw|service-worker|workbox[^/]*|registerSW)\.js$|\.webmanifest$/.test(place);
  return leadsToOthers ? 'no-cache' : cachedForAnHour;
}
