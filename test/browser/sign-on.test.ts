import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { createIdentityProvider } from '../support/identity-provider.js';
import { expectAccessible, expectFits } from './support/accessible.js';
import { createBrowserWorld, type Visitor } from './support/world.js';
import { fileWorld } from '../support/shared.js';

const idp = fileWorld(() => createIdentityProvider({ baseUrl: 'http://127.0.0.1', host: 'localhost' }));
const world = fileWorld(() => createBrowserWorld({ settings: { signOn: idp.settings } }));
beforeAll(() => idp.sendBackTo(world.url));

/** A person with an account at the provider, in a browser that can open it. */
async function visitor(subject: string, email = `${subject}@acme.example`): Promise<Visitor> {
  idp.people.set(subject, { email, email_verified: true, name: subject });
  const one = await world.visitor();
  one.problems.allow(/request to another origin: http:\/\/localhost:/);
  return one;
}

const signOn = (page: Page) => page.getByRole('button', { name: 'Sign in with Acme ID' }).click();
const choose = (page: Page, subject: string) => page.getByRole('button', { name: subject }).click();
const pathOf = (page: Page) => new URL(page.url()).pathname;

test('a person joins by single sign-on, and comes back to the page that they wanted', async () => {
  await using admin = await world.person({ name: 'Admin' });
  await admin.page.goto('/settings');
  await admin.page.getByRole('button', { name: 'Invite member' }).click();
  const dialog = admin.page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Create link' }).click();
  const link = await dialog.getByLabel('Invitation link', { exact: true }).textContent();
  await dialog.getByRole('button', { name: 'Done' }).click();

  await using ada = await visitor('Ada');
  const { page } = ada;
  await page.goto(link ?? '');
  await page.getByRole('button', { name: 'Sign in with Acme ID' }).waitFor();
  await signOn(page);
  await choose(page, 'Ada');
  const pages = page.getByRole('navigation', { name: 'Pages' });
  await pages.waitFor();
  await expect.poll(() => pathOf(page)).toBe('/');
  await page.goBack().catch(() => null);
  expect(page.url()).not.toContain('code=');

  await page.goto('/account');
  await page.getByRole('region', { name: 'Single sign-on' }).getByText('Connected').waitFor();
  expect(await page.getByRole('region', { name: 'Password' }).count()).toBe(0);
  await admin.page.reload();
  await admin.page.getByRole('row', { name: /Ada/ }).getByText('Single sign-on').waitFor();

  await page.getByRole('button', { name: 'Account menu' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('button', { name: 'Sign in with Acme ID' }).waitFor();
  await expectAccessible(page);
  await expectFits(page);
  await ada.picture('sign-in-by-single-sign-on');
  await page.goto('/assets?q=drill');
  // The provider remembers its people, so it asks no more.
  await signOn(page);
  await pages.waitFor();
  await expect.poll(() => page.url()).toBe(`${world.url}/assets?q=drill`);

  // A session that has ended comes back through another tab, and what was typed stays.
  ada.problems.allow(/status of 401/);
  await page.goto('/account');
  const name = page.getByRole('textbox', { name: 'Your name' });
  await name.fill('Ada Lovelace');
  await world.db.session.updateMany({
    data: { revokedAt: new Date() },
    where: { user: { email: 'ada@acme.example' } },
  });
  await page.getByRole('button', { name: 'Save name' }).click();
  const ended = page.getByRole('dialog', { name: 'Your session has ended' });
  await ended.waitFor();
  await expectAccessible(page);
  const [tab] = await Promise.all([ada.context.waitForEvent('page'), signOn(page)]);
  await tab.getByRole('navigation', { name: 'Pages' }).waitFor();
  await ended.waitFor({ state: 'hidden' });
  expect(await name.inputValue()).toBe('Ada Lovelace');
});

test('an account with a password is connected by it, and people without an account see what they need', async () => {
  await using ben = await world.person({ name: 'Ben' });
  await world.db.user.update({ where: { email: ben.email }, data: { emailProvenAt: null } });
  await using one = await visitor('Ben', ben.email);
  const { page } = one;
  one.problems.allow(/status of 401 .*session\.confirmSignOn/);
  await page.goto('/sign-in');
  await signOn(page);
  await choose(page, 'Ben');
  await page.getByRole('heading', { name: 'Connect your account' }).waitFor();
  await expectAccessible(page);
  await expectFits(page);
  await page.getByRole('textbox', { name: 'Password' }).fill('not the password');
  await page.getByRole('button', { name: 'Connect and sign in' }).click();
  await page.getByText('The email address or the password is incorrect').waitFor();
  await page.getByRole('textbox', { name: 'Password' }).fill(ben.password);
  await page.getByRole('button', { name: 'Connect and sign in' }).click();
  await page.getByRole('navigation', { name: 'Pages' }).waitFor();

  await using eve = await visitor('Eve');
  eve.problems.allow(/status of 403 .*session\.finishSignOn/);
  await eve.page.goto('/sign-in');
  await signOn(eve.page);
  await choose(eve.page, 'Eve');
  await eve.page.getByText('No account has the address eve@acme.example').waitFor();
  await expectAccessible(eve.page);
  await eve.page.getByRole('link', { name: 'Back to sign in' }).click();
  await eve.page.getByRole('button', { name: 'Sign in with Acme ID' }).waitFor();
});

test('an administrator connects the own account, and adds an email domain with the record that proves it', async () => {
  await using admin = await world.person({ name: 'Admin' });
  const { page, problems } = admin;
  problems.allow(/request to another origin: http:\/\/localhost:/);
  problems.allow(/status of (400|409|503) .*emailDomains/);
  const { id, email } = await world.db.user.findFirstOrThrow({ where: { name: 'Admin' }, orderBy: { id: 'desc' } });
  await world.db.user.update({ where: { id }, data: { emailProvenAt: new Date() } });
  idp.people.set('Admin', { email, email_verified: true });
  await page.goto('/account');
  await page.getByRole('button', { name: 'Connect Acme ID' }).click();
  await choose(page, 'Admin');
  const section = page.getByRole('region', { name: 'Single sign-on' });
  await section.getByText('Connected').waitFor();
  await section.getByRole('button', { name: 'Disconnect' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click();
  await section.getByRole('button', { name: 'Connect Acme ID' }).waitFor();

  await page.goto('/settings#email-domains');
  const domains = page.getByRole('region', { name: 'Email domains' });
  await domains.getByRole('textbox', { name: 'Domain' }).fill('gmail.com');
  await domains.getByRole('button', { name: 'Add domain' }).click();
  await domains.getByText('Enter your own domain').waitFor();
  await domains.getByRole('textbox', { name: 'Domain' }).fill('acme.invalid');
  await domains.getByRole('combobox', { name: 'Role of new members', exact: true }).selectOption('Operator');
  await domains.getByRole('button', { name: 'Add domain' }).click();
  const row = domains.getByRole('group', { name: 'acme.invalid' });
  await row.getByText('_whereabouts.acme.invalid').waitFor();
  await row.getByText('Not verified').waitFor();
  await expectAccessible(page);
  await expectFits(page);
  await admin.picture('email-domains');
  await row.getByRole('combobox').selectOption('Viewer');
  await expect.poll(async () => (await world.db.emailDomain.findFirst())?.role).toBe('viewer');
  await row.getByRole('button', { name: 'Remove acme.invalid' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove domain' }).click();
  await row.waitFor({ state: 'detached' });
});
