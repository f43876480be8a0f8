import { expect, test } from 'vitest';
import { expectAccessible, expectFits } from './support/accessible.js';
import { fileWorld } from '../support/shared.js';
import { createBrowserWorld } from './support/world.js';

const world = fileWorld(createBrowserWorld);

test.each([
  { width: 390, height: 844 },
  { width: 1440, height: 900 },
])('an administrator finds the settings of the organization on one page, $width pixels wide', async (viewport) => {
  await using person = await world.person({ browser: { viewport } });
  const { page, organization } = person;
  for (let n = 1; n <= 40; n += 1) {
    await organization.admin.apiKeys.create({ name: `System ${n}`, scopes: ['assets:read'], expires_at: null });
  }
  await page.goto('/');
  await page.getByRole('button', { name: 'Account menu' }).click();
  await page.getByRole('menuitem', { name: 'Settings' }).click();
  await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
  const name = page.getByRole('region', { name: 'Organization' });
  await name.getByLabel('Name').fill('Acme & Sons');
  await name.getByRole('button', { name: 'Rename organization' }).click();
  await page.getByText('Organization renamed').waitFor();
  expect(await world.db.organization.findUnique({ where: { id: organization.orgId } })).toMatchObject({
    name: 'Acme & Sons',
  });
  await expectAccessible(page);
  await expectFits(page, viewport.width);
  await person.picture(`settings-${viewport.width}`);

  // Each section has an address, within the page and from elsewhere.
  await page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'API keys' }).press('Enter');
  await page.waitForURL(`${world.url}/settings#api-keys`);
  const topOf = (section: string) =>
    page.getByRole('region', { name: section }).evaluate((element) => element.getBoundingClientRect().top);
  const isAtTop = (top: number) => top >= 0 && top < 100;
  await expect.poll(async () => isAtTop(await topOf('API keys'))).toBe(true);
  await page.goto('/account');
  await page.goto('/settings#kinds');
  await page.waitForURL(`${world.url}/settings#kinds`);
  await expect.poll(async () => isAtTop(await topOf('Kinds of assets'))).toBe(true);
  await page.getByRole('button', { name: 'New kind' }).click();
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Escape');
});

test('a manager has the kinds of assets there, and nothing that administrators decide', async () => {
  await using person = await world.person({ role: 'manager' });
  const { page } = person;
  await page.goto('/settings');
  await page.getByRole('region', { name: 'Kinds of assets' }).waitFor();
  expect(await page.getByRole('main').getByRole('region').count()).toBe(1);
  await page.getByRole('button', { name: 'Account menu' }).click();
  await page.getByRole('menuitem', { name: 'Settings' }).waitFor();
  expect(await page.getByRole('menuitem', { name: 'Members' }).count()).toBe(0);
});
