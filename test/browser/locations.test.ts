import { expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { expectAccessible, expectFits } from './support/accessible.js';
import { hasFocus } from './support/has-focus.js';
import { fileWorld } from '../support/shared.js';
import { createBrowserWorld, type Person } from './support/world.js';

const world = fileWorld(createBrowserWorld);

/** A site with two halls; ids by name. */
async function createTree({ organization }: Person): Promise<Record<'site' | 'hall1' | 'hall2' | 'rack4', number>> {
  const make = async (name: string, parent_id?: number) =>
    (await organization.admin.locations.create({ name, ...(parent_id === undefined ? {} : { parent_id }) })).data.id;
  const site = await make('Site');
  const [hall1, hall2] = [await make('Hall 1', site), await make('Hall 2', site)];
  return { site, hall1, hall2, rack4: await make('Rack 4', hall2) };
}

function row(page: Page, name: string) {
  return page.locator(`[role="treeitem"][data-name="${name}"]`);
}

async function parentOf(person: Person, id: number): Promise<number | null> {
  return (await person.organization.admin.locations.get({ location_id: id })).data.parent_id;
}

test('a new organization makes its first locations', async () => {
  await using person = await world.person();
  const { page } = person;
  await page.goto('/locations');
  person.problems.allow(/400/);
  await page.getByText('No locations yet').waitFor();
  await page.getByRole('button', { name: 'New location' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('  ');
  await dialog.getByLabel('Key').fill('not a key');
  await dialog.getByRole('button', { name: 'Create location' }).click();
  await dialog.getByText('Use letters, digits and hyphens only').waitFor();
  await dialog.getByLabel('Name').fill('Site <img src=x onerror=alert(1)>');
  await dialog.getByLabel('Key').fill('');
  await dialog.getByRole('button', { name: 'Create location' }).click();
  const site = page.getByRole('treeitem', { name: /^Site <img src=x onerror=alert\(1\)> ?LOC-0001 ?0 assets/ });
  await site.waitFor();

  await site.getByRole('button', { name: /^Actions/ }).click();
  await page.getByRole('menuitem', { name: 'Add sublocation' }).click();
  await dialog.getByLabel('Name').fill('Hall 1');
  await dialog.getByRole('button', { name: 'Create location' }).click();
  await row(page, 'Hall 1').waitFor();
  expect(await row(page, 'Hall 1').getAttribute('aria-level')).toBe('2');
  await expectFits(page);
  await person.picture('locations-first');
});

test('the tree is opened, searched and walked by keyboard', async () => {
  await using person = await world.person();
  const { page } = person;
  const { rack4 } = await createTree(person);
  const asset = await person.organization.asset();
  await page.goto('/locations');
  const site = row(page, 'Site');
  await site.focus();
  // Small trees are expanded; a person who collapses a part finds it collapsed.
  await row(page, 'Rack 4').waitFor();
  await page.keyboard.press('ArrowLeft');
  await row(page, 'Hall 2').waitFor({ state: 'detached' });
  await page.reload();
  await site.waitFor();
  await expect.poll(() => page.getByRole('treeitem').count()).toBe(1);
  await site.focus();
  await page.keyboard.press('ArrowRight');
  await row(page, 'Rack 4').waitFor();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('End');
  await hasFocus(row(page, 'Rack 4'));
  await page.keyboard.press('ArrowLeft');
  await hasFocus(row(page, 'Hall 2'));
  await page.keyboard.press('ArrowLeft');
  await row(page, 'Rack 4').waitFor({ state: 'detached' });
  await page.keyboard.press('ArrowRight');
  await row(page, 'Rack 4').waitFor();
  await page.keyboard.press('r');
  await hasFocus(row(page, 'Rack 4'));
  await page.keyboard.press('ArrowLeft');
  await hasFocus(row(page, 'Hall 2'));
  await page.keyboard.press('ArrowLeft');
  await row(page, 'Rack 4').waitFor({ state: 'detached' });
  await page.keyboard.press('Home');
  await hasFocus(site);

  await page.getByLabel('Find a location').fill('hall 2 rack');
  await page.getByRole('button', { name: /Rack 4.*Site › Hall 2 › Rack 4/ }).click();
  await row(page, 'Rack 4').waitFor();
  await expectAccessible(page);
  await person.picture('locations-tree');

  // What is seen there is counted at once, above it too.
  await person.organization.admin.scans.submit({
    submission_id: '01J00000000000000000000001',
    location_id: rack4,
    reads: [{ asset_id: asset }],
  });
  await page.getByRole('treeitem', { name: /^Rack 4.*1 asset/ }).waitFor();
  await page.getByRole('treeitem', { name: /^Site.*1 \(0 directly\)/ }).waitFor();
  await row(page, 'Rack 4').focus();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Rack 4' }).waitFor();
});

test('locations are moved by dragging and by keyboard, and a cycle is rejected in words', async () => {
  await using person = await world.person();
  const { page } = person;
  const { site, hall1, hall2, rack4 } = await createTree(person);
  await page.goto(`/locations?show=${rack4}`);
  await row(page, 'Rack 4').waitFor();

  await row(page, 'Rack 4').dragTo(row(page, 'Hall 1'));
  await page.locator('[data-branch="Hall 1"] [data-name="Rack 4"]').waitFor();
  await expect.poll(() => parentOf(person, rack4)).toBe(hall1);

  // Into what is below itself: nothing moves, and the service says why.
  person.problems.allow(/409/);
  await row(page, 'Site').dragTo(row(page, 'Hall 1'));
  await page.getByRole('alert').filter({ hasText: 'Site can’t be moved into its own sublocation' }).waitFor();
  expect(await parentOf(person, site)).toBe(null);
  expect(await row(page, 'Hall 1').getAttribute('aria-level')).toBe('2');
  await person.picture('locations-cycle');
  await page.getByRole('alert').getByRole('button', { name: 'Close' }).click();

  await row(page, 'Rack 4').focus();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Move to…' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Move Rack 4' });
  await dialog.getByLabel('Into').fill('hall 2');
  // The choices for what was typed, not those for nothing.
  await page
    .locator('[role="listbox"][aria-busy="false"]')
    .getByRole('option', { name: /Hall 2/ })
    .waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await dialog.getByRole('button', { name: 'Move', exact: true }).press('Enter');
  await page.locator('[data-branch="Hall 2"] [data-name="Rack 4"]').waitFor();
  await expect.poll(() => parentOf(person, rack4)).toBe(hall2);
});

test('what blocks a deletion is shown, and an empty location is deleted at once, with an undo', async () => {
  await using person = await world.person();
  const { page, organization } = person;
  const { hall1, rack4 } = await createTree(person);
  const asset = await organization.asset();
  await organization.admin.scans.submit({
    submission_id: '01J00000000000000000000002',
    location_id: rack4,
    reads: [{ asset_id: asset }],
  });
  await page.goto(`/locations?show=${rack4}`);
  const remove = async (name: string) => {
    await row(page, name)
      .getByRole('button', { name: `Actions for ${name}` })
      .click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    return page.getByRole('dialog', { name: `Not deleted: ${name}` });
  };
  await row(page, 'Rack 4').waitFor();
  person.problems.allow(/status of 409/);
  let dialog = await remove('Hall 2');
  await dialog.getByText('1 location').waitFor();
  await dialog.getByRole('link', { name: 'Rack 4' }).waitFor();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Close', exact: true }).last().click();
  dialog = await remove('Rack 4');
  await dialog.getByText('1 asset').waitFor();
  await dialog.getByRole('link', { name: 'A thing' }).waitFor();
  await dialog.getByRole('button', { name: 'Close', exact: true }).last().click();
  await remove('Hall 1');
  await row(page, 'Hall 1').waitFor({ state: 'detached' });
  expect(await page.getByRole('dialog').count()).toBe(0);
  await expect(organization.admin.locations.get({ location_id: hall1 })).rejects.toThrow('Location not found');
  await page.getByText('Hall 1 deleted', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await row(page, 'Hall 1').waitFor();
  expect((await organization.admin.locations.get({ location_id: hall1 })).data.name).toBe('Hall 1');
});

test('a location is renamed from its row, but not by a viewer, and a missing one has a page that says so', async () => {
  await using person = await world.person({ role: 'manager' });
  const { page } = person;
  const { hall1 } = await createTree(person);
  await page.goto(`/locations?show=${hall1}`);
  await row(page, 'Hall 1').getByRole('button', { name: 'Actions for Hall 1' }).click();
  await page.getByRole('menuitem', { name: 'Rename' }).click();
  const dialog = page.getByRole('dialog', { name: 'Rename Hall 1' });
  await dialog.getByLabel('Name').fill('Workshop');
  await dialog.getByRole('button', { name: 'Rename' }).click();
  await row(page, 'Workshop').waitFor();
  await world.db.membership.updateMany({ where: { userId: person.userId }, data: { role: 'viewer' } });
  await page.reload();
  await row(page, 'Workshop').waitFor();
  expect(await page.getByRole('button', { name: /New location|Actions/ }).count()).toBe(0);
  expect(await row(page, 'Workshop').getAttribute('draggable')).toBe('false');
  expect((await person.organization.admin.locations.get({ location_id: hall1 })).data.name).toBe('Workshop');

  person.problems.allow(/404|400/);
  for (const path of ['/locations/999999', '/locations/999999/audit', '/locations/nothing']) {
    await page.goto(path);
    await page.getByRole('heading', { level: 1, name: 'Location not found' }).waitFor();
    await page.getByRole('link', { name: 'All locations' }).waitFor();
  }
  await expectAccessible(page);
});

test('unknown parameters of an address are dropped with a notice, and one without a page is shown as such', async () => {
  await using person = await world.person({ role: 'viewer' });
  const { page } = person;
  await page.goto('/assets?is_active=perhaps&q=pump&color=red');
  await page.getByText('Some filters were ignored').waitFor();
  await page.getByText(/is_active, color/).waitFor();
  await expect.poll(() => new URL(page.url()).search).toBe('?q=pump');
  await page.goto('/reports?report=flow&from=soon');
  await page.getByText(/doesn’t know: from/).waitFor();
  await expect.poll(() => new URL(page.url()).search).toBe('?report=flow');

  // Within the navigation.
  await page.goto('/shelves/7');
  await page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor();
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Assets' }).waitFor();
  await expectAccessible(page);
  await expectFits(page);
  await page.getByRole('link', { name: 'Go to Home' }).click();
  await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
});

test('addresses that name defaults have no unknown parameters', async () => {
  await using person = await world.person();
  const { page, organization } = person;
  const id = await organization.location();
  for (const address of [
    '/alerts?status=open',
    '/assets?q=&sort=external_key&limit=50&offset=0',
    '/readers?q=&offset=0',
    '/unknown-tags?offset=0',
    `/locations/${id}?sublocations=true&offset=0`,
    '/labels?kind=assets',
    '/reports?report=dwell&offset=0',
    '/audits?offset=0',
    '/import?kind=assets',
  ]) {
    await page.goto(address);
    // A page is rendered after the notice.
    await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor();
    expect(await page.getByText('Some filters were ignored').count(), address).toBe(0);
  }
});
