import type { Page } from 'playwright-core';
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
