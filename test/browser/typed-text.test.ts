import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { fileWorld } from '../support/shared.js';
import { createBrowserWorld } from './support/world.js';

const world = fileWorld(createBrowserWorld);

/** Types into a field of the present page, and tries to leave it by the menu: once without, and once for good. */
async function expectQuestion(page: Page, label: string): Promise<void> {
  const field = page.locator('main').getByRole('textbox', { name: label }).first();
  await field.fill('E2801190');
  const link = page.getByRole('navigation').getByRole('link', { name: 'Reports' });
  await link.click();
  const question = page.getByRole('dialog', { name: 'Discard your input?' });
  await question.getByRole('button', { name: 'Keep editing' }).click();
  await question.waitFor({ state: 'hidden' });
  expect(await field.inputValue()).toBe('E2801190');
  await link.click();
  await question.getByRole('button', { name: 'Discard' }).click();
  await page.getByRole('heading', { name: 'Reports', level: 1 }).waitFor();
}

test('neither a tag that was typed and not attached nor a first step is lost without a question', async () => {
  await using ada = await world.person({ role: 'admin' });
  const { page, organization } = ada;
  await page.goto(`/assets/${await organization.asset()}`);
  await expectQuestion(page, 'Tag ID');
  await page.goto(`/locations/${await organization.location()}`);
  await expectQuestion(page, 'Tag ID');
  await page.goto('/start');
  await expectQuestion(page, 'Name');
});

test('a location that was chosen in a dialog is not lost without a question', async () => {
  await using ada = await world.person({ role: 'admin' });
  const { page, organization } = ada;
  await organization.location({ name: 'Hall 1' });
  await page.goto('/locations');
  await page.getByRole('button', { name: 'New location' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'New location' });
  const parent = dialog.getByRole('textbox', { name: 'In', exact: true });
  await parent.fill('Hall');
  await page.getByRole('option', { name: /^Hall 1/ }).click();
  await page.keyboard.press('Escape');
  const question = page.getByRole('dialog', { name: 'Discard your input?' });
  await question.getByRole('button', { name: 'Keep editing' }).click();
  await question.waitFor({ state: 'hidden' });
  expect(await parent.inputValue()).toBe('Hall 1');
});

/**
 * Has a letter more typed as soon as a search is in the address, before the page shows that. Resolves, once that is prepared, with a
 * function that returns what the field has until the letter is in the address too.
 */
async function typeMeanwhile(field: Locator, letter: string): Promise<() => Promise<string[]>> {
  const typing = await field.evaluateHandle((element, more) => {
    const input = element as HTMLInputElement;
    const { navigation } = window as unknown as { navigation: EventTarget };
    const typed = new Promise<void>((resolve) => {
      navigation.addEventListener('navigate', function type(event) {
        if (!(event as Event & { destination: { url: string } }).destination.url.includes('?q=')) return;
        navigation.removeEventListener('navigate', type);
        Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, input.value + more);
        input.dispatchEvent(new Event('input', { bubbles: true }));
        resolve();
      });
    });
    const watch = async () => {
      await typed;
      const shown = new Set([input.value]);
      while (!location.search.includes(input.value)) {
        await new Promise(requestAnimationFrame);
        shown.add(input.value);
      }
      return [...shown];
    };
    return { shown: watch() };
  }, letter);
  return () => typing.evaluate(({ shown }) => shown);
}

test('what is typed into a search stays while the address takes over what was typed before', async () => {
  const organization = await world.organization();
  await organization.asset({ name: 'Forklift' });
  await organization.location({ name: 'Hall' });
  await using person = await world.person({ organization, role: 'viewer' });
  const { page } = person;
  await page.goto('/assets');
  const search = page.getByRole('searchbox', { name: 'Search' });
  await search.waitFor();
  const shown = await typeMeanwhile(search, 'k');
  await search.fill('for');
  expect(await shown()).toEqual(['fork']);

  await page.goto('/locations');
  const find = page.getByRole('searchbox', { name: 'Find a location' });
  await find.fill('hall rack');
  await page.waitForURL(/q=hall/);
  await find.press('Home');
  for (let n = 0; n < 5; n += 1) await find.press('ArrowRight');
  await find.pressSequentially('2 ');
  expect(await find.inputValue()).toBe('hall 2 rack');
  await page.waitForURL(/q=hall\+2\+rack|q=hall%202%20rack/);
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Locations' }).click();
  await expect.poll(() => find.inputValue()).toBe('');
});
