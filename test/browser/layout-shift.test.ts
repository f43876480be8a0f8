import type { Page, Request } from 'playwright-core';
import { ulid } from 'ulid';
import { expect, test } from 'vitest';
import { drawnHall } from './support/drawn-hall.js';
import { fileWorld } from '../support/shared.js';
import { createBrowserWorld } from './support/world.js';

const world = fileWorld(createBrowserWorld);

/** Above it people see that something jumps (https://web.dev/articles/cls). */
const shiftMax = 0.1;

const hourMs = 3_600_000;

type Shift = { value: number; sources: string[] };

declare const window: { shifts?: Shift[] };

/** Notes what moves on a page without an act of its user. */
function noteShifts(): void {
  const shifts: Shift[] = [];
  window.shifts = shifts;
  const nameOf = (node: Node | null) =>
    node instanceof Element
      ? `${node.tagName}.${node.getAttribute('class') ?? ''} “${node.textContent.slice(0, 40)}”`
      : 'text';
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const { value, hadRecentInput, sources } = entry as PerformanceEntry & {
        value: number;
        hadRecentInput: boolean;
        sources: { node: Node | null; previousRect: DOMRect; currentRect: DOMRect }[];
      };
      if (hadRecentInput) continue;
      const rect = ({ x, y, width, height }: DOMRect) => [x, y, width, height].map(Math.round).join(' ');
      shifts.push({
        value,
        sources: sources.map(
          ({ node, previousRect, currentRect }) => `${nameOf(node)}: ${rect(previousRect)} to ${rect(currentRect)}`,
        ),
      });
    }
  }).observe({ type: 'layout-shift', buffered: true });
}

/** An organization that has been at work: a site with a plan, assets and their moves, readers, an alert, a webhook, an audit. */
async function busyOrganization() {
  const organization = await world.organization();
  const { admin } = organization;
  const { id: hall, north, south } = await drawnHall(world, organization);
  for (let n = 1; n <= 12; n += 1) await organization.location({ name: `Aisle ${n}`, parentId: north });
  const readers = [
    await organization.reader({ name: 'North gate', location_id: north }),
    await organization.reader({ name: 'South gate', location_id: south }),
  ];
  const assets: number[] = [];
  for (let n = 1; n <= 60; n += 1) {
    assets.push(await organization.asset({ name: `Infusion pump ${n}`, tags: [['rfid', `E2801190${1000 + n}`]] }));
  }
  const scan = (location_id: number, ids: readonly number[], hoursAgo: number) =>
    admin.scans.submit({
      submission_id: ulid(),
      location_id,
      reads: ids.map((asset_id) => ({ asset_id })),
      observed_at: new Date(Date.now() - hoursAgo * hourMs).toISOString(),
    });
  for (let n = 12; n > 0; n -= 1) await scan(n % 2 === 0 ? north : south, assets.slice(0, 50), n);
  const webhook = await admin.webhooks.create({ name: 'ERP', url: 'https://example.com/hook' });
  const reads = Array.from({ length: 20 }, (_, n) => ({ value: `E280FFFF${1000 + n}` }));
  for (const reader of readers) await world.publish(reader, JSON.stringify({ reads }));
  await admin.apiKeys.create({ name: 'ERP', scopes: ['assets:read'], expires_at: null });
  return { organization, hall, north, asset: assets[0], reader: readers[0]?.id, webhook: webhook.id };
}

/** Returns a function that resolves once the page has its content and waits for nothing. */
function watchLoading(page: Page): () => Promise<void> {
  const running = new Set<Request>();
  const isStream = (request: Request) => request.url().includes('/trpc/scans.live');
  page.on('request', (request) => !isStream(request) && running.add(request));
  page.on('requestfinished', (request) => running.delete(request));
  page.on('requestfailed', (request) => running.delete(request));
  page.on('framenavigated', () => running.clear());
  return async () => {
    await page.getByRole('heading', { level: 1 }).waitFor();
    // What was loaded may ask for more.
    for (let quietFrames = 0; quietFrames < 3; quietFrames += 1) {
      await nextFrame(page);
      const isLoading = await page.evaluate(
        () => document.querySelector('.mantine-Skeleton-root, .mantine-Loader-root, [aria-busy="true"]') !== null,
      );
      if (running.size > 0 || isLoading) quietFrames = -1;
    }
  };
}

/** Resolves once the page has been painted. */
function nextFrame(page: Page): Promise<unknown> {
  return page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))));
}

test.each([
  { name: 'a phone', browser: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true } },
  { name: 'a desk', browser: { viewport: { width: 1440, height: 900 } } },
])(
  'nothing jumps while a page loads on $name',
  async ({ browser }) => {
    const { organization, hall, north, asset, reader, webhook } = await busyOrganization();
    await using person = await world.person({ organization, browser });
    const { page } = person;
    const loaded = watchLoading(page);
    await page.addInitScript(noteShifts);
    // Each answer arrives after the page has shown that it waits, as on a slow network.
    await page.route(/\/(?:trpc\/(?!scans\.live)|files\/)/, async (route) => {
      for (let frames = 0; frames < 2; frames += 1) await nextFrame(page).catch(() => {});
      await route.continue();
    });
    const pages = [
      '/',
      '/assets',
      `/assets/${asset}`,
      '/assets/new',
      '/import',
      '/locations',
      `/locations/${hall}`,
      `/locations/${north}`,
      `/locations/${north}/audit`,
      '/reports',
      '/reports?report=flow',
      '/reports?report=use',
      '/reports?report=inventory',
      '/reports?report=unseen',
      '/audits',
      '/readers',
      '/readers/new',
      `/readers/${reader}`,
      '/unknown-tags',
      '/alerts?status=all',
      '/alerts/rules',
      '/alerts/rules/new',
      '/alerts/webhooks',
      '/alerts/webhooks/new',
      `/alerts/webhooks/${webhook}`,
      '/scan',
      '/labels',
      '/start',
      '/activity',
      '/deleted',
      '/account',
      '/settings',
      '/settings/api-keys/new',
    ];
    const tooMuch: object[] = [];
    await page.goto('/');
    for (const address of pages) {
      // As a link does: a page that is loaded anew takes three times as long.
      if (address !== '/') await page.evaluate((to) => history.pushState({}, '', to), address);
      await loaded();
      // Hidden texts that stick out of their list would make the page longer than its content.
      const { emptyBelow, shifts } = await page.evaluate(() => {
        const main = document.querySelector('main')?.getBoundingClientRect().bottom ?? 0;
        const emptyBelow = document.documentElement.scrollHeight - Math.max(main + scrollY, innerHeight);
        return { emptyBelow, shifts: window.shifts?.splice(0) ?? [] };
      });
      expect(emptyBelow, address).toBeLessThanOrEqual(1);
      const sum = shifts.reduce((total, { value }) => total + value, 0);
      if (sum >= shiftMax) tooMuch.push({ address, sum, shifts });
    }
    expect(tooMuch).toEqual([]);
  },
  300_000,
);
