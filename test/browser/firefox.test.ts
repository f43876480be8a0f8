import type { Browser, Page } from 'puppeteer-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { png } from '../support/pictures.js';
import { launchFirefox } from './support/firefox.js';
import { type BrowserWorld, createBrowserWorld } from './support/world.js';

// What people do most, in Firefox. The other files try everything in Chromium.

let world: BrowserWorld;
let browser: Browser;

beforeAll(async () => {
  [world, browser] = await Promise.all([createBrowserWorld(), launchFirefox()]);
});
afterAll(async () => {
  await browser.close();
  await world[Symbol.asyncDispose]();
});

/** A hall with a plan of a dock and a yard, a pump, and a reader at each of them. */
async function setUp() {
  const organization = await world.organization();
  const { admin, orgId } = organization;
  const hall = (await admin.locations.create({ name: 'Hall' })).data.id;
  const tags = [{ tag_type: 'barcode' as const, value: 'LOC-DOCK' }];
  const dock = (await admin.locations.create({ name: 'Dock', parent_id: hall, tags })).data.id;
  const yard = (await admin.locations.create({ name: 'Yard', parent_id: hall })).data.id;
  const pump = (await admin.assets.create({ name: 'Pump', tags: [{ tag_type: 'rfid', value: 'E280AA' }] })).data.id;
  const size = { width: 800, height: 400 };
  const content = new Uint8Array(await png(size));
  const image = await world.db.image.create({
    data: { orgId, kind: 'plan', ...size, content, thumbnail: content, etag: 'plan', storedBytes: content.length },
  });
  const plan = await admin.floorPlans.set({ location_id: hall, image_id: image.id, updated_at: null });
  const shapes = [
    { location_id: dock, points: rectangle(0.1) },
    { location_id: yard, points: rectangle(0.6) },
  ];
  await admin.floorPlans.setShapes({ location_id: hall, ...plan, shapes });
  const readers = {
    dock: await organization.reader({ location_id: dock }),
    yard: await organization.reader({ location_id: yard }),
  };
  return { organization, hall, dock, pump, readers };
}

function rectangle(left: number): [number, number][] {
  return [
    [left, 0.2],
    [left + 0.3, 0.2],
    [left + 0.3, 0.8],
    [left, 0.8],
  ];
}

const read = '{"reads":[{"value":"E280AA"}]}';

const button = (name: string) => named('button', name);
const link = (name: string) => named('link', name);

/** A selector of what has a role and a name for assistive technology. */
function named(role: string, name: string): string {
  return `::-p-aria([role="${role}"][name="${name}"])`;
}

/** A page of a browser without cookies, on which no error may happen. */
async function openPage() {
  const context = await browser.createBrowserContext();
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(String(error)));
  return {
    page,
    async [Symbol.asyncDispose]() {
      await context.close();
      expect(errors).toEqual([]);
    },
  };
}

async function signIn(page: Page, { email, password }: { email: string; password: string }): Promise<void> {
  await page.goto(`${world.url}/sign-in`);
  await page.locator('[autocomplete="username"]').fill(email);
  await page.locator('[autocomplete="current-password"]').fill(password);
  await page.locator(button('Sign in')).click();
  await page.waitForSelector(button('Account menu'));
}

/** Resolves when an element that matches has all of the texts. */
async function shown(page: Page, selector: string, ...texts: string[]): Promise<void> {
  await page.waitForFunction(
    (within, wanted) =>
      [...document.querySelectorAll(within)].some((one) => wanted.every((text) => one.textContent?.includes(text))),
    {},
    selector,
    texts,
  );
}

test('people sign in, find an asset, follow it live on the plan, place it by a scanner that types, and sign out', async () => {
  const { organization, hall, dock, pump, readers } = await setUp();
  await using opened = await openPage();
  const { page } = opened;
  await signIn(page, await world.account({ organization, role: 'operator' }));
  await shown(page, '[role="status"]', 'Live');
  await world.publish(readers.dock, read);
  await shown(page, 'section li', 'Pump', 'Dock');

  await page.locator(link('Assets')).click();
  await page.locator(link('Pump')).click();
  await shown(page, 'h1', 'Pump');
  await page.locator(link('Show on floor plan')).click();
  await shown(page, 'h1', 'Hall');
  await shown(page, '[data-testid="plan"]', 'Pump');
  await page.waitForSelector(button('Dock: 1 asset'));
  await shown(page, '[role="status"]', 'Live');
  await world.publish(readers.yard, read);
  await page.waitForSelector(button('Yard: 1 asset'));
  expect(new URL(page.url()).pathname).toBe(`/locations/${hall}`);

  await page.locator(link('Scan')).click();
  await shown(page, '[role="alert"]', 'Ready');
  await scan(page, 'LOC-DOCK');
  await shown(page, '[data-testid="scan-location"]', 'Dock');
  await scan(page, 'E280AA');
  await shown(page, '[role="alert"]', 'Pump');
  await shown(page, 'main', '1 recorded');
  expect(await organization.positions()).toMatchObject([{ asset_id: pump, location_id: dock }]);

  await page.locator(button('Account menu')).click();
  await page.locator(named('menuitem', 'Sign out')).click();
  await page.waitForSelector(button('Sign in'));
});

/**
 * Types like a scanner that acts as a keyboard. The page dispatches the keys itself: those of WebDriver are on a busy machine as
 * slow as a person's.
 */
async function scan(page: Page, value: string): Promise<void> {
  await page.evaluate(
    (keys) => {
      for (const key of keys) {
        for (const type of ['keydown', 'keyup']) {
          const event = new KeyboardEvent(type, { key, bubbles: true, cancelable: true });
          (document.activeElement ?? document.body).dispatchEvent(event);
        }
      }
    },
    [...value.split(''), 'Enter'],
  );
}
