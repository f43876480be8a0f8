import { expect, test } from 'vitest';
import { fileWorld } from '../support/shared.js';
import { drawnHall } from './support/drawn-hall.js';
import { expectFits } from './support/accessible.js';
import { createBrowserWorld } from './support/world.js';

const world = fileWorld(createBrowserWorld);

test('on a phone, lists begin without their filters, which are behind one button', async () => {
  const organization = await world.organization();
  await organization.asset({ name: 'Cart', externalKey: 'CART' });
  await organization.reader({ name: 'Gate' });
  await using person = await world.person({ organization, phone: true });
  const { page } = person;
  for (const [address, filter] of [
    ['/assets', 'Status'],
    ['/activity', 'Object'],
    ['/reports', 'From'],
    ['/audits', 'From'],
    ['/readers', 'Status'],
    ['/alerts', 'Status'],
  ] as const) {
    await page.goto(address);
    const button = page.getByRole('button', { name: 'Filters', exact: true });
    await button.waitFor();
    expect(await page.getByLabel(filter, { exact: true }).isVisible(), address).toBe(false);
    await button.click();
    await page.getByLabel(filter, { exact: true }).waitFor();
    await expectFits(page);
  }
  await page.getByLabel('Status', { exact: true }).selectOption('All');
  await page.getByRole('button', { name: 'Filters (1)' }).waitFor();
});

test('the search on a phone shows the location before its path, and the end of the path', async () => {
  const organization = await world.organization();
  const site = await organization.location({ name: 'University hospital on the hill' });
  const ward = await organization.location({ name: 'Ward 3 North', parentId: site });
  const room = await organization.location({ name: 'Room 3A', parentId: ward });
  await organization.asset({ name: 'Infusion pump', externalKey: 'PUMP', tags: [['rfid', 'E28011B1']] });
  const reader = await organization.reader({ antennas: [{ port: 1, location_id: room }] });
  await world.publish(reader, JSON.stringify({ reads: [{ value: 'E28011B1', antenna: 1 }] }));
  await using person = await world.person({ organization, phone: true });
  const { page } = person;
  await page.goto('/assets');
  await page.getByRole('button', { name: 'Search' }).last().click();
  await page.getByLabel('Search assets, locations, tags and readers').fill('infusion');
  const option = page.getByRole('option').filter({ hasText: 'Infusion pump' });
  const place = option.getByText('Room 3A', { exact: true });
  await place.waitFor();
  const path = option.getByText('University hospital on the hill › Ward 3 North', { exact: true });
  const [name, end] = [await place.boundingBox(), await path.boundingBox()];
  expect(name && end && name.x < end.x + end.width).toBe(true);
  // The beginning of the path is cut off, not its end.
  const isEndShown = await path.evaluate((text) => {
    const line = text.parentElement?.getBoundingClientRect();
    return line !== undefined && Math.abs(text.getBoundingClientRect().right - line.right) < 2;
  });
  expect(isEndShown).toBe(true);
  await person.picture('phone-search');
});

test('the scan page fits with texts of twice the size, and opens the camera in view', async () => {
  const organization = await world.organization();
  await organization.location({ name: 'Equipment store of the intensive care unit 3B', tags: [['barcode', 'STORE']] });
  await using person = await world.person({ role: 'operator', organization, phone: true });
  const { page } = person;
  await page.goto('/scan');
  await page.getByText(/^Ready/).waitFor();
  await page.evaluate(() => {
    document.documentElement.style.fontSize = '200%';
  });
  await expectFits(page);
  await page.getByLabel('Or enter a tag ID').fill('STORE');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByTestId('scan-location').getByText('Equipment store').waitFor();
  await page.getByLabel('Or enter a tag ID').fill('E28011AA');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByRole('button', { name: 'Send 1' }).waitFor();
  await expectFits(page);
  await person.picture('scan-200-percent');
  await page.evaluate(() => {
    document.documentElement.style.fontSize = '';
  });
  await page.getByRole('button', { name: 'Use camera' }).click();
  const picture = page.getByLabel('Camera picture');
  await picture.waitFor();
  await expect
    .poll(async () => {
      const box = await picture.boundingBox();
      return box !== null && box.y >= 0 && box.y + box.height <= 740;
    })
    .toBe(true);
});

