import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ScanOrganization } from '../support/scan-world.js';
import { expectAccessible, expectFits, settled } from './support/accessible.js';
import { shows } from './support/shows.js';
import { type BrowserWorld, createBrowserWorld } from './support/world.js';

// Somebody looks for things among twenty thousand.

const assets = 20_000;

let world: BrowserWorld;
let organization: ScanOrganization;

beforeAll(async () => {
  world = await createBrowserWorld();
  organization = await world.organization();
  await fill(organization);
}, 120_000);
afterAll(() => world[Symbol.asyncDispose]());

async function fill({ orgId, location }: ScanOrganization): Promise<void> {
  const { db } = world;
  const hall = await location({ name: 'Hall' });
  const rack = await location({ name: 'Rack', parentId: hall });
  await db.$executeRaw`
    INSERT INTO assets (org_id, external_key, name, description, is_active, valid_from, created_at, updated_at)
    SELECT ${orgId}, 'T-' || lpad(n::text, 6, '0'), CASE WHEN n % 200 = 7 THEN 'Forklift ' ELSE 'Pallet ' END || n, NULL,
           n % 500 <> 0, now() - interval '1 day', now() - n * interval '1 second', now() - n * interval '1 second'
      FROM generate_series(1, ${assets}::int) AS n`;
  await db.$executeRaw`
    INSERT INTO asset_positions (org_id, asset_id, location_id, asset_last_seen, located_since)
    SELECT a.org_id, a.id, ${rack}, now() - interval '3 hours', now() - interval '5 hours'
      FROM assets a WHERE a.org_id = ${orgId} AND a.external_key < 'T-000100'`;
  await db.$executeRawUnsafe('VACUUM ANALYZE assets, asset_positions');
}

/** The names in the table, once it shows what is asked for. */
async function names(page: Page): Promise<string[]> {
  await page.locator('table[aria-busy="false"]').waitFor();
  return page.locator('tbody tr td:nth-child(2) a').allInnerTexts();
}

test('searches, narrows, sorts, goes back, and shares the address', async () => {
  await using person = await world.person({ organization });
  const { page } = person;
  await page.goto('/assets');
  await shows(page, '20,000 assets');
  expect((await names(page)).slice(0, 2)).toEqual(['Pallet 1', 'Pallet 2']);
  await expectAccessible(page);
  await person.picture('assets');

  await page.getByRole('searchbox', { name: 'Search' }).pressSequentially('forklift', { delay: 20 });
  await shows(page, '100 assets');
  expect((await names(page))[0]).toBe('Forklift 7');
  await page.waitForURL((url) => url.searchParams.get('q') === 'forklift');

  await page.getByRole('button', { name: 'Key', exact: true }).click();
  await page.waitForURL(/sort=-external_key/);
  await shows(page, '100 assets');
  await page.locator('tbody').getByText('Forklift 19807', { exact: true }).waitFor();
  expect((await names(page))[0]).toBe('Forklift 19807');

  await page.getByLabel('Status').selectOption('Inactive');
  await page.getByRole('heading', { name: 'No matching assets' }).waitFor();
  await page.goBack();
  await shows(page, '100 assets');
  await page.goBack();
  await page.goBack();
  await shows(page, '20,000 assets');
  await expect.poll(() => page.getByRole('searchbox', { name: 'Search' }).inputValue()).toBe('');
  await page.goForward();
  await shows(page, '100 assets');

  await using colleague = await world.person({ organization, role: 'viewer' });
  await colleague.page.goto(page.url());
  await shows(colleague.page, '100 assets');
  expect(await names(colleague.page)).toEqual(await names(page));
  expect(await colleague.page.getByRole('searchbox', { name: 'Search' }).inputValue()).toBe('forklift');
  expect(await colleague.page.getByRole('link', { name: 'New asset' }).count()).toBe(0);
});

test('finds what is somewhere and what is not, and goes through pages', async () => {
  await using person = await world.person({ organization });
  const { page } = person;
  await page.goto('/assets');
  await shows(page, '20,000 assets');
  await page.getByRole('textbox', { name: 'Location (incl. sublocations)' }).click();
  await page.getByRole('option', { name: /Hall/ }).first().click();
  await shows(page, '99 assets');
  await page.locator('tbody tr').first().getByText('Rack').waitFor();
  await page.getByLabel('Last seen', { exact: true }).selectOption('Not in the last day');
  await page.getByRole('heading', { name: 'No matching assets' }).waitFor();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await shows(page, '20,000 assets');
  await page.getByLabel('Last seen', { exact: true }).selectOption('Never');
  await page.getByText('19,901 assets. Only the first 10,000 can be shown').waitFor();
  expect(new URL(page.url()).searchParams.get('seen')).toBe('false');

  await page.goto('/assets?offset=19900');
  await page.getByText('19,901 to 19,950 of 20,000 assets').waitFor();
  expect((await names(page))[0]).toBe('Pallet 19901');
  await page.getByRole('button', { name: 'Previous page' }).click();
  await page.getByText('19,851 to 19,900 of 20,000 assets').waitFor();
  await page.getByRole('button', { name: 'Next page' }).click();
  await page.getByText('19,901 to 19,950 of 20,000 assets').waitFor();
});

