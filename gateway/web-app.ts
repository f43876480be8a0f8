import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Exchange } from './exchange.js';
import { cachedForAnHour, cachedForEver, readWebFiles, sendFile } from './web-files.js';
import { contentSecurityPolicy, securityHeaders } from './web-headers.js';

// docs/decisions/0020-app-behind-a-strict-policy.md explains the policy, and why files are served from memory.

/** Replaced by the nonce of each answer. */
const noncePlaceholder = '%CSP_NONCE%';
const nonceBytes = 18;

/** File names below it contain a hash of the content. */
const hashedFolder = '/static/';

/** Paths that belong to other parts of the gateway. */
const otherEntryPoints = ['/api', '/docs', '/trpc', '/files', '/healthz', '/servez', '/readyz', '/metrics'];

export type WebAppOptions = {
  /** The app's build. */
  folder: string;
  https: boolean;
};

/**
 * Serves the app's files and pages, and returns false for other paths. All files are read once, here. A path that does
 * not look like a file is a page of the app, which decides itself what it shows; `/api/docs` is a separate page.
 * Undefined if nothing has been built.
 */
export function createWebApp({ folder, https }: WebAppOptions): ((exchange: Exchange) => boolean) | undefined {
  if (!existsSync(path.join(folder, 'index.html'))) return undefined;
  const files = readWebFiles(folder);
  const common = securityHeaders({ https });
  const filePolicy = contentSecurityPolicy({ wasm: true });
  const app = readPage('/index.html', { wasm: true });
  const docs = readPage('/docs.html', { wasm: false });

  function readPage(name: string, { wasm }: { wasm: boolean }): Page | undefined {
    const parts = files.get(name)?.bytes.toString().split(noncePlaceholder);
    return parts && { parts, wasm };
  }

  function pageAt(urlPath: string): Page | undefined {
    if (urlPath === '/api/docs') return docs;
    if (urlPath === '/index.html') return app;
    const isElsewhere = otherEntryPoints.some((entry) => urlPath === entry || urlPath.startsWith(`${entry}/`));
    return isElsewhere || resemblesApi(urlPath) || /\.[^/]*$/.test(urlPath) ? undefined : app;
  }

  /** Sends a page. It is short and different each time, so it is not compressed. */
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

/**
 * Returns whether a path would be a path of the API with other slashes, another letter case or fewer escapes, such as
 * `//api/v1/assets`. Such a path is an unknown route, since a client of the API must not take a page for success.
 */
function resemblesApi(urlPath: string): boolean {
  return /^\/+api(?:\/|$)/i.test(unescaped(urlPath).replaceAll('\\', '/'));
}

function unescaped(urlPath: string): string {
  try {
    return decodeURIComponent(urlPath);
  } catch {
    return urlPath;
  }
}

type Page = { parts: readonly string[]; wasm: boolean };

/**
 * Returns the `Cache-Control` of a file. Files without a hash in their name are revalidated: files that refer to new
 * versions each time, other files once an hour.
 */
function cacheControlOf(urlPath: string): string {
  if (urlPath.startsWith(hashedFolder)) return cachedForEver;
  const leadsToOthers = /\/(sw|service-worker|workbox[^/]*|registerSW)\.js$|\.webmanifest$/.test(urlPath);
  return leadsToOthers ? 'no-cache' : cachedForAnHour;
}
