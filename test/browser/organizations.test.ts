import { expect, test } from 'vitest';
import { expectAccessible } from './support/accessible.js';
import { fileWorld } from '../support/shared.js';
import { createBrowserWorld } from './support/world.js';

const world = fileWorld(createBrowserWorld);

async function named(name: string) {
  const organization = await world.organization();
  await world.db.organization.update({ where: { id: organization.orgId }, data: { name } });
  await organization.admin.assets.create({ name: `A crate of ${name}` });
  await organization.admin.locations.create({ name: `The yard of ${name}` });
  return organization;
}

test('two organizations see nothing of each other, and one person switches between them', async () => {
  const [acme, zeta] = [await named('Acme'), await named('Zeta')];
  await using person = await world.person({ organization: acme, role: 'viewer' });
  const { page } = person;
  await page.goto('/assets');
  await page.getByText('A crate of Acme').first().waitFor();
  expect(await page.getByText('Zeta').count()).toBe(0);
  await page.getByRole('button', { name: 'Account menu' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).waitFor();
  expect(await page.getByText('Switch to').count()).toBe(0);
  await page.keyboard.press('Escape');

  await world.db.membership.create({ data: { orgId: zeta.orgId, userId: person.userId, role: 'admin' } });
  await page.reload();
  await page.getByRole('button', { name: 'Account menu' }).click();
  await page.getByText('Switch to').waitFor();
  await expectAccessible(page);
  await person.picture('account-menu');
  await page.getByRole('menuitem', { name: 'Zeta' }).click();
  // There this person is administrator, and finds pages that no viewer has.
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Unknown tags' }).waitFor();
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Assets' }).click();
  await page.getByText('A crate of Zeta').first().waitFor();
  expect(await page.getByText('A crate of Acme').count()).toBe(0);
  await page.reload();
  await page.getByText('A crate of Zeta').first().waitFor();
});
