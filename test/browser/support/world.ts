import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { vi } from 'vitest';
import type { Role } from '../../../server/people/auth/scopes.js';
import type { Settings } from '../../../server/kernel/settings.js';
import { createMember } from '../../support/members.js';
import type { Credentials } from '../../support/mqtt.js';
import type { ScanOrganization } from '../../support/scan-world.js';
import { settled, showIn } from './accessible.js';
import { launchBrowser, sharedBrowser } from './browser.js';
import { closeIdlePages, newPage, returnPage, type StorageState, takeIdlePage } from './pages.js';
import { type Problems, watchForProblems } from './problems.js';
import { type BrowserService, password, sharedService, startBrowserService } from './service.js';

/** A service with gateway and broker, the built app, and a browser. */
export type BrowserWorld = Omit<BrowserService, 'passwordHash'> & {
  /** A signed-in person on an empty page: `page.goto('/assets')`. With a new organization by default. */
  person(options?: PersonOptions): Promise<Person>;
  /** The account of a person who is not signed in anywhere. */
  account(options?: AccountOptions): Promise<Account>;
  /** A person without an account. */
  visitor(options?: VisitorOptions): Promise<Visitor>;
  /** Publishes like a reader; resolves when the service has stored the reads. */
  publish(reader: Publisher, payload: string): Promise<void>;
};

export type Publisher = Credentials & { publish_topic?: string | null };

export type VisitorOptions = {
  /** A phone instead of a desktop. */
  phone?: boolean;
  browser?: BrowserContextOptions;
};

type AccountOptions = { role?: Role; organization?: ScanOrganization; name?: string };

export type PersonOptions = VisitorOptions & AccountOptions;

/** A browser of one person's own. Disposing of it closes it, and throws if something happened that must not. */
export type Visitor = AsyncDisposable & {
  readonly context: BrowserContext;
  readonly page: Page;
  readonly problems: Problems;
  /** Returns what a click or the like downloads. */
  download(action: () => Promise<unknown>): Promise<{ name: string; bytes: Buffer }>;
  /** Takes a picture of the page into the folder of BROWSER_PICTURES, if that is set; in a color scheme, which the page keeps. */
  picture(name: string, colorScheme?: 'dark' | 'light'): Promise<void>;
};

type Account = { userId: number; name: string; email: string; password: string; organization: ScanOrganization };

export type Person = Visitor & Account;

export type BrowserWorldOptions = {
  /** Settings of a service for this file alone. Without them the file uses the service of its process, with an organization of its own. */
  settings?: Partial<Settings>;
  /** Further command-line switches of Chromium, which is then not shared with other files. */
  switches?: readonly string[];
};

const desktop = {
  viewport: { width: 1280, height: 800 },
  locale: 'en-GB',
  timezoneId: 'Europe/Berlin',
  reducedMotion: 'reduce',
} as const satisfies BrowserContextOptions;

const phone = { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true } as const;

