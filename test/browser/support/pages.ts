import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';

/** A page in a context of its own, which may be used by one visitor after the other. */
type OwnPage = { readonly context: BrowserContext; readonly page: Page };

export type StorageState = Exclude<NonNullable<BrowserContextOptions['storageState']>, string>;

/** A document of the service without scripts. With the headers of the app, so that Chromium keeps the process of the page. */
export const emptyDocument = '/favicon.svg';

/**
 * Pages that wait for their next visitor, by their kind. The process of such a page has compiled the app, which it then opens in
 * half the time of a new context.
 */
const idle = new Map<string, OwnPage[]>();

/** Contexts with a clock or a script of a test, which stay until the context is closed. */
const notReusable = new WeakSet<BrowserContext>();

/** Makes a page whose context has these options. */
export async function newPage(browser: Browser, options: BrowserContextOptions): Promise<OwnPage> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  for (const target of [context, page]) {
    const { clock } = target;
    const addInitScript = target.addInitScript.bind(target);
    Object.defineProperty(target, 'clock', { get: () => (notReusable.add(context), clock) });
    target.addInitScript = (...given) => (notReusable.add(context), addInitScript(...given));
  }
  return { context, page };
}

/** Returns a page that waits for a visitor, if there is one: empty, and with the given cookies and stored values alone. */
export async function takeIdlePage(kind: string, state?: StorageState): Promise<OwnPage | undefined> {
  const own = idle.get(kind)?.pop();
  if (!own || !state) return own;
  await own.context.addCookies(state.cookies);
  const stored = state.origins.flatMap(({ localStorage: items }) => items);
  await own.page.evaluate((items) => items.forEach(({ name, value }) => localStorage.setItem(name, value)), stored);
  return own;
}

/** Removes everything of a visitor from a page and keeps it for the next one; closes its context if that is impossible. */
export async function returnPage(kind: string, own: OwnPage, origin: string): Promise<void> {
  const isEmpty = !notReusable.has(own.context) && (await empty(own, origin).catch(() => false));
  if (isEmpty) idle.set(kind, [...(idle.get(kind) ?? []), own]);
  else await own.context.close();
}

/** Closes the pages of an address that wait for a visitor. */
export async function closeIdlePages(origin: string): Promise<void> {
  for (const [kind, pages] of idle) {
    if (!kind.includes(JSON.stringify(origin))) continue;
    idle.delete(kind);
    await Promise.all(pages.map(({ context }) => context.close()));
  }
}

async function empty({ context, page }: OwnPage, origin: string): Promise<boolean> {
  if (page.isClosed()) return false;
  await Promise.all(context.pages().flatMap((other) => (other === page ? [] : [other.close()])));
  await Promise.all([context.unrouteAll({ behavior: 'ignoreErrors' }), page.unrouteAll({ behavior: 'ignoreErrors' })]);
  await context.setOffline(false);
  const session = await context.newCDPSession(page);
  // A worker would answer instead of the service.
  await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'service_workers' });
  await page.goto(emptyDocument);
  await Promise.all([
    session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' }),
    page.evaluate(() => sessionStorage.clear()),
    context.clearCookies(),
    context.clearPermissions(),
    page.emulateMedia({ media: null, colorScheme: null }),
    session.send('Page.resetNavigationHistory'),
  ]);
  await session.detach();
  return true;
}
