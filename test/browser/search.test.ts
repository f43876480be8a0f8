import { expect, test } from 'vitest';
import { expectAccessible } from './support/accessible.js';
import { hasFocus } from './support/has-focus.js';
import { fileWorld } from '../support/shared.js';
import { createBrowserWorld } from './support/world.js';

const world = fileWorld(createBrowserWorld);

async function setUp() {
  const organization = await world.organization();
  const hall = await organization.location({ name: 'North hall' });
  const shelf = await organization.location({ name: 'Shelf 7', parentId: hall, tags: [['rfid', 'SHELF-7']] });
  const pump = await organization.asset({
    name: 'Pump <b>12</b>',
    externalKey: 'PUMP-12',
    tags: [['ble', 'AC:23:3F:A0:32:08']],
  });
  const reader = await organization.reader({ name: 'Pump room door' });
  return { organization, shelf, pump, reader };
}

test('someone finds anything and goes there without a pointer', async () => {
  const { organization, shelf, pump, reader } = await setUp();
  await using person = await world.person({ organization });
  const { page } = person;
  await page.goto('/');
  await page.getByRole('heading', { level: 1 }).waitFor();

  await page.keyboard.press('/');
  const field = page
    .getByRole('textbox', { name: 'Search assets' })
    .or(page.getByRole('combobox', { name: 'Search assets' }));
  await hasFocus(field);
  await page.keyboard.type('pump');
  const dialog = page.getByRole('dialog');
  const options = dialog.getByRole('option');
  await expect
    .poll(() => options.allInnerTexts())
    .toEqual([expect.stringContaining('Pump <b>12</b>'), expect.stringContaining('Pump room door')]);
  await expectAccessible(page);
  await person.picture('search');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  // A key that is pressed before the dialog is closed belongs to its field.
  const leadsTo = async (url: string) => {
    await page.waitForURL(url);
    await dialog.waitFor({ state: 'hidden' });
  };
  await leadsTo(`**/readers/${reader.id}`);

  await page.keyboard.press('Control+k');
  await hasFocus(field);
  await dialog.getByRole('option', { name: 'Pump room door' }).waitFor();
  await page.keyboard.type('north shelf');
  await dialog.getByRole('option', { name: /^Shelf 7/ }).waitFor();
  await page.keyboard.press('Enter');
  await leadsTo(`**/locations/${shelf}`);

  // As a scanner types: the whole value and Enter, before any answer.
  await page.keyboard.press('/');
  await hasFocus(field);
  await page.keyboard.type('ac233fa03208');
  await page.keyboard.press('Enter');
  await leadsTo(`**/assets/${pump}`);

  await page.keyboard.press('/');
  await hasFocus(field);
  await dialog.getByRole('option', { name: 'Print labels' }).waitFor();
  await page.keyboard.type('asset new');
  await dialog.getByRole('option', { name: 'New asset' }).waitFor();
  await page.keyboard.press('Enter');
  await leadsTo('**/assets/new');

  await page.keyboard.press('/');
  await hasFocus(field);
  await page.keyboard.type('nothing like it');
  await page.getByText('No results').waitFor();
  await page.keyboard.press('Escape');
  await field.waitFor({ state: 'detached' });

  // A slash that is typed into a field stays there.
  const name = page.getByRole('textbox', { name: 'Name', exact: true });
  await name.fill('a');
  await name.press('/');
  expect(await name.inputValue()).toBe('a/');
  expect(await dialog.count()).toBe(0);
});

test('filters in words show the assets of a location, and open them in the table', async () => {
  const { organization, shelf, pump } = await setUp();
  const seen = new Date();
  await world.db.assetPosition.create({
    data: { orgId: organization.orgId, assetId: pump, locationId: shelf, assetLastSeen: seen, locatedSince: seen },
  });
  await using person = await world.person({ organization });
  const { page } = person;
  await page.goto('/');
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.keyboard.press('/');
  await page.getByLabel('Search assets, locations').fill('pump in north hall');
  const dialog = page.getByRole('dialog');
  await dialog.getByText('In North hall').waitFor();
  await dialog.getByRole('option', { name: /Shelf 7\s*North hall/ }).waitFor();
  await expectAccessible(page);
  await dialog.getByRole('option', { name: 'Show all 1 asset' }).click();
  await page.waitForURL('**/assets?q=pump&location_id=*');
  await page.getByRole('link', { name: 'Pump <b>12</b>' }).waitFor();

  await page.keyboard.press('Control+k');
  await page.getByLabel('Search assets, locations').fill('pump in north hall');
  await dialog.getByRole('button', { name: 'Remove filter In North hall' }).click();
  await dialog.getByRole('option', { name: 'Pump room door' }).waitFor();
});

test('a viewer finds readers in the list', async () => {
  const { organization } = await setUp();
  await using person = await world.person({ organization, role: 'viewer', phone: true });
  const { page } = person;
  await page.goto('/');
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByLabel('Search assets, locations').fill('pump');
  const options = page.getByRole('dialog').getByRole('option');
  await expect
    .poll(() => options.allInnerTexts())
    .toEqual([expect.stringContaining('PUMP-12'), expect.stringContaining('Pump room door')]);
  await person.picture('search-phone');
  await options.nth(1).click();
  await page.waitForURL('**/readers?q=Pump*');
});
