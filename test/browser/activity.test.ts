import { expect, test } from 'vitest';
import { expectAccessible, expectFits } from './support/accessible.js';
import { fileWorld } from '../support/shared.js';
import { createBrowserWorld } from './support/world.js';

const world = fileWorld(createBrowserWorld);

test('a person changes an asset, sees the change on its page and in the activity of the organization, and exports it', async () => {
  await using ada = await world.person({ name: 'Ada' });
  const { page } = ada;
  await page.goto('/assets/new');
  await page.getByRole('textbox', { name: 'Name' }).fill('Forklift');
  await page.getByRole('button', { name: 'Create asset' }).click();
  await page.getByRole('heading', { name: 'Forklift', level: 1 }).waitFor();
  const changes = page.getByRole('region', { name: 'Changes' });
  await changes.getByText('Created').waitFor();
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Forklift 7');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { name: 'Forklift 7', level: 1 }).waitFor();
  await changes.getByText('Changed', { exact: true }).waitFor();
  expect(await changes.getByRole('listitem').filter({ hasText: 'Name:' }).first().textContent()).toContain(
    'Forklift 7',
  );
  await changes.getByRole('button', { name: 'Show details of Forklift' }).click();
  await changes.getByText('Valid from:').waitFor();

  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Activity' }).click();
  const changed = page.getByRole('row', { name: /Ada.*Forklift 7.*Changed/ });
  await changed.waitFor();
  await expectAccessible(page);
  await expectFits(page);
  await ada.picture('activity');
  const file = await ada.download(() => page.getByRole('button', { name: 'Export' }).click());
  const lines = file.bytes.toString('utf8').split('\r\n');
  expect(lines[0]).toBe('\uFEFFtime,object,object_id,name,action,changed_by,entry_point,field,before,after');
  expect(lines[1]).toMatch(/,Asset,\d+,Forklift 7,Changed,Ada,Web app,Name,Forklift,Forklift 7$/);

  await page.getByLabel('Entry point').selectOption('API');
  await page.getByText('No changes match').waitFor();
  expect(new URL(page.url()).search).toBe('?entry_point=api');
  await page.getByLabel('Entry point').selectOption('Web app');
  await page.getByRole('combobox', { name: 'Changed by' }).selectOption('Ada');
  await changed.waitFor();
  await changed.getByRole('link', { name: 'Forklift 7' }).click();
  await page.getByRole('heading', { name: 'Forklift 7', level: 1 }).waitFor();

  const undo = changes.getByRole('button', { name: 'Undo' });
  await undo.click();
  await page.getByRole('heading', { name: 'Forklift', level: 1, exact: true }).waitFor();
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Forklift 9');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { name: 'Forklift 9', level: 1 }).waitFor();
  await undo.nth(2).click();
  const question = page.getByRole('dialog', { name: '1 change not undone' });
  await question.getByText('changed again since then (Name)').waitFor();
  await expectAccessible(page);
  await question.getByRole('button', { name: 'Close' }).last().click();

  // A viewer sees the changes of an asset, and not those of the organization.
  await world.db.membership.updateMany({ where: { userId: ada.userId }, data: { role: 'viewer' } });
  await page.reload();
  await changes.getByText('Created').waitFor();
  expect(await undo.count()).toBe(0);
  await page.goto('/activity');
  await page.getByText('Managers only').waitFor();
  expect(await page.getByRole('link', { name: 'Activity' }).count()).toBe(0);
});