test('shows twenty rows on a laptop, each of one line, or fewer with more room, in columns that the browser keeps', async () => {
  await using person = await world.person({ organization });
  const { page } = person;
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto('/assets');
  await shows(page, '20,000 assets');
  const visibleRows = () =>
    page
      .locator('tbody tr')
      .evaluateAll((rows) => rows.filter((row) => row.getBoundingClientRect().bottom <= innerHeight).length);
  await expect.poll(visibleRows).toBeGreaterThanOrEqual(20);
  await settled(page);
  const heights = await page
    .locator('tbody tr')
    .evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().height));
  expect(Math.max(...heights)).toBeLessThan(32);
  await person.picture('assets-compact');
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByText('Comfortable').click();
  await page.keyboard.press('Escape');
  await expect.poll(visibleRows).toBeLessThan(20);

  const header = (name: string) => page.getByRole('columnheader', { name });
  await header('Status').waitFor();
  expect(await header('Changed').count()).toBe(0);
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('checkbox', { name: 'Changed' }).check();
  await page.getByRole('checkbox', { name: 'Status' }).uncheck();
  await header('Changed').waitFor();
  await expectAccessible(page);
  await page.reload();
  await header('Changed').waitFor();
  expect(await header('Status').count()).toBe(0);
});

test('changes many at once, and shows which failed and why', async () => {
  await using person = await world.person({ organization });
  const { page } = person;
  await page.goto('/assets?q=forklift&limit=25');
  await shows(page, '100 assets');
  await page.getByRole('checkbox', { name: 'Choose all on this page' }).check();
  // The bar for the selection takes a line of its own once it has been loaded.
  await page.getByText('25 assets selected').waitFor();
  await page.getByRole('button', { name: 'Next page' }).click();
  await page.getByText('26 to 50 of 100 assets').waitFor();
  await page.locator('tbody').getByText('Forklift 5207', { exact: true }).waitFor();
  await page.getByRole('checkbox', { name: 'Choose this row' }).nth(1).check();
  await page.getByText('26 assets selected').waitFor();
  await page.getByRole('button', { name: 'Deactivate' }).click();
  await page.getByText('26 assets deactivated.').waitFor();

  await page.getByRole('checkbox', { name: 'Choose all on this page' }).check();
  const gone = await world.db.asset.findFirstOrThrow({ where: { orgId: organization.orgId, name: 'Forklift 6007' } });
  await organization.deleteAsset(gone.id);
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  const report = page.getByRole('alert').filter({ hasText: '1 asset could not be deleted' });
  await report.getByText('24 assets deleted.').waitFor();
  await report.getByText('Forklift 6007 (T-006007): Asset not found').waitFor();
  await expectAccessible(page);
  await report.getByRole('button', { name: 'Try again' }).click();
  await report.getByText('Forklift 6007 (T-006007): Asset not found').waitFor();
  await shows(page, '75 assets');
  const { orgId } = organization;
  const live = () => world.db.asset.count({ where: { orgId, name: { startsWith: 'Forklift' }, deletedAt: null } });
  expect(await live()).toBe(75);

  await page.getByRole('button', { name: 'Clear selection' }).click();
  const selection = page.getByRole('region', { name: 'Selected assets' });
  await selection.waitFor({ state: 'detached' });
  const first = page.getByRole('checkbox', { name: 'Choose this row' }).first();
  await settled(page);
  await first.scrollIntoViewIfNeeded();
  const place = await first.boundingBox();
  await first.check();
  await selection.waitFor();
  // Otherwise the next click would be on another row.
  expect(await first.boundingBox()).toEqual(place);
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByRole('status').filter({ hasText: '1 asset deleted.' }).getByRole('button', { name: 'Undo' }).click();
  await page.getByText('1 change undone').waitFor();
  await shows(page, '75 assets');
});

test('fits a phone, and an empty list says what to do first', async () => {
  await using person = await world.person({ organization, phone: true });
  await person.page.goto('/assets');
  await person.page.getByText('Pallet 1', { exact: true }).waitFor();
  await expectFits(person.page);
  await person.picture('assets-phone');

  await using newcomer = await world.person();
  await newcomer.page.goto('/assets');
  await newcomer.page.getByRole('link', { name: 'Create your first asset' }).waitFor();
  await expectAccessible(newcomer.page);
  await newcomer.page.getByRole('link', { name: 'Create your first asset' }).click();
  await newcomer.page.getByRole('heading', { name: 'New asset' }).waitFor();
  expect(new URL(newcomer.page.url()).pathname).toBe('/assets/new');
});
