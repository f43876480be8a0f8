import { expect, test } from 'vitest';
import { fileWorld } from '../support/shared.js';
import { createBrowserWorld } from './support/world.js';

const world = fileWorld(createBrowserWorld);

test('the first wrong field of a form gets the focus, whether the form or the service refuses it', async () => {
  const organization = await world.organization();
  await organization.asset({ name: 'Cart', externalKey: 'CART-1' });
  await using person = await world.person({ organization });
  const { page } = person;
  person.problems.allow(/status of (?:400|409)/);
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-invalid'));
  await page.goto('/assets/new');
  const name = page.getByRole('textbox', { name: 'Name', exact: true });
  const save = page.getByRole('button', { name: 'Create asset' });
  await save.click();
  await expect.poll(focused).toBe('true');
  await expect.poll(() => name.evaluate((field) => field === document.activeElement)).toBe(true);
  // The same error again.
  await save.click();
  await expect.poll(() => name.evaluate((field) => field === document.activeElement)).toBe(true);
  await name.fill('Cart');
  const key = page.getByLabel('Key', { exact: true });
  await key.fill('CART-1');
  await save.click();
  await page.getByText('This key is already in use').waitFor();
  await expect.poll(() => key.evaluate((field) => field === document.activeElement)).toBe(true);
});
