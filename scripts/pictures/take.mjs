/** Pictures of the app in Chromium. */
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { chromium } from 'playwright-core';
import sharp from 'sharp';
import { account, makeHospital } from './hospital.mjs';
import { pages, views } from './pages.mjs';
import { createCaller, startService } from './service.mjs';
import { takeWalk } from './walk.mjs';

/** The README's pictures with their views. */
const shown = [
  ['plan', 'desk'],
  ['home', 'desk'],
  ['home', 'desk-dark'],
  ['assets', 'desk'],
  ['asset', 'desk'],
  ['locations', 'desk'],
  ['location', 'desk-dark'],
  ['reader', 'desk'],
  ['scan', 'phone'],
  ['labels', 'desk'],
  ['api-docs', 'desk'],
];

export function launch() {
  const executablePath = execFileSync('which', ['chromium'], { encoding: 'utf8' }).trim();
  const args = ['--no-sandbox', '--disable-gpu', '--hide-scrollbars', '--no-first-run'];
  return chromium.launch({ executablePath, args });
}

/** Signs in once for each view, then visits the pages. */
async function withHospital(work) {
  const service = await startService();
  const browser = await launch();
  try {
    const caller = createCaller(service.url);
    const hospital = await makeHospital({ caller, mqttUrl: service.mqttUrl });
    await work({ service, browser, hospital });
  } finally {
    await browser.close();
    await service.stop();
  }
}

async function openView(browser, url, view) {
  const context = await browser.newContext({ baseURL: url, locale: 'en-GB', reducedMotion: 'reduce', ...views[view] });
  const page = await context.newPage();
  page.on('console', (message) => {
    if (message.type() === 'error') console.error(`${view} ${page.url()}: ${message.text()}`);
  });
  await page.goto('/sign-in');
  // In any language.
  await page.locator('[autocomplete="username"]').fill(account.email);
  await page.locator('[autocomplete="current-password"]').fill(account.password);
  await page.locator('form [type="submit"]').click();
  await page.getByRole('navigation').first().waitFor({ state: 'attached' });
  return { context, page };
}

/** Takes a picture once no request was sent for a moment; the live stream stays open, so the network is never idle. */
async function picture(page, address) {
  await page.goto(address);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page
    .waitForFunction(
      () => document.querySelectorAll('[aria-busy="true"], .mantine-Skeleton-root, .mantine-Loader-root').length === 0,
      undefined,
      { timeout: 8000 },
    )
    .catch(() => {});
  await page.waitForTimeout(400);
}

/** Takes every page in every view, as PNG files `page.view.png`. */
export async function takeReview(folder, names) {
  await withHospital(async ({ service, browser, hospital }) => {
    for (const view of Object.keys(views)) {
      const { context, page } = await openView(browser, service.url, view);
      for (const { name, path: address } of pages.filter((each) => names.length === 0 || names.includes(each.name))) {
        await picture(page, address(hospital));
        await page.screenshot({ path: path.join(folder, `${name}.${view}.png`), fullPage: view !== 'wide' });
      }
      await context.close();
    }
  });
}

/** Takes the README's pictures, and the animated tour. */
export async function takePictures(folder) {
  await withHospital(async ({ service, browser, hospital }) => {
    for (const view of new Set(shown.map(([, each]) => each))) {
      const { context, page } = await openView(browser, service.url, view);
      for (const [name] of shown.filter(([, each]) => each === view)) {
        await picture(page, pages.find((each) => each.name === name).path(hospital));
        const bytes = await page.screenshot();
        await sharp(bytes)
          .webp({ quality: 82, effort: 6 })
          .toFile(path.join(folder, `${name}-${view}.webp`));
      }
      await context.close();
    }
    await takeWalk(browser, path.join(folder, 'walk.webp'));
  });
}
