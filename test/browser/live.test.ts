import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { untilWellWithin } from '../support/clock.js';
import { settled } from './support/accessible.js';
import { fileWorld } from '../support/shared.js';
import { createBrowserWorld } from './support/world.js';

const world = fileWorld(createBrowserWorld);

/** A hundred named assets with a tag each, two locations and a reader whose two antennas are there. */
async function setUp() {
  const organization = await world.organization();
  const dock = await organization.location({ name: 'Dock' });
  const hall = await organization.location({ name: 'Hall' });
  for (let n = 10; n < 70; n += 1) {
    await organization.asset({
      name: `Cart ${n}`,
      externalKey: `CART-${n}`,
      tags: [['rfid', `E2801190${n}`]],
    });
  }
  const reader = await organization.reader({
    antennas: [
      { port: 1, location_id: dock },
      { port: 2, location_id: hall },
    ],
  });
  const read = (n: number, antenna: number) =>
    world.publish(reader, JSON.stringify({ reads: [{ value: `E2801190${n}`, antenna }] }));
  return { organization, dock, hall, read };
}

const live = (page: Page) => page.getByRole('status').getByText('Live', { exact: true }).waitFor({ state: 'attached' });
const moves = (page: Page) => page.getByRole('region', { name: 'Live activity' });

test('moves show on the first page without a reload, stay under the pointer, and are counted meanwhile', async () => {
  // It is counted as one of today, in any time zone.
  await untilWellWithin(3_600_000);
  const { organization, read } = await setUp();
  await using person = await world.person({ organization, role: 'viewer' });
  const { page } = person;
  await page.goto('/');
  await live(page);
  await page.getByRole('link', { name: 'Moved today 0 assets' }).waitFor();
  await read(12, 1);
  await moves(page).getByRole('listitem').filter({ hasText: 'Cart 12' }).filter({ hasText: 'Dock' }).waitFor();
  await page.getByRole('link', { name: 'Moved today 1 asset' }).waitFor();
  await read(12, 2);
  await moves(page).getByRole('listitem').first().getByText('Hall').waitFor();
  // Seen again where it is: no move.
  await read(12, 2);
  await read(13, 1);
  await moves(page).getByRole('listitem').first().getByText('Cart 13').waitFor();
  const shown = await moves(page).getByRole('link', { name: /^Cart/ }).allInnerTexts();
  expect(shown).toEqual(['Cart 13', 'Cart 12', 'Cart 12']);

  await read(20, 1);
  const newest = moves(page).getByRole('listitem').first();
  await newest.getByText('Cart 20').hover();
  await read(21, 1);
  await read(22, 1);
  await moves(page).getByText('2 new moves').waitFor();
  expect(await newest.innerText()).toContain('Cart 20');
  await page.mouse.move(0, 0);
  await newest.getByText('Cart 22').waitFor();
});

test('the list of assets follows without a jump', async () => {
  const { organization, read } = await setUp();
  await using person = await world.person({ organization, role: 'viewer' });
  const { page } = person;
  await page.goto('/assets');
  await live(page);
  await page.locator('table[aria-busy="false"]').waitFor();
  await settled(page);
  const row = page.getByRole('row').filter({ hasText: 'Cart 50' });
  await row.scrollIntoViewIfNeeded();
  const before = {
    order: await page.getByRole('row').getByRole('link', { name: /^Cart/ }).allInnerTexts(),
    box: await row.boundingBox(),
  };
  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  for (const [antenna, name] of [
    [2, 'Hall'],
    [1, 'Dock'],
    [2, 'Hall'],
  ] as const) {
    await read(50, antenna);
    await row.getByText(name).waitFor();
  }
  await read(10, 1);
  await page.getByRole('row').filter({ hasText: 'Cart 10' }).getByText('Dock').waitFor();
  expect(await page.getByRole('row').getByRole('link', { name: /^Cart/ }).allInnerTexts()).toEqual(before.order);
  expect(await row.boundingBox()).toEqual(before.box);
  expect(requests.filter((url) => url.includes('assets.table'))).toEqual([]);
});

test('what another person puts into a container and takes out shows in the list and on both pages without a reload', async () => {
  const organization = await world.organization();
  const { containers } = organization.admin;
  const cart = await organization.asset({ name: 'Trolley' });
  const box = await organization.asset({ name: 'Parcel' });
  const putIn = () => containers.putIn({ container_id: cart, asset_ids: [box] });
  const takeOut = () => containers.takeOut({ asset_ids: [box] });
  await using one = await world.person({ organization, role: 'viewer' });
  await using other = await world.person({ organization, role: 'viewer' });
  await one.page.goto('/assets');
  await live(one.page);
  await other.page.goto(`/assets/${cart}`);
  await live(other.page);
  const row = one.page.getByRole('row').filter({ hasText: 'Parcel' });
  await row.waitFor();
  const contents = other.page.getByRole('region', { name: 'Contents' });
  await putIn();
  await row.getByText('Trolley').waitFor();
  await contents.getByRole('link', { name: 'Parcel' }).waitFor();
  await takeOut();
  await row.getByText('Trolley').waitFor({ state: 'detached' });
  await contents.waitFor({ state: 'detached' });
  await other.page.goto(`/assets/${box}`);
  await live(other.page);
  await putIn();
  await other.page.getByRole('link', { name: 'Trolley' }).first().waitFor();
});

test('without a network the page does not call itself live', async () => {
  await using person = await world.person({ role: 'viewer' });
  const { page } = person;
  person.problems.allow(/ERR_INTERNET_DISCONNECTED|ERR_NETWORK_CHANGED/);
  await page.goto('/');
  await live(page);
  // The browser knows that it is offline before the connection ends.
  await page.evaluate(() => window.dispatchEvent(new Event('offline')));
  await page.getByRole('status').getByText('Not live since').waitFor();
  await page.evaluate(() => window.dispatchEvent(new Event('online')));
  await live(page);
});

test('a lost connection shows itself, comes back by itself and catches up', async () => {
  const { organization, read } = await setUp();
  await using person = await world.person({ organization, role: 'viewer' });
  const { page } = person;
  person.problems.allow(/ERR_CONNECTION_REFUSED|ERR_CONNECTION_RESET|ERR_INCOMPLETE_CHUNKED|ERR_EMPTY_RESPONSE/);
  await page.goto('/');
  await live(page);
  await read(30, 1);
  await moves(page).getByText('Cart 30').waitFor();
  await world.goAway();
  await page.getByRole('status').getByText('Not live since').waitFor();
  await person.picture('home-not-live');
  await read(31, 1);
  await read(30, 2);
  await world.comeBack();
  await live(page);
  await moves(page).getByText('Cart 31').waitFor();
  await moves(page).getByRole('listitem').first().getByText('Cart 30').waitFor();
  await read(32, 1);
  await moves(page).getByText('Cart 32').waitFor();
  expect(await page.getByRole('status').getByText('Not live').count()).toBe(0);
});
