import { expect, test } from 'vitest';
import { expectAccessible } from './support/accessible.js';
import { hasFocus } from './support/has-focus.js';
import { fileWorld } from '../support/shared.js';
import { createBrowserWorld } from './support/world.js';

const world = fileWorld(createBrowserWorld);

test('what must not happen in a page does not go unnoticed', async () => {
  const visitor = await world.visitor();
  await visitor.page.goto('/');
  const uncaught = visitor.page.waitForEvent('pageerror');
  await visitor.page.evaluate(() => {
    const style = document.createElement('style');
    style.textContent = 'h1 { color: red }';
    document.head.append(style);
    // oxlint-disable-next-line no-console
    console.error('something is wrong');
    setTimeout(() => {
      throw new Error('nobody catches this');
    });
    return fetch('https://example.com/').catch(() => {});
  });
  await uncaught;
  const failure = await visitor[Symbol.asyncDispose]().then(
    () => 'nothing',
    (error: unknown) => String(error),
  );
  expect(failure).toContain('style-src');
  expect(failure).toContain('something is wrong');
  expect(failure).toContain('nobody catches this');
  expect(failure).toContain('https://example.com/');
});

test('the keyboard alone opens pages, walks through a list, creates, and can be left to speech input', async () => {
  const organization = await world.organization();
  for (const name of ['Cart', 'Drill', 'Pump']) await organization.asset({ name, externalKey: name });
  await using person = await world.person({ organization, role: 'manager' });
  const { page } = person;
  await page.goto('/');
  const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await heading('Home');
  // Shortcuts are loaded after the page. Keys that follow each other faster than this are taken for a scan.
  await expect
    .poll(
      async () => {
        await page.keyboard.press('?');
        return help.isVisible();
      },
      { interval: 500 },
    )
    .toBe(true);
  await help.getByRole('row', { name: 'g a Assets' }).waitFor();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await help.waitFor({ state: 'detached' });

  const open = async (letter: string) => {
    // A scanner is faster, and what it types is no shortcut.
    for (const key of ['g', letter]) await page.keyboard.press(key, { delay: 120 });
  };
  await open('a');
  await heading('Assets');
  await page.getByRole('link', { name: 'Cart' }).waitFor();
  for (const [key, name] of [
    ['j', 'Cart'],
    ['j', 'Drill'],
    ['j', 'Pump'],
    ['k', 'Drill'],
  ] as const) {
    await page.keyboard.press(key);
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe(name);
  }
  await page.keyboard.press('Enter');
  await heading('Drill');
  await open('l');
  await heading('Locations');
  await page.getByRole('button', { name: 'New location' }).first().waitFor();
  await page.keyboard.press('n');
  const dialog = page.getByRole('dialog', { name: 'New location' });
  const name = dialog.getByRole('textbox', { name: 'Name' });
  await hasFocus(name);
  await page.keyboard.type('Hall');
  expect(await name.inputValue()).toBe('Hall');
  await page.keyboard.press('Enter');
  await page.getByText('Hall', { exact: true }).first().waitFor();

  const shortcuts = () =>
    page
      .getByRole('button', { name: /^Search/ })
      .first()
      .getAttribute('aria-keyshortcuts');
  expect(await shortcuts()).toBe('/ Control+K');
  await page.getByRole('button', { name: 'Account menu' }).click();
  await page.getByRole('menuitem', { name: 'Keyboard shortcuts' }).click();
  await help.getByRole('switch', { name: 'Shortcuts without Ctrl' }).uncheck();
  await page.keyboard.press('Escape');
  expect(await shortcuts()).toBe('Control+K');
});
