import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { fileWorld } from '../support/shared.js';
import { createBrowserWorld } from './support/world.js';

const world = fileWorld(createBrowserWorld);

/**
 * Translates the page as Chromium does: each run of texts is replaced by a `font` element with the translation of all
 * of them, also of texts that are added later. Translations are capital letters here.
 */
async function translate(page: Page): Promise<void> {
  await page.evaluate(() => {
    const isForPeople = (text: Text) =>
      (text.textContent ?? '').trim() !== '' &&
      text.parentElement?.closest('font, script, style, textarea, [translate="no"]') === null;
    const replaceTexts = () => {
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      const runs: Text[][] = [];
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const text = node as Text;
        const last = runs.at(-1);
        if (!isForPeople(text)) continue;
        if (last && text.previousSibling === last.at(-1)) last.push(text);
        else runs.push([text]);
      }
      // As in Chromium. Its type is deprecated, as the element is.
      const element: string = 'font';
      for (const [first, ...others] of runs) {
        const outer = document.createElement(element);
        const inner = document.createElement(element);
        inner.textContent = [first, ...others]
          .map((text) => text?.textContent)
          .join('')
          .toUpperCase();
        outer.append(inner);
        first?.replaceWith(outer);
        for (const other of others) other.remove();
      }
    };
    replaceTexts();
    new MutationObserver(replaceTexts).observe(document.body, { childList: true, subtree: true, characterData: true });
  });
}

test('a page that the browser translates shows what has changed, and leaves names alone', async () => {
  const organization = await world.organization();
  const dock = await organization.location({ name: 'Dock' });
  const hall = await organization.location({ name: 'Hall' });
  for (const [tag, name] of ['Cart', 'Drill', 'Pump'].entries()) {
    await organization.asset({ name, externalKey: name, tags: [['rfid', `E2801190${tag}`]] });
  }
  const reader = await organization.reader({
    antennas: [
      { port: 1, location_id: dock },
      { port: 2, location_id: hall },
    ],
  });
  const read = (antenna: number) => world.publish(reader, JSON.stringify({ reads: [{ value: 'E28011902', antenna }] }));
  await using person = await world.person({ organization });
  const { page } = person;
  await page.goto('/assets');
  await page.getByRole('link', { name: 'Pump' }).waitFor();
  await translate(page);
  await page.getByRole('columnheader', { name: 'LOCATION' }).waitFor();
  expect(await page.getByRole('link', { name: 'Cart' }).innerText()).toBe('Cart');
  for (const [index, text] of ['1 ASSET SELECTED', '2 ASSETS SELECTED', '3 ASSETS SELECTED'].entries()) {
    await page
      .getByRole('row')
      .nth(index + 1)
      .getByRole('checkbox')
      .check();
    await page.getByText(text, { exact: true }).waitFor();
  }
  await page.getByRole('row').nth(1).getByRole('checkbox').uncheck();
  await page.getByText('2 ASSETS SELECTED', { exact: true }).waitFor();
  const row = page.getByRole('row').filter({ hasText: 'Pump' });
  await read(1);
  await row.getByText('Dock').waitFor();
  await page.getByRole('link', { name: 'Pump' }).click();
  await page.getByRole('heading', { level: 1, name: 'Pump' }).waitFor();
  await read(2);
  await page.getByText('Hall').first().waitFor();
  await page.getByRole('link', { name: 'HOME', exact: true }).first().click();
  await page.getByRole('heading', { level: 1, name: 'HOME' }).waitFor();
  expect(await page.getByText('SOMETHING WENT WRONG').count()).toBe(0);
});
