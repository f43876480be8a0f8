/** Loads pages in Chromium as for the first time, over the network of a phone, and measures the time until they can be used. */
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { createCaller, startService } from '../pictures/service.mjs';
import { launch } from '../pictures/take.mjs';

/** A phone on LTE, as WebPageTest has it. */
const network = { offline: false, latency: 70, downloadThroughput: 12_000_000 / 8, uploadThroughput: 12_000_000 / 8 };
const phone = { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true, locale: 'en-US' };

const account = {
  organization_name: 'First load',
  name: 'Ada',
  email: 'ada@first-load.example',
  password: 'as fast as they can',
};

const pages = [
  { path: '/sign-in', signedIn: false },
  { path: '/api/docs', signedIn: false },
  { path: '/', signedIn: true },
  { path: '/assets', signedIn: true },
  { path: '/locations', signedIn: true },
  { path: '/readers', signedIn: true },
  { path: '/scan', signedIn: true },
];

const { values } = parseArgs({ options: { loads: { type: 'string', default: '5' } } });
const loads = Number(values.loads);

/** Signs in and resolves with the cookies, so that each load can begin with an empty cache. */
async function signIn(browser, url) {
  const context = await browser.newContext({ baseURL: url, ...phone });
  const page = await context.newPage();
  await page.goto('/sign-in');
  await page.getByLabel('Email address').fill(account.email);
  await page.getByRole('textbox', { name: 'Password' }).fill(account.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('navigation').first().waitFor({ state: 'attached' });
  const state = await context.storageState();
  await context.close();
  return state;
}

/** Notes when the heading of the page is painted and the page can respond to input. */
function watchForUse() {
  const watch = new MutationObserver(() => {
    if (!document.querySelector('h1')) return;
    watch.disconnect();
    requestAnimationFrame(() => setTimeout(() => performance.mark('usable')));
  });
  watch.observe(document, { childList: true, subtree: true });
}

async function metricsOf(session) {
  const { metrics } = await session.send('Performance.getMetrics');
  return Object.fromEntries(metrics.map(({ name, value }) => [name, value * 1000]));
}

/** One load in a browser context of its own: milliseconds of waiting and of work on the main thread, and bytes of scripts. */
async function load(browser, { url, path, storageState }) {
  const context = await browser.newContext({ baseURL: url, ...phone, storageState });
  try {
    const page = await context.newPage();
    const [ofNetwork, ofClock, ofThread] = await Promise.all([1, 2, 3].map(() => context.newCDPSession(page)));
    await ofNetwork.send('Network.enable');
    await ofNetwork.send('Network.emulateNetworkConditions', network);
    await ofClock.send('Performance.enable', { timeDomain: 'timeTicks' });
    await ofThread.send('Performance.enable', { timeDomain: 'threadTicks' });
    await page.addInitScript(watchForUse);
    const before = { clock: await metricsOf(ofClock), thread: await metricsOf(ofThread) };
    await page.goto(path, { waitUntil: 'commit' });
    await page.waitForFunction(() => performance.getEntriesByName('usable').length > 0, undefined, { polling: 10 });
    const [clock, thread] = [await metricsOf(ofClock), await metricsOf(ofThread)];
    await page.waitForLoadState('load');
    const scriptBytes = await page.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .filter(({ name }) => new URL(name).pathname.endsWith('.js'))
        .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0),
    );
    // The time for which other work of the machine delayed the main thread counts neither as waiting nor as work.
    return {
      waitedMs: clock.Timestamp - clock.NavigationStart - (clock.TaskDuration - before.clock.TaskDuration),
      workedMs: thread.TaskDuration - before.thread.TaskDuration,
      scriptBytes,
    };
  } finally {
    await context.close();
  }
}

const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];

/** Prints the medians of each page. */
export async function measureFirstLoads() {
  const service = await startService();
  const browser = await launch();
  try {
    await createCaller(service.url).call('session.signUp', account);
    const storageState = await signIn(browser, service.url);
    console.log(`Medians of ${loads} loads; the load of the machine is ${loadavg()[0].toFixed(2)}`);
    console.log('| Page | Scripts, compressed | Waiting | Working | Usable after |');
    console.log('|---|--:|--:|--:|--:|');
    for (const { path, signedIn } of pages) {
      const measured = [];
      for (let n = 0; n < loads; n += 1) {
        measured.push(
          await load(browser, { url: service.url, path, storageState: signedIn ? storageState : undefined }),
        );
      }
      const waited = median(measured.map(({ waitedMs }) => waitedMs));
      const worked = median(measured.map(({ workedMs }) => workedMs));
      const usable = median(measured.map(({ waitedMs, workedMs }) => waitedMs + workedMs));
      const kilobytes = Math.round(measured[0].scriptBytes / 1000);
      const cells = [`\`${path}\``, `${kilobytes} kB`, ...[waited, worked, usable].map((ms) => `${Math.round(ms)} ms`)];
      console.log(`| ${cells.join(' | ')} |`);
    }
  } finally {
    await browser.close();
    await service.stop();
  }
}
