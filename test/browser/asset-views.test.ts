import { expect, test } from 'vitest';
import { expectAccessible } from './support/accessible.js';
import { shows } from './support/shows.js';
import { fileWorld } from '../support/shared.js';
import { createBrowserWorld } from './support/world.js';

const world = fileWorld(createBrowserWorld);

test('narrows by reader, tag type and custom details, and keeps it as a view', async () => {
  const own = await world.organization();
  const reader = await own.reader({ name: 'Gate <b>1</b>' });
  for (const [key, owner] of [
    ['A-1', 'Hall 1'],
    ['A-2', 'Hall 2'],
    ['A-3', 'Hall 2'],
  ] as const) {
    await own.admin.assets.create({ name: `Thing ${key}`, external_key: key, metadata: { owner, 'serial no': key } });
  }
  const tagged = await own.asset({ tags: [['ble', 'C0:01:02:03:04:05']] });
  await world.db.assetPosition.create({
    data: {
      orgId: own.orgId,
      assetId: tagged,
      readerId: reader.id,
      assetLastSeen: new Date(),
      locatedSince: new Date(),
    },
  });
  await using person = await world.person({ organization: own, role: 'manager' });
  const { page } = person;
  await page.goto('/assets');
  await shows(page, '4 assets');
  await page.getByRole('button', { name: 'More filters' }).click();
  const filters = page.getByRole('dialog', { name: 'More filters' });
  await filters.getByLabel('Tag type').selectOption('BLE');
  await shows(page, '1 asset');
  await filters.getByRole('textbox', { name: 'Last seen by' }).click();
  await page.getByRole('option', { name: 'Gate <b>1</b>' }).click();
  await page.getByText('Last seen by Gate <b>1</b>').waitFor();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await shows(page, '4 assets');

  await page.getByRole('button', { name: 'More filters' }).click();
  await filters.getByPlaceholder('Choose a field').click();
  await filters.getByRole('option', { name: 'owner' }).click();
  await filters.getByRole('combobox', { name: 'Value' }).fill('Hall');
  await filters.getByRole('option', { name: 'Hall 2' }).click();
  await filters.getByRole('button', { name: 'Add filter' }).click();
  await shows(page, '2 assets');
  await page.keyboard.press('Escape');
  await filters.waitFor({ state: 'hidden' });
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('checkbox', { name: 'serial no' }).check();
  await page.keyboard.press('Escape');
  await page.getByRole('columnheader', { name: 'serial no' }).waitFor();
  await page.locator('tbody').getByText('A-3', { exact: true }).nth(1).waitFor();

  await page.getByRole('button', { name: 'Views' }).click();
  await page.getByRole('menuitem', { name: 'Save this view…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Save view' });
  await dialog.getByLabel('Name').fill('Hall 2 <i>');
  await dialog.getByLabel('Share with everyone in the organization').check();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Save view' }).click();
  await page.getByRole('button', { name: 'Hall 2 <i>' }).waitFor();

  await using colleague = await world.person({ organization: own, role: 'viewer' });
  const { page: other } = colleague;
  await other.goto('/assets');
  await shows(other, '4 assets');
  await other.getByRole('button', { name: 'Views' }).click();
  await other.getByRole('menuitem', { name: 'Hall 2 <i>' }).click();
  await shows(other, '2 assets');
  await other.getByRole('columnheader', { name: 'serial no' }).waitFor();
  expect(await other.getByRole('menuitem', { name: 'Delete view' }).count()).toBe(0);
  const file = await colleague.download(() => other.getByRole('button', { name: 'Export', exact: true }).click());
  expect(file.bytes.toString()).toMatch(/,location,location_external_key,last_seen_at\r\nA-2,/);

  const { data: views } = await own.admin.savedViews.list();
  expect(views).toMatchObject([{ name: 'Hall 2 <i>', is_shared: true }]);
  await page.getByRole('button', { name: 'Hall 2 <i>' }).click();
  await page.getByRole('menuitem', { name: 'Delete view' }).click();
  await page.getByRole('alert').filter({ hasText: 'Hall 2 <i>' }).getByRole('button', { name: 'Undo' }).click();
  await page.getByText('View Hall 2 <i> restored').waitFor();
  expect((await own.admin.savedViews.list()).data).toEqual(views);
});
