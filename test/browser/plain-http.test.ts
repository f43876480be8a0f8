import type { BrowserContext, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { fileWorld } from '../support/shared.js';
import { createBrowserWorld } from './support/world.js';

// A name in a local network, where browsers offer neither locks nor workers nor cameras.
const host = 'whereabouts.lan';
const world = fileWorld(() => createBrowserWorld({ switches: [`--host-resolver-rules=MAP ${host} 127.0.0.1`] }));

const live = (page: Page) => page.getByRole('status').getByText('Live', { exact: true }).waitFor({ state: 'attached' });

/** Signs in at the address with the name. */
async function signedIn(account: { email: string; password: string }) {
  const { port } = new URL(world.url);
  const origin = `http://${host}:${port}`;
  const visitor = await world.visitor({ browser: { baseURL: origin } });
  visitor.problems.allow(new RegExp(`request to another origin: ${origin}`));
  visitor.problems.allow(/Cross-Origin-Opener-Policy/);
  // Without locks, several tabs renew the session together, and try again.
  visitor.problems.allow(/503 \(Service Unavailable\).*session\.refresh/);
  const { page } = visitor;
  await page.goto('/sign-in');
  await page.getByLabel('Email').fill(account.email);
  await page.getByRole('textbox', { name: 'Password' }).fill(account.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await live(page);
  return visitor;
}

/** Opens a page of assets in a new tab. */
async function openTab(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  await page.goto('/assets');
  return page;
}

/** Makes a page believe that its tab is hidden or shown. All pages of a browser without windows are visible. */
async function setVisibility(page: Page, state: 'hidden' | 'visible'): Promise<void> {
  await page.evaluate((value) => {
    Object.defineProperty(document, 'visibilityState', { value, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  }, state);
}

const streams = () => world.core.liveStats().streams;

test('ten tabs share one stream, and each receives moves and answers', async () => {
  const organization = await world.organization();
  const dock = await organization.location({ name: 'Dock' });
  const hall = await organization.location({ name: 'Hall' });
  await organization.asset({ name: 'Cart', externalKey: 'CART', tags: [['rfid', 'E280119001']] });
  const reader = await organization.reader({
    antennas: [
      { port: 1, location_id: dock },
      { port: 2, location_id: hall },
    ],
  });
  const read = (antenna: number) =>
    world.publish(reader, JSON.stringify({ reads: [{ value: 'E280119001', antenna }] }));
  await using visitor = await signedIn(await world.account({ organization }));
  const { context, page: first } = visitor;
  expect(await first.evaluate(() => [isSecureContext, 'locks' in navigator])).toEqual([false, false]);
  const others = await Promise.all(Array.from({ length: 9 }, () => openTab(context)));
  await first.goto('/assets');
  const tabs = [first, ...others];
  await Promise.all(tabs.map(live));
  await expect.poll(streams).toBe(1);

  const cell = (page: Page, name: string) =>
    page.getByRole('row').filter({ hasText: 'Cart' }).getByText(name).waitFor();
  await read(1);
  await Promise.all(tabs.map((page) => cell(page, 'Dock')));
  for (const page of tabs) await page.getByRole('searchbox').or(page.getByLabel('Search assets')).first().fill('cart');
  await Promise.all(tabs.map((page) => page.waitForURL(/cart/)));

  // Hidden tabs hold no stream; they catch up when they are shown.
  for (const page of tabs) await setVisibility(page, 'hidden');
  await expect.poll(streams).toBe(0);
  await read(2);
  await setVisibility(first, 'visible');
  await cell(first, 'Hall');
  expect(streams()).toBe(1);
});

test('when the tab with the stream is closed, another one opens a stream', async () => {
  const organization = await world.organization();
  await using visitor = await signedIn(await world.account({ organization }));
  const { context, page: first } = visitor;
  const second = await openTab(context);
  await live(second);
  await expect.poll(streams).toBe(1);
  await second.close();
  await expect.poll(streams).toBe(1);
  await live(first);
});

test('the scan page works, and the app says once what needs HTTPS', async () => {
  const organization = await world.organization();
  await using visitor = await signedIn(await world.account({ organization, role: 'operator' }));
  const { page } = visitor;
  const notice = page.getByRole('alert').filter({ hasText: 'This address is not encrypted' });
  await notice.getByText(/camera for scanning/).waitFor();
  await page.goto('/scan');
  await page.getByRole('heading', { level: 1, name: 'Scan' }).waitFor();
  await page.getByRole('button', { name: 'Use camera' }).click();
  await page.getByText('The camera needs a secure address').waitFor();
  await notice.getByRole('button', { name: 'Dismiss' }).click();
  await page.reload();
  await page.getByRole('heading', { level: 1, name: 'Scan' }).waitFor();
  expect(await notice.count()).toBe(0);
});
