import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectAccessible, expectFits } from './support/accessible.js';
import { fileWorld } from '../support/shared.js';
import { createBrowserWorld } from './support/world.js';

const world = fileWorld(createBrowserWorld);

async function inviteAs(page: Page, role: string, email?: string): Promise<string> {
  await page.getByRole('button', { name: 'Invite member' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('radio', { name: role }).check();
  if (email) await dialog.getByLabel('Email address (optional)').fill(email);
  await dialog.getByRole('button', { name: 'Create link' }).click();
  const link = await dialog.getByLabel('Invitation link', { exact: true }).textContent();
  await dialog.getByRole('button', { name: 'Done' }).click();
  return link ?? '';
}

async function join(page: Page, link: string, person: { name: string; email?: string }): Promise<void> {
  await page.goto(link);
  await page.getByRole('textbox', { name: 'Your name' }).fill(person.name);
  if (person.email) await page.getByRole('textbox', { name: 'Email address' }).fill(person.email);
  await page.getByRole('textbox', { name: 'Password' }).fill('difference engine');
  await page.getByRole('button', { name: 'Create account and join' }).click();
}

test('a viewer joins by a link, sees what a viewer sees, and is removed', async () => {
  await using admin = await world.person({ name: 'Ada' });
  await admin.page.goto('/settings#members');
  await admin.page.getByRole('row', { name: /Ada/ }).waitFor();
  await expectFits(admin.page);
  const link = await inviteAs(admin.page, 'Viewer');
  expect(link).toMatch(new RegExp(`^${world.url}/join#[\\w-]{43}$`));
  await admin.page.getByRole('heading', { name: 'Open invitations' }).waitFor();
  await expectAccessible(admin.page);
  await admin.picture('members');

  await using ben = await world.visitor();
  const { page } = ben;
  // Calls against the role's rules are rejected, which browsers log.
  ben.problems.allow(/status of (40[134])/);
  await page.goto(link);
  await page.getByRole('button', { name: 'Create account and join' }).waitFor();
  await expectAccessible(page);
  await expectFits(page);
  await ben.picture('join');
  await join(page, link, { name: 'Ben', email: 'ben@example.com' });
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Assets' }).waitFor();

  const pages = page.getByRole('navigation', { name: 'Pages' });
  expect(await pages.getByRole('link').allTextContents()).not.toContain('Scan');
  await page.getByRole('button', { name: 'Account menu' }).click();
  await page.getByRole('menuitem', { name: 'Account' }).waitFor();
  expect(await page.getByRole('menuitem', { name: 'Members' }).count()).toBe(0);
  expect(await page.getByRole('menuitem', { name: 'API keys' }).count()).toBe(0);
  await page.keyboard.press('Escape');
  await page.goto('/settings');
  await page.getByText('Managers only').waitFor();
  for (const path of ['/settings/api-keys/new', '/start']) {
    await page.goto(path);
    await page.getByText('Administrators only').waitFor();
  }
  await expectAccessible(page);

  // The link is used up.
  await using eve = await world.visitor();
  eve.problems.allow(/status of 404/);
  await eve.page.goto(link);
  await eve.page.getByRole('heading', { name: 'This invitation is no longer valid' }).waitFor();
  await expectAccessible(eve.page);

  // A role holds from the next page on, in the session that is open.
  await admin.page.reload();
  await admin.page.getByRole('combobox', { name: 'Role of Ben' }).selectOption('Manager');
  await admin.page.getByText('Ben is now manager').waitFor();
  await page.goto('/assets');
  await page.getByRole('link', { name: 'New asset' }).waitFor();

  await admin.page.getByRole('button', { name: 'Remove Ben' }).click();
  await admin.page.getByRole('button', { name: 'Remove member' }).click();
  await admin.page.getByRole('row', { name: /Ben/ }).waitFor({ state: 'detached' });
  await page.goto('/assets');
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
});

test('an address that was invited is held to, and a link can be taken back', async () => {
  await using admin = await world.person();
  await admin.page.goto('/settings#members');
  const link = await inviteAs(admin.page, 'Operator', 'cleo@example.com');
  await using cleo = await world.visitor();
  await join(cleo.page, link, { name: 'Cleo' });
  await cleo.page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Scan' }).waitFor();
  const membership = await world.db.membership.findFirst({ where: { user: { email: 'cleo@example.com' } } });
  expect(membership).toMatchObject({ role: 'operator', orgId: admin.organization.orgId });

  const other = await inviteAs(admin.page, 'Administrator');
  // The list may have the first invitation still.
  const invitations = admin.page.getByRole('table', { name: 'Open invitations' });
  const row = invitations.getByRole('row', { name: /Administrator/ });
  await row.getByRole('button', { name: /^Revoke invitation/ }).click();
  await admin.page.getByRole('button', { name: 'Revoke invitation', exact: true }).click();
  await admin.page.getByRole('heading', { name: 'Open invitations' }).waitFor({ state: 'detached' });
  await using eve = await world.visitor();
  eve.problems.allow(/status of 404/);
  await eve.page.goto(other);
  await eve.page.getByRole('heading', { name: 'This invitation is no longer valid' }).waitFor();
});

test('a person with an account joins with it', async () => {
  await using admin = await world.person();
  const { orgId } = admin.organization;
  await world.db.organization.update({ where: { id: orgId }, data: { name: '\u202eZeta <b>GmbH</b>' } });
  await admin.page.goto('/settings#members');
  const link = await inviteAs(admin.page, 'Manager');
  await using known = await world.person({ name: 'Dora', role: 'viewer' });
  const { page } = known;
  await page.goto(link);
  await page.getByText('You are signed in as Dora').waitFor();
  await expectAccessible(page);
  await expectFits(page);
  await page.getByRole('button', { name: 'Join', exact: true }).click();
  await page.waitForURL(`${world.url}/`);
  await page.getByRole('complementary').getByText('Zeta <b>GmbH</b>').waitFor();
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Unknown tags' }).waitFor();
  expect(await world.db.membership.count({ where: { userId: known.userId } })).toBe(2);
});

test('API keys of a member are revoked with the removal, or later', async () => {
  await using ada = await world.person({ name: 'Ada' });
  const { orgId } = ada.organization;
  await using ben = await world.person({ name: 'Ben', organization: ada.organization });
  await using eve = await world.person({ name: 'Eve', organization: ada.organization });
  const addKey = (name: string, createdBy: number) =>
    world.db.apiKey.create({ data: { id: crypto.randomUUID(), orgId, name, scopes: ['assets:read'], createdBy } });
  await addKey('Dashboard', ben.userId);
  await addKey('Export', ben.userId);
  await addKey('Forgotten', eve.userId);
  const { page } = ada;
  await page.goto('/settings#members');
  await page.getByRole('button', { name: 'Remove Ben' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Dashboard').waitFor();
  await expectAccessible(page);
  await ada.picture('remove-member-with-keys');
  await dialog.getByRole('checkbox', { name: 'Revoke all 2 keys' }).check();
  await dialog.getByRole('button', { name: 'Remove member' }).click();
  const members = page.getByRole('region', { name: 'Members' });
  await members.getByRole('row', { name: /Ben/ }).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Remove Eve' }).click();
  await dialog.getByText('Forgotten').waitFor();
  await dialog.getByRole('button', { name: 'Remove member' }).click();
  await members.getByRole('row', { name: /Eve/ }).waitFor({ state: 'detached' });
  const active = () => world.db.apiKey.findMany({ where: { orgId, createdBy: { not: null }, revokedAt: null } });
  expect((await active()).map(({ name }) => name)).toEqual(['Forgotten']);

  await page.goto('/settings#api-keys');
  await page.getByText('Keys of former members').waitFor();
  await expectAccessible(page);
  await expectFits(page);
  await page.getByRole('button', { name: 'Revoke all keys of Eve' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke all' }).click();
  await page.getByText('Keys of former members').waitFor({ state: 'detached' });
  expect(await active()).toEqual([]);
});
