import type { CDPSession, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BrowserWorld, createBrowserWorld, type Visitor } from './support/world.js';

/** A phone on LTE, as WebPageTest has it. Its processor is taken for as fast as one of the shared cores that tests run on. */
const network = { latency: 70, downloadThroughput: 12_000_000 / 8, uploadThroughput: 12_000_000 / 8 };

const usableMsMax = 1000;
const scriptBytesMax = 250_000;

let world: BrowserWorld;

beforeAll(async () => {
  world = await createBrowserWorld();
});

afterAll(() => world[Symbol.asyncDispose]());

/** Notes when the heading of the page is painted and the page can respond to input. */
async function watchForUse(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const watch = new MutationObserver(() => {
      if (!document.querySelector('h1')) return;
      watch.disconnect();
      requestAnimationFrame(() => setTimeout(() => performance.mark('usable')));
    });
    watch.observe(document, { childList: true, subtree: true });
  });
}

async function metricsOf(session: CDPSession): Promise<Map<string, number>> {
  const { metrics } = await session.send('Performance.getMetrics');
  return new Map(metrics.map(({ name, value }) => [name, value * 1000]));
}

/**
 * Loads the page as for the first time, on the phone's network. The time until it is usable is the time for which the
 * page waited, plus the processor time of its own thread: so the time for which other work of the machine delayed it is
 * not included.
 */
async function load({ context, page }: Visitor, path: string): Promise<{ usableMs: number; scriptBytes: number }> {
  const [ofNetwork, ofClock, ofThread] = await Promise.all([1, 2, 3].map(() => context.newCDPSession(page)));
  if (!ofNetwork || !ofClock || !ofThread) throw new Error('no session');
  await ofNetwork.send('Network.enable');
  await ofNetwork.send('Network.emulateNetworkConditions', { offline: false, ...network });
  await ofClock.send('Performance.enable', { timeDomain: 'timeTicks' });
  await ofThread.send('Performance.enable', { timeDomain: 'threadTicks' });
  await watchForUse(page);
  const before = { clock: await metricsOf(ofClock), thread: await metricsOf(ofThread) };
  await page.goto(path, { waitUntil: 'commit' });
  await page.waitForFunction(() => performance.getEntriesByName('usable').length > 0, undefined, { polling: 10 });
  const after = { clock: await metricsOf(ofClock), thread: await metricsOf(ofThread) };
  const passed = (domain: 'clock' | 'thread', name: string) =>
    (after[domain].get(name) ?? 0) - (before[domain].get(name) ?? 0);
  const sinceStartMs = (after.clock.get('Timestamp') ?? 0) - (after.clock.get('NavigationStart') ?? 0);
  const waitedMs = sinceStartMs - passed('clock', 'TaskDuration');
  const workedMs = passed('thread', 'TaskDuration');
  await page.waitForLoadState('load');
  const scriptBytes = await page.evaluate(() => {
    const resources = performance.getEntriesByType('resource') as PerformanceResourceTiming[];
    const scripts = resources.filter(({ name }) => new URL(name).pathname.endsWith('.js'));
    return scripts.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0);
  });
  return { usableMs: waitedMs + workedMs, scriptBytes };
}

/** A separate browser each time, as nothing may be cached from the last one. */
async function visit(whom: 'nobody' | 'somebody'): Promise<Visitor> {
  return whom === 'nobody' ? world.visitor({ phone: true }) : world.person({ phone: true });
}

test.each([
  ['/sign-in', 'nobody'],
  ['/api/docs', 'nobody'],
  ['/', 'somebody'],
] as const)('%s is usable within a second on a phone', async (path, whom) => {
  // Other work makes a load slower and never faster, so the fastest of a few is the page's own.
  const times: number[] = [];
  while (times.length < 5 && !times.some((ms) => ms < usableMsMax)) {
    await using visitor = await visit(whom);
    times.push((await load(visitor, path)).usableMs);
  }
  expect(Math.min(...times), `${path} in ${times.join(', ')} ms`).toBeLessThan(usableMsMax);
});

test.each([
  ['/sign-in', 'nobody'],
  ['/api/docs', 'nobody'],
  ['/', 'somebody'],
  ['/assets', 'somebody'],
  ['/locations', 'somebody'],
  ['/readers', 'somebody'],
  ['/scan', 'somebody'],
] as const)('%s takes less than 250 kB of scripts, as the first page', async (path, whom) => {
  await using visitor = await visit(whom);
  const { scriptBytes } = await load(visitor, path);
  expect(scriptBytes).toBeGreaterThan(50_000);
  expect(scriptBytes).toBeLessThan(scriptBytesMax);
});
