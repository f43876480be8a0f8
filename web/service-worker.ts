/**
 * Caches the app's document and the files of the scan page for when there is no network, but no data. Without a network
 * it answers every page of the app with that document. `scan-worker-plugin.ts` writes the list of cached files. Shows
 * the notifications of alerts.
 */

/** The parts of a service worker that are missing in the types for pages. */
type Extendable = Event & { waitUntil(work: Promise<unknown>): void };
type Fetching = Extendable & { request: Request; respondWith(answer: Promise<Response>): void };
type Pushed = Extendable & { data: { json(): unknown } | null };
type Clicked = Extendable & { notification: Notification };
type Page = { url: string; focus(): Promise<unknown>; navigate(url: string): Promise<unknown> };
type WorkerScope = {
  skipWaiting(): Promise<void>;
  registration: ServiceWorkerRegistration;
  clients: {
    matchAll(options: { type: 'window' }): Promise<readonly Page[]>;
    openWindow(url: string): Promise<unknown>;
  };
  addEventListener(type: 'install' | 'activate', listener: (event: Extendable) => void): void;
  addEventListener(type: 'fetch', listener: (event: Fetching) => void): void;
  addEventListener(type: 'push', listener: (event: Pushed) => void): void;
  addEventListener(type: 'notificationclick', listener: (event: Clicked) => void): void;
};

const worker = self as unknown as WorkerScope;

/** Written by the build: the addresses, and a name that changes with them. */
const files = '__SCAN_FILES__'.split(/,/);
const version = '__SCAN_VERSION__';

const cachePrefix = 'whereabouts-scan-';
const cacheName = `${cachePrefix}${version}`;
/** The previous version is kept for pages that are still open. */
const versionsKept = 2;
const page = '/scan';
const hashedFolder = '/static/';
/** If the network takes longer, the cached page is used. */
const pageMaxMs = 4000;

/** Fills the cache. The document and its files must have the same version, or the page would not start. */
async function fill(): Promise<void> {
  const cache = await caches.open(cacheName);
  const answer = await fetch(page, { cache: 'no-store', credentials: 'omit' });
  const text = await answer.clone().text();
  const named = Array.from(text.matchAll(/"(\/static\/[^"]+)"/g), ([, file = '']) => file);
  const isSame = named.length > 0 && named.every((file) => files.includes(file));
  if (!answer.ok || !isSame) throw new Error('the page is of another version');
  await cache.addAll(files.map((file) => new Request(file, { credentials: 'omit' })));
  await cache.put(page, answer);
  await worker.skipWaiting();
}

async function forgetOldVersions(): Promise<void> {
  const names = (await caches.keys()).filter((name) => name.startsWith(cachePrefix) && name !== cacheName);
  const old = names.slice(0, Math.max(0, names.length - (versionsKept - 1)));
  await Promise.all(old.map((name) => caches.delete(name)));
}

/** Answers with the newest page. The cached page is served with its own policy, and so with the matching nonce. */
async function answerPage(request: Request): Promise<Response> {
  const kept = await (await caches.open(cacheName)).match(page);
  if (!kept) return fetch(request);
  const fresh = fetch(request).then(
    (answer) => (answer.status >= 500 ? kept : answer),
    () => kept,
  );
  const late = new Promise<Response>((resolve) => {
    setTimeout(() => resolve(kept), pageMaxMs);
  });
  return Promise.race([fresh, late]);
}

/**
 * Returns whether a path is a page of the app, and not one of the API with its description, the documentation, images
 * or health checks.
 */
function isAppPage(pathname: string): boolean {
  return (
    !/^\/(?:api|docs|trpc|files|static|healthz|servez|readyz|metrics)(?:\/|$)/.test(pathname) && !pathname.includes('.')
  );
}

/** Answers with a file. A file with a hash in its name never changes, so it is cached once it is used. */
async function answerFile(request: Request): Promise<Response> {
  const kept = await caches.match(request, { ignoreVary: true });
  if (kept) return kept;
  const answer = await fetch(request);
  const isHashed = new URL(request.url).pathname.startsWith(hashedFolder);
  if (answer.ok && isHashed) await (await caches.open(cacheName)).put(request, answer.clone());
  return answer;
}

worker.addEventListener('install', (event) => event.waitUntil(fill()));
worker.addEventListener('activate', (event) => event.waitUntil(forgetOldVersions()));
worker.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== location.origin) return;
  if (request.mode === 'navigate') {
    if (isAppPage(pathname)) event.respondWith(answerPage(request));
  } else if (pathname.startsWith(hashedFolder) || files.includes(pathname)) {
    event.respondWith(answerFile(request));
  }
});

type Notice = { title: string; body: string; path: string; tag: string };

/** Shows an alert. The service has written the text in the language of the person. */
function showNotice({ title, body, path, tag }: Notice): Promise<void> {
  return worker.registration.showNotification(title, { body, tag, icon: '/icons/icon-192.png', data: path });
}

/** Opens a page of the app, in a window of the app if there is one. */
async function openPage(path: string): Promise<void> {
  const url = new URL(path, location.origin).href;
  const windows = await worker.clients.matchAll({ type: 'window' });
  const shown = windows.find((page) => page.url === url) ?? windows[0];
  // Browsers refuse to navigate a window that another worker controls.
  const isShown = await shown?.navigate(url).then(
    () => true,
    () => false,
  );
  await (shown && isShown ? shown.focus() : worker.clients.openWindow(url));
}

worker.addEventListener('push', (event) => {
  if (event.data) event.waitUntil(showNotice(event.data.json() as Notice));
});
worker.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(openPage(String(event.notification.data)));
});
