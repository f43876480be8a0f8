import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectAccessible, expectFits } from './support/accessible.js';
import { fileWorld } from '../support/shared.js';
import { createBrowserWorld } from './support/world.js';

// Two people change one asset or reader at the same time.

const world = fileWorld(createBrowserWorld);

async function edit(page: Page, id: number): Promise<void> {
  await page.goto(`/assets/${id}`);
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  await page.getByRole('form', { name: 'Edit asset' }).waitFor();
}

const save = (page: Page) => page.getByRole('button', { name: 'Save changes' }).click();

const saved = (page: Page) => page.getByText('Changes saved').waitFor();

test('the second one sees what the first one saved beside what they typed; other changes are taken over without asking', async () => {
  await using ada = await world.person({ role: 'manager' });
  const { organization } = ada;
  await using bob = await world.person({ role: 'manager', organization });
  bob.problems.allow(/400/);
  const { data } = await organization.admin.assets.create({ name: 'Saw', description: 'Blue', metadata: { size: 4 } });
  await edit(ada.page, data.id);
  await edit(bob.page, data.id);

  await ada.page.getByRole('textbox', { name: 'Name', exact: true }).fill('Circular saw');
  await ada.page.getByLabel('Description').fill('Red');
  await ada.page.getByLabel('Active').uncheck({ force: true });
  await save(ada.page);
  await saved(ada.page);

  await bob.page.getByRole('textbox', { name: 'Name', exact: true }).fill('Table saw');
  await bob.page.getByLabel('Description').fill('Green');
  await bob.page.getByLabel('Value of field 1').fill('5');
  // Does nothing if the page has seen the change before.
  await bob.page.getByRole('textbox', { name: 'Name', exact: true }).press('Enter');
  const conflict = bob.page.getByRole('alert').filter({ hasText: 'Someone else changed this asset' });
  await conflict.waitFor();
  const name = conflict.getByRole('group', { name: 'Name' });
  expect(await name.innerText()).toMatch(/Your value\s*Table saw\s*Saved value\s*Circular saw/);
  const description = conflict.getByRole('group', { name: 'Description' });
  expect(await description.innerText()).toMatch(/Your value\s*Green\s*Saved value\s*Red/);
  expect(await conflict.getByRole('group', { name: 'Custom details' }).count()).toBe(0);
  await expectAccessible(bob.page);
  await expectFits(bob.page);
  await bob.picture('edit-conflict');

  await description.getByText('Use theirs').click();
  await conflict.getByRole('button', { name: 'Continue' }).click();
  await conflict.waitFor({ state: 'detached' });
  expect(await bob.page.getByRole('textbox', { name: 'Name', exact: true }).inputValue()).toBe('Table saw');
  expect(await bob.page.getByLabel('Description').inputValue()).toBe('Red');
  expect(await bob.page.getByLabel('Value of field 1').inputValue()).toBe('5');
  await save(bob.page);
  await saved(bob.page);
  expect(await organization.admin.assets.get({ asset_id: data.id })).toMatchObject({
    data: { name: 'Table saw', description: 'Red', is_active: false, metadata: { size: '5' } },
  });

  const { page } = bob;
  await edit(page, data.id);
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Band saw');
  await organization.admin.assets.update({ asset_id: data.id, description: 'From elsewhere' });
  await save(page);
  await page.waitForFunction(() => document.querySelector('textarea')?.value === 'From elsewhere');
  await save(page);
  await saved(page);
  expect(await organization.admin.assets.get({ asset_id: data.id })).toMatchObject({
    data: { name: 'Band saw', description: 'From elsewhere', metadata: { size: '5' } },
  });
});

test('saving the settings of a reader sends those that were changed, and nothing typed is lost without the service', async () => {
  const organization = await world.organization();
  const { id } = await organization.reader({ name: 'Gate' });
  await using bob = await world.person({ role: 'admin', organization });
  const { page } = bob;
  await page.goto(`/readers/${id}`);
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('North gate');
  await organization.admin.readers.update({ id, resolution_seconds: 5 });
  await page.getByRole('button', { name: 'Save settings' }).click();
  await page.getByText('Settings saved').waitFor();
  expect(await organization.admin.readers.get({ id })).toMatchObject({
    name: 'North gate',
    resolution_seconds: 5,
  });

  // Nothing typed is lost while the service cannot be reached.
  bob.problems.allow(/ERR_CONNECTION|Failed to fetch|failed/i);
  const { data } = await organization.admin.assets.create({ name: 'Saw' });
  await edit(page, data.id);
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Jigsaw');
  await world.goAway();
  await save(page);
  await page.getByRole('form').getByText('Can’t reach the server').waitFor();
  expect(await page.getByRole('textbox', { name: 'Name', exact: true }).inputValue()).toBe('Jigsaw');
  await world.comeBack();
  await save(page);
  await saved(page);
  expect(await organization.admin.assets.get({ asset_id: data.id })).toMatchObject({ data: { name: 'Jigsaw' } });
});
