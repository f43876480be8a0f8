import type { Locator } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectAccessible, expectFits, settled } from './support/accessible.js';
import { fileWorld } from '../support/shared.js';
import { createBrowserWorld } from './support/world.js';

const world = fileWorld(createBrowserWorld);

test('a person chooses their time zone and formats, and sees times so on every page', async () => {
  const organization = await world.organization();
  const reader = await organization.reader({ name: 'Gate' });
  const at = new Date('2026-01-15T23:30:05.000Z');
  await world.db.reader.update({ where: { id: reader.id }, data: { lastMessageAt: at } });
  await using person = await world.person({ organization });
  const { page } = person;
  const shown = async () => {
    await page.goto('/readers');
    return page.getByRole('row', { name: /Gate/ }).locator('time').first().getAttribute('title');
  };
  expect(await shown()).toContain('16 January 2026 at 00:30:05');

  await page.goto('/account');
  const section = page.getByRole('region', { name: 'Language and formats' });
  await section.getByLabel('Time zone').and(page.locator('input')).fill('New_York');
  await page.getByRole('option', { name: 'America/New_York' }).click();
  await section.getByLabel('Language of formats').selectOption('de-DE');
  await section.getByLabel('Time format').selectOption('24-hour (14:30)');
  await section.getByText(/12\.345,6/).waitFor();
  await expectAccessible(page);
  await expectFits(page);
  await section.getByRole('button', { name: 'Save language and formats' }).click();
  await page.getByText('Language and formats saved').waitFor();

  await expect.poll(shown).toContain('15. Januar 2026 um 18:30:05');
  await person.picture('account');
});

test('nothing on the page moves when the stored formats arrive', async () => {
  await using person = await world.person();
  const { page } = person;
  let letArrive = () => {};
  const arrival = new Promise<void>((resolve) => {
    letArrive = resolve;
  });
  await page.route(/session\.preferences/, async (route) => {
    await arrival;
    await route.continue();
  });
  await page.goto('/account');
  const button = page.getByRole('button', { name: 'Sign out everywhere' });
  await button.waitFor();
  await settled(page);
  const before = await button.boundingBox();
  const placeholder = page.getByRole('region', { name: 'Language and formats' }).locator('[inert]');
  expect(await placeholder.count()).toBe(1);
  letArrive();
  await placeholder.waitFor({ state: 'detached' });
  expect(await button.boundingBox()).toEqual(before);
});

test('the page that is open is marked in the navigation, in light and dark colors', async () => {
  await using person = await world.person({ role: 'viewer' });
  const { page } = person;
  await page.goto('/assets');
  const here = page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Assets' });
  await here.waitFor();
  const other = page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Locations' });
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.waitForSelector(`html[data-mantine-color-scheme="${colorScheme}"]`);
    const [marked, plain] = await Promise.all([here, other].map((link) => luminanceOf(link)));
    expect(Math.abs((marked ?? 0) - (plain ?? 0)), colorScheme).toBeGreaterThan(0.02);
  }
});

/** How bright the background of an element is, from 0 to 1; that of what lies behind it where it has none. */
async function luminanceOf(link: Locator): Promise<number> {
  return link.evaluate((element) => {
    for (let one: Element | null = element; one; one = one.parentElement) {
      const [red = 0, green = 0, blue = 0, alpha = 1] =
        getComputedStyle(one)
          .backgroundColor.match(/[\d.]+/g)
          ?.map(Number) ?? [];
      if (alpha > 0) return (0.2126 * red + 0.7152 * green + 0.0722 * blue) / 255;
    }
    return 1;
  });
}
