import type { Locator, Page } from 'playwright-core';
import { ulid } from 'ulid';
import { expect, test } from 'vitest';
import { png } from '../support/pictures.js';
import { expectAccessible, expectFits } from './support/accessible.js';
import { fileWorld } from '../support/shared.js';
import { createBrowserWorld } from './support/world.js';

const world = fileWorld(createBrowserWorld);

/** Names of the assets that the device remembers, with their places. */
function rememberedOn(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const opening = indexedDB.open('whereabouts-scanning');
    await new Promise((resolve) => opening.addEventListener('success', resolve));
    const db = opening.result;
    if (!db.objectStoreNames.contains('seen')) return [];
    const reading = db.transaction('seen').objectStore('seen').getAll();
    await new Promise((resolve) => reading.addEventListener('success', resolve));
    db.close();
    return reading.result.map(({ name, place }) => `${name}: ${place}`);
  });
}

/** Names of the assets whose photos the device remembers. */
function rememberedPhotos(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const opening = indexedDB.open('whereabouts-scanning');
    await new Promise((resolve) => opening.addEventListener('success', resolve));
    const db = opening.result;
    const reading = db.transaction('seen').objectStore('seen').getAll();
    await new Promise((resolve) => reading.addEventListener('success', resolve));
    db.close();
    return reading.result.filter(({ photo }) => photo instanceof Blob).map(({ name }) => name);
  });
}

/** Pixels of the image that is shown, none before it is decoded. */
function widthOf(image: Locator): Promise<number> {
  return image.evaluate((shown: HTMLImageElement) => shown.naturalWidth);
}

/** Fills the memory of the device with other assets, which were seen earlier. */
async function fillMemory(page: Page, owner: string): Promise<void> {
  await page.evaluate(async (mine) => {
    const opening = indexedDB.open('whereabouts-scanning');
    await new Promise((resolve) => opening.addEventListener('success', resolve));
    const db = opening.result;
    const store = db.transaction('seen', 'readwrite').objectStore('seen');
    for (let n = 1; n <= 500; n += 1) {
      store.put({ owner: mine, id: -n, name: `Old ${n}`, external_key: '', place: '', photo_id: null, at: n });
    }
    await new Promise((resolve) => store.transaction.addEventListener('complete', resolve));
    db.close();
  }, owner);
}

async function setUp() {
  const organization = await world.organization();
  const { admin } = organization;
  const hall = await organization.location({ name: 'Hall' });
  const north = await organization.location({ name: 'North', parentId: hall });
  const pump = await organization.asset({ name: 'Infusion pump' });
  const bed = await organization.asset({ name: 'Bed' });
  await admin.scans.submit({
    submission_id: ulid(),
    location_id: north,
    reads: [{ asset_id: pump }, { asset_id: bed }],
  });
  const content = new Uint8Array(await png());
  const { id: photo } = await world.db.image.create({
    data: {
      orgId: organization.orgId,
      kind: 'photo',
      width: 40,
      height: 20,
      content,
      thumbnail: content,
      etag: 'photo',
      storedBytes: content.length,
    },
  });
  await admin.assets.addPhoto({ asset_id: pump, image_id: photo });
  return { organization, pump };
}