export async function createBrowserWorld({ settings, switches }: BrowserWorldOptions = {}): Promise<BrowserWorld> {
  const { passwordHash, ...service } = await (settings ? startBrowserService(settings) : sharedService());
  const { db, url } = service;
  // A test in another browser than Chromium starts none of it.
  let launching: Promise<Browser> | undefined;
  const visitors = new Set<Visitor>();
  let visitorsMade = 0;

  async function visitor(options: VisitorOptions = {}, storageState?: StorageState): Promise<Visitor> {
    const { phone: isPhone = false, browser: more = {} } = options;
    launching ??= switches ? launchBrowser(switches) : sharedBrowser();
    const contextOptions = { baseURL: url, ...desktop, ...(isPhone && phone), ...more };
    const kind = switches ? undefined : JSON.stringify(contextOptions);
    const idle = kind === undefined ? undefined : await takeIdlePage(kind, storageState);
    const own = idle ?? (await newPage(await launching, { ...contextOptions, ...(storageState && { storageState }) }));
    const { context, page } = own;
    context.setDefaultTimeout(30_000);
    if (idle) await page.setViewportSize(contextOptions.viewport ?? desktop.viewport);
    const problems = watchForProblems(context, url);
    const one: Visitor = {
      context,
      page,
      problems,
      async download(action) {
        const [download] = await Promise.all([page.waitForEvent('download'), action()]);
        return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) };
      },
      async picture(name, colorScheme) {
        const folder = process.env['BROWSER_PICTURES'];
        if (folder === undefined) return;
        if (colorScheme) {
          await showIn(page, colorScheme);
          await settled(page);
        }
        await mkdir(folder, { recursive: true });
        await page.screenshot({ path: path.join(folder, `${name}.png`), fullPage: true });
      },
      async [Symbol.asyncDispose]() {
        if (!visitors.delete(one)) return;
        // The last state of a failed test.
        await one.picture(`last-${visitorsMade}`);
        await (kind ? returnPage(kind, own, url) : context.close());
        problems.requireNone();
      },
    };
    visitors.add(one);
    visitorsMade += 1;
    return one;
  }

  async function account({ role = 'admin', organization, name = role }: AccountOptions = {}): Promise<Account> {
    const home = organization ?? (await service.organization());
    const { userId, email } = await createMember(db, home.orgId, { role, name, passwordHash });
    return { userId, name, email, password, organization: home };
  }

  async function person({ role, organization, name, ...options }: PersonOptions = {}): Promise<Person> {
    const own = await account({ ...(role && { role }), ...(organization && { organization }), ...(name && { name }) });
    const one = await visitor(options, await signIn(url, own.email));
    return Object.assign(one, own);
  }

  return {
    ...service,
    account,
    person,
    visitor: (options) => visitor(options),
    async publish(reader, payload) {
      const client = await service.connect(reader);
      const { mqtt_username: mqttUsername } = reader;
      const where = { mqttUsername, lastConnectedAt: { not: null } };
      // A heartbeat is not stored while the first login is being noted.
      await vi.waitUntil(async () => (await db.reader.count({ where })) > 0, { timeout: 30_000, interval: 20 });
      await client.publishAsync(reader.publish_topic ?? `readers/${reader.mqtt_username}/reads`, payload, { qos: 1 });
      await client.endAsync();
    },
    async [Symbol.asyncDispose]() {
      const closed = await Promise.allSettled([...visitors].map((one) => one[Symbol.asyncDispose]()));
      if (switches) await (await launching)?.close();
      if (settings) await closeIdlePages(url);
      // A test that failed may have left the shared service away.
      await (settings ? service[Symbol.asyncDispose]() : service.comeBack());
      const failures = closed.flatMap((result): unknown[] => (result.status === 'rejected' ? [result.reason] : []));
      if (failures.length > 0) throw new AggregateError(failures, failures.map(String).join('\n'));
    },
  };
}

/** Returns the signed-in state of a browser: the service's cookies, and the user. */
async function signIn(url: string, email: string): Promise<StorageState> {
  const answer = await fetch(`${url}/trpc/session.signIn`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email, password }),
  });
  const cookies = answer.headers.getSetCookie().map((header) => {
    const [, name = '', value = '', path = '/'] = /^([^=]+)=([^;]+);.*Path=([^;]+)/.exec(header) ?? [];
    return { name, value, path };
  });
  if (cookies.length === 0) throw new Error(`${email} could not sign in: ${await answer.text()}`);
  const { hostname: domain } = new URL(url);
  const { result } = (await answer.json()) as { result: { data: { user: object; organization: object } } };
  const identity = JSON.stringify({ user: result.data.user, organization: result.data.organization });
  const attributes = { domain, expires: -1, secure: false, httpOnly: true, sameSite: 'Strict' as const };
  return {
    cookies: cookies.map((cookie) => ({ ...cookie, ...attributes })),
    origins: [{ origin: url, localStorage: [{ name: 'whereabouts-identity', value: identity }] }],
  };
}
