import { expect, test } from 'vitest';
import { expectAccessible, expectFits } from './support/accessible.js';
import { shows } from './support/shows.js';
import { fileWorld } from '../support/shared.js';
import { createBrowserWorld } from './support/world.js';

const world = fileWorld(createBrowserWorld);

test('edits many at once after a preview, and undoes it on the page of all changes', async () => {
  const own = await world.organization();
  for (let n = 1; n <= 3; n += 1) {
    await own.admin.assets.create({ name: `Thing ${n}`, external_key: `A-${n}`, metadata: { owner: `Hall ${n}` } });
  }
  await using person = await world.person({ organization: own, role: 'manager' });
  const { page } = person;
  await page.goto('/assets');
  await shows(page, '3 assets');
  await page.getByRole('checkbox', { name: 'Choose all on this page' }).check();
  const bar = page.getByRole('region', { name: 'Selected assets' });
  await bar.getByRole('button', { name: 'Edit' }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit 3 assets' });
  await dialog.getByLabel('Description', { exact: true }).selectOption('Set to');
  await dialog.getByLabel('New description').fill('On loan');
  await dialog.getByRole('button', { name: 'Add field' }).click();
  await dialog.getByLabel('Name of field 1').fill('owner');
  await dialog.getByLabel('Value of field 1').fill('Hall 2');
  // What was typed outlasts a slip of the hand.
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Keep editing' }).click();
  await dialog.getByRole('button', { name: 'Preview' }).click();
  await dialog.getByText('3 assets will change.').waitFor();
  expect(await dialog.getByRole('row', { name: /Thing 1/ }).innerText()).toMatch(/Hall 1[\s\S]*On loan[\s\S]*Hall 2/);
  await expectAccessible(page);
  await expectFits(page);
  await person.picture('bulk-preview');
  await dialog.getByRole('button', { name: 'Change 3 assets' }).click();
  await page.getByText('3 assets changed.').waitFor();
  const details = async () =>
    (await own.admin.assets.list({ sort: 'name' })).data.map(({ description, metadata }) => [
      description,
      metadata['owner'],
    ]);
  expect(await details()).toEqual([1, 2, 3].map(() => ['On loan', 'Hall 2']));

  // Later, it is one line among the changes of the organization. Somebody has changed one of its fields again meanwhile.
  const { data } = await own.admin.assets.list({ sort: 'name' });
  await own.admin.assets.update({ asset_id: data[2]?.id ?? 0, description: 'Lost' });
  await page.goto('/activity');
  const line = page.getByRole('row', { name: /3 assets.*Changed/ });
  await line.getByText('Description, Custom details').waitFor();
  expect(await page.getByRole('row', { name: /Thing [12].*Changed/ }).count()).toBe(0);
  await expectAccessible(page);
  await expectFits(page);
  await person.picture('activity-batch');
  await line.getByRole('button', { name: 'Undo' }).press('Enter');
  const question = page.getByRole('dialog', { name: '1 change not undone' });
  await question.getByText('changed again since then (Description)').waitFor();
  expect(await details()).toEqual([
    [null, 'Hall 1'],
    [null, 'Hall 2'],
    ['Lost', 'Hall 2'],
  ]);
  await expectAccessible(page);
  await question.getByRole('button', { name: 'Undo anyway' }).press('Enter');
  await page.getByText('1 change undone').waitFor();
  await question.waitFor({ state: 'hidden' });
  expect(await details()).toEqual([1, 2, 3].map((n) => [null, `Hall ${n}`]));
  await page.getByRole('row', { name: /3 assets.*Changed, undone/ }).waitFor();
  // The undo of two of them is a line, and can be undone.
  const undone = page.getByRole('row', { name: /2 changes.*Changes undone/ });
  await undone.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('2 changes undone').waitFor();
  expect(await details()).toEqual([
    ['On loan', 'Hall 2'],
    ['On loan', 'Hall 2'],
    [null, 'Hall 3'],
  ]);
});

test('sets the location of many at once, and sorts by it and by custom details', async () => {
  const own = await world.organization();
  for (const [name, owner] of [
    ['Cart', '10'],
    ['Drill', '9'],
    ['Pump', undefined],
  ] as const) {
    await own.admin.assets.create({ name, external_key: name, ...(owner && { metadata: { owner } }) });
  }
  await own.location({ name: 'Store 2' });
  await using person = await world.person({ organization: own, role: 'operator' });
  const { page } = person;
  await page.goto('/assets?sort=-name');
  await shows(page, '3 assets');
  for (const name of ['Drill', 'Pump']) {
    await page.getByRole('row').filter({ hasText: name }).getByRole('checkbox').check();
  }
  await page.getByRole('region', { name: 'Selected assets' }).getByRole('button', { name: 'Set location' }).click();
  const dialog = page.getByRole('dialog', { name: 'Where are they now?' });
  await dialog.getByText('2 assets will be recorded at this location.').waitFor();
  await dialog.getByRole('textbox', { name: 'Choose a location' }).fill('store');
  await page.getByRole('option', { name: /Store 2/ }).click();
  await page.getByText('2 assets placed at Store 2').waitFor();
  const names = () =>
    page
      .getByRole('row')
      .getByRole('link', { name: /^(?:Cart|Drill|Pump)$/ })
      .allInnerTexts();
  await page.getByRole('button', { name: 'Location', exact: true }).click();
  await expect.poll(names).toEqual(['Drill', 'Pump', 'Cart']);
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('checkbox', { name: 'owner' }).check();
  await page.keyboard.press('Escape');
  await page.getByRole('columnheader', { name: 'owner' }).getByRole('button').click();
  await expect.poll(names).toEqual(['Drill', 'Cart', 'Pump']);
  await page.getByRole('columnheader', { name: 'owner' }).getByRole('button').click();
  await expect.poll(names).toEqual(['Cart', 'Drill', 'Pump']);
  await page.reload();
  await expect.poll(names).toEqual(['Cart', 'Drill', 'Pump']);
});
