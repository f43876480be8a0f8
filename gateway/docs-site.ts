import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Exchange } from './exchange.js';
import { cachedForAnHour, cachedForEver, readWebFiles, sendFile } from './web-files.js';
import { contentSecurityPolicy, securityHeaders } from './web-headers.js';

const root = '/docs';
/** File names below it contain a hash of the content. */
const hashedFolder = '/static/';

export type DocsSiteOptions = {
  /** The build of the documentation. */
  folder: string;
  https: boolean;
};

/**
 * Serves paths below `/docs`, and returns false for others. A page is a file whose path has no ending: `/docs/alerts`
 * is `alerts.html`. Pages have no inline scripts or styles, so the policy of files suits them, and they need no nonce.
 * Undefined if the documentation was not built.
 */
export function createDocsSite({ folder, https }: DocsSiteOptions): ((exchange: Exchange) => boolean) | undefined {
  if (!existsSync(path.join(folder, 'index.html'))) return undefined;
  const files = readWebFiles(folder);
  const common = securityHeaders({ https });
  const policy = contentSecurityPolicy({ wasm: false });
  const missing = files.get('/404.html');

  return (exchange) => {
    const { request, response, instance } = exchange;
    if (instance !== root && !instance.startsWith(`${root}/`)) return false;
    if (request.method !== 'GET' && request.method !== 'HEAD') return false;
    const urlPath = instance.slice(root.length).replace(/\/$/, '');
    const page = files.get(urlPath === '' ? '/index.html' : `${urlPath}.html`);
    const file = page ?? (urlPath.endsWith('.html') ? undefined : files.get(urlPath)) ?? missing;
    if (!file) return false;
    exchange.route = '/docs';
    for (const [name, value] of Object.entries(common)) response.setHeader(name, value);
    if (file === missing) response.statusCode = 404;
    const cacheControl = urlPath.startsWith(hashedFolder) ? cachedForEver : page ? 'no-cache' : cachedForAnHour;
    sendFile(exchange, file, { policy, cacheControl: file === missing ? 'no-cache' : cacheControl });
    return true;
  };
}
