import { expect, test } from 'vitest';
import { expectAccessible, expectFits } from './support/accessible.js';
import { fileWorld } from '../support/shared.js';
import { createBrowserWorld } from './support/world.js';

const world = fileWorld(createBrowserWorld);

test('Help opens the documentation, where a search finds a section by keyboard alone', async () => {
  await using person = await world.person({ role: 'viewer' });
  const { page } = person;
  await page.goto('/');
  await page.getByRole('button', { name: 'Account menu' }).click();
  await page.getByRole('menuitem', { name: 'Help' }).click();
  await page.getByRole('heading', { level: 1, name: 'Whereabouts documentation' }).waitFor();
  await page.locator('html.scripted').waitFor();
  await page.keyboard.press('/');
  await page.keyboard.type('quiet time');
  await page.locator('search ol a').first().waitFor();
  await expectAccessible(page);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect.poll(() => new URL(page.url()).pathname).toBe('/docs/alerts');
});

test('a page fits on a phone, and its contents can be opened there', async () => {
  await using visitor = await world.visitor({ phone: true });
  const { page } = visitor;
  await page.goto('/docs/contract');
  await page.getByRole('heading', { level: 1 }).waitFor();
  await expectFits(page);
  await page.getByText('Contents', { exact: true }).click();
  await page.getByRole('link', { name: 'Webhooks' }).first().click();
  await page.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor();
  await expectFits(page);
  await expectAccessible(page);
});

test('an open page follows the color scheme of the system, unless one is chosen in the app', async () => {
  await using visitor = await world.visitor();
  const { page } = visitor;
  await page.emulateMedia({ colorScheme: 'light' });
  await page.goto('/docs/contract');
  await page.locator('html[data-mantine-color-scheme="light"].scripted').waitFor();
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.locator('html[data-mantine-color-scheme="dark"]').waitFor();
  await page.evaluate(() => localStorage.setItem('mantine-color-scheme-value', 'light'));
  await page.reload();
  await page.locator('html[data-mantine-color-scheme="light"].scripted').waitFor();
});