test('what was typed to choose a location stays after the field has lost the focus', async () => {
  const organization = await world.organization();
  await organization.location({ name: 'Equipment store' });
  await using person = await world.person({ role: 'operator', organization, phone: true });
  const { page } = person;
  await page.goto('/scan');
  // A tag ID that cannot be recorded yet stays, too.
  await page.getByLabel('Or enter a tag ID').fill('E28011CC');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByRole('alert').filter({ hasText: 'Not assigned to an asset' }).waitFor();
  expect(await page.getByLabel('Or enter a tag ID').inputValue()).toBe('E28011CC');
  const field = page.getByRole('textbox', { name: 'Choose a location' });
  await field.fill('equip');
  await page.getByRole('option', { name: /Equipment store/ }).waitFor();
  await page.getByRole('heading', { level: 1 }).click();
  await page.getByRole('option').first().waitFor({ state: 'detached' });
  expect(await field.inputValue()).toBe('equip');
  await field.click();
  await page.getByRole('option', { name: /Equipment store/ }).click();
  await page.getByTestId('scan-location').getByText('Equipment store').waitFor();
});

test('on a phone, the page of a location shows its plan before its buttons', async () => {
  const organization = await world.organization();
  const { id: hall } = await drawnHall(world, organization);
  await using person = await world.person({ organization, role: 'admin', phone: true });
  const { page } = person;
  await page.goto(`/locations/${hall}`);
  const plan = page.getByRole('region', { name: 'Floor plan' });
  const top = async (name: string) => (await page.getByRole('button', { name, exact: true }).boundingBox())?.y ?? 0;
  await plan.waitFor();
  const bottom = await plan.evaluate((section) => section.getBoundingClientRect().bottom + scrollY);
  expect(await top('Move to…')).toBeGreaterThan(bottom - 1);
  expect(await top('Edit plan')).toBeGreaterThan(await top('Fit plan'));
  await expectFits(page);
});

test('a notice leaves the buttons at the bottom of a phone free', async () => {
  const organization = await world.organization();
  const store = await organization.location({ name: 'Equipment store of the intensive care unit' });
  const asset = await organization.asset({ name: 'A very long name of an infusion pump with two channels' });
  await organization.location({ name: 'Ward' });
  await using person = await world.person({ organization, phone: true });
  const { page } = person;
  await page.goto(`/assets/${asset}`);
  for (const name of ['Ward', 'Equipment store of the intensive care unit']) {
    await page.getByRole('button', { name: 'Set location' }).click();
    await page.getByRole('textbox', { name: 'Choose a location' }).fill(name);
    await page.getByRole('option', { name }).click();
    await page
      .getByRole('alert')
      .filter({ hasText: ` is at ${name}` })
      .waitFor();
  }
  expect(store).toBeGreaterThan(0);
  const notice = await page.getByRole('alert').filter({ hasText: 'intensive care' }).boundingBox();
  const bar = await page.getByRole('navigation').last().boundingBox();
  expect(notice && bar && notice.y + notice.height <= bar.y).toBe(true);
  expect(notice && notice.x >= 0 && notice.x + notice.width <= 360).toBe(true);
  await expectFits(page);
  await person.picture('phone-notice');
  // The end of the page can be scrolled above the notice.
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
  const end = await page.locator('#content > :last-child').boundingBox();
  const top = await page.getByRole('alert').filter({ hasText: 'intensive care' }).boundingBox();
  expect(end && top && end.y + end.height <= top.y + 1).toBe(true);
});