test.each([
  { width: 390, height: 844 },
  { width: 1440, height: 900 },
])(
  'without a network the search and the page of an asset show its last known place, $width pixels wide',
  async (viewport) => {
    const { organization, pump } = await setUp();
    await using person = await world.person({ role: 'operator', organization, browser: { viewport } });
    const { page, context } = person;
    person.problems.allow(/ERR_INTERNET_DISCONNECTED|ERR_FAILED|Failed to fetch|Unable to preload CSS/);
    // The scan page keeps the app at once; other pages do so after some seconds.
    await page.goto('/scan');
    await page.evaluate(() => navigator.serviceWorker.ready);
    await fillMemory(page, `${person.userId}/${organization.orgId}`);
    await page.goto('/assets');
    await page.getByRole('link', { name: 'Infusion pump' }).waitFor();
    await expect
      .poll(() => rememberedOn(page))
      .toEqual(expect.arrayContaining(['Infusion pump: Hall › North', 'Bed: Hall › North']));

    expect((await rememberedOn(page)).length).toBe(500);

    await page.getByRole('link', { name: 'Infusion pump' }).click();
    await page
      .getByRole('img', { name: /Photo 1/ })
      .or(page.getByRole('button', { name: /Photo 1/ }))
      .first()
      .waitFor();
    await expect.poll(() => rememberedPhotos(page)).toEqual(['Infusion pump']);
    await page.goto('/assets');
    await page.getByRole('link', { name: 'Infusion pump' }).waitFor();

    // In the open app.
    await context.setOffline(true);
    await page.keyboard.press('/');
    await page
      .getByRole('combobox', { name: /^Search/ })
      .or(page.getByLabel(/^Search assets/))
      .first()
      .fill('pump');
    await page.getByText('Not connected: last known places').waitFor();
    const option = page.getByRole('option', { name: /Infusion pump/ });
    expect(await option.textContent()).toMatch(/Hall › North, as of \d/);
    await expectAccessible(page);
    await option.click();
    const known = page.getByRole('alert').filter({ hasText: 'Last known place' });
    await known.getByText('Hall › North').waitFor();
    await known.getByText(/as of \d/).waitFor();
    await expectAccessible(page);
    await expectFits(page, viewport.width);
    await person.picture(`last-known-asset-${viewport.width}`);

    // In an app that starts without a network.
    await page.goto(`/assets/${pump}`);
    await page.getByRole('heading', { name: 'You are offline' }).waitFor();
    const places = page.getByRole('region', { name: 'Last known places' });
    await places.getByText('Infusion pump').first().waitFor();
    await expect.poll(() => widthOf(places.locator('img').first())).toBe(40);
    await places.getByRole('textbox', { name: 'Search the last known places' }).fill('north BED');
    await places.getByRole('listitem').filter({ hasText: 'Bed' }).getByText('Hall › North').waitFor();
    expect(await places.getByRole('listitem').count()).toBe(1);
    await expectAccessible(page);
    await expectFits(page, viewport.width);
    await person.picture(`last-known-offline-${viewport.width}`);

    await context.setOffline(false);
    await page.getByRole('heading', { level: 1, name: 'Infusion pump' }).waitFor();
    await page.getByRole('button', { name: 'Account menu' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await expect.poll(() => rememberedOn(page)).toEqual([]);
  },
);

test('a page that was open says since when its place is not known to be right, and another person sees nothing of it', async () => {
  const { organization, pump } = await setUp();
  await using person = await world.person({ role: 'operator', organization });
  const { page, context } = person;
  person.problems.allow(/ERR_INTERNET_DISCONNECTED|ERR_FAILED|Failed to fetch/);
  await page.goto('/scan');
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.clock.install();
  await page.goto(`/assets/${pump}`);
  const here = page.getByRole('region', { name: 'Current location' });
  await here.getByText('North').waitFor();
  await page.clock.fastForward(5000);
  await expect.poll(() => rememberedOn(page)).toEqual(['Infusion pump: Hall › North']);
  await context.setOffline(true);
  await page.clock.fastForward(20_000);
  await page.clock.fastForward(20_000);
  await here.getByText(/Not connected, as of \d/).waitFor();

  await context.setOffline(false);
  await using other = await world.person({ role: 'operator' });
  await context.clearCookies();
  await context.addCookies(await other.context.cookies());
  await page.goto('/scan');
  await page.getByText(/^Ready/).waitFor();
  await context.setOffline(true);
  await page.goto(`/assets/${pump}`);
  await page.getByRole('heading', { name: 'You are offline' }).waitFor();
  await page.getByRole('link', { name: 'Scan offline' }).waitFor();
  expect(await page.getByText('Infusion pump').count()).toBe(0);
});
