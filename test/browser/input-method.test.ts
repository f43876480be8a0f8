import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { fileWorld } from '../support/shared.js';
import { createBrowserWorld } from './support/world.js';

const world = fileWorld(createBrowserWorld);

/** Ends a conversion with Enter, as Chromium and Firefox report it, and as Safari does. */
async function endConversion(page: Page): Promise<void> {
  await page.evaluate(() => {
    for (const more of [
      { isComposing: true, keyCode: 229 },
      { isComposing: false, keyCode: 229 },
    ]) {
      const event = new KeyboardEvent('keydown', {
        key: 'Enter',
        code: 'Enter',
        bubbles: true,
        cancelable: true,
        ...more,
      });
      document.activeElement?.dispatchEvent(event);
    }
  });
}

test('Enter that ends a conversion chooses nothing, and the next Enter does', async () => {
  const organization = await world.organization();
  await organization.location({ name: '大阪' });
  await organization.asset({ name: '札', externalKey: 'PUMP' });
  await using person = await world.person({ organization });
  const { page } = person;
  await page.goto('/locations');
  const search = page.getByLabel('Find a location');
  await search.fill('大阪');
  await page.getByRole('region', { name: 'Found locations' }).getByText('大阪', { exact: true }).first().waitFor();
  await endConversion(page);
  expect(await search.inputValue()).toBe('大阪');
  await page.keyboard.press('Enter');
  await expect.poll(() => search.inputValue()).toBe('');

  await page.getByRole('button', { name: 'Search', exact: true }).first().click();
  await page.getByLabel('Search assets, locations, tags and readers').fill('札');
  await page.getByRole('option', { name: /札/ }).waitFor();
  await endConversion(page);
  expect(new URL(page.url()).pathname).toBe('/locations');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: '札' }).waitFor();
});
