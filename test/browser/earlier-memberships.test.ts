import { expect, test } from 'vitest';
import { createMailServer } from '../support/mail-server.js';
import { createMember } from '../support/members.js';
import { fileWorld } from '../support/shared.js';
import { expectAccessible, expectFits } from './support/accessible.js';
import { createBrowserWorld } from './support/world.js';

const smtp = fileWorld(createMailServer);
const world = fileWorld(() =>
  createBrowserWorld({ settings: { mail: { smtpUrl: smtp.url, from: 'alerts@example.com' } } }),
);

const password = 'correct horse battery';

/** A person who has chosen a password by email for an account that a stranger made, and is signed in with it. */
async function createProven(browser?: { locale: string }) {
  const account = await world.account({ name: 'Mallory' });
  const { orgId } = account.organization;
  await world.db.user.update({ where: { id: account.userId }, data: { emailProvenAt: null } });
  await world.db.organization.update({ where: { id: orgId }, data: { name: 'Acme' } });
  await createMember(world.db, orgId, { role: 'admin', name: 'Eve' });
  const visitor = await world.visitor({ phone: true, ...(browser && { browser }) });
  const { page } = visitor;
  const mailsBefore = smtp.mails.length;
  await page.request.post('/trpc/session.requestPasswordReset', { data: { email: account.email } });
  await smtp.waitFor(mailsBefore + 1);
  const token = /\/reset-password#([\w-]+)/.exec(smtp.mails[mailsBefore]?.bodies.text ?? '')?.[1];
  await page.request.post('/trpc/session.resetPassword', { data: { token, new_password: password } });
  await page.goto('/sign-in?to=/assets');
  await page.locator('input[autocomplete="username"]').fill(account.email);
  await page.locator('input[type="password"]').fill(password);
  await page.locator('button[type="submit"]').click();
  return { ...account, orgId, visitor, page };
}

test('a person who proves the address of an account that exists is told what it did, and keeps its organization', async () => {
  const { page, ...proven } = await createProven();
  await using visitor = proven.visitor;
  await page.getByRole('heading', { name: 'What happened before you confirmed your address' }).waitFor();
  const acme = page.getByRole('radiogroup', { name: 'Acme' });
  await page.getByText(/Other administrators: .*Eve \(admin-/).waitFor();
  await expectAccessible(page);
  await expectFits(page);
  await visitor.picture('earlier-memberships');
  expect(await page.getByRole('button', { name: 'Continue' }).isDisabled()).toBe(true);
  await acme.getByRole('radio', { name: 'Keep' }).check();
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('heading', { name: 'Assets', level: 1 }).waitFor();
  await page.reload();
  await page.getByRole('heading', { name: 'Assets', level: 1 }).waitFor();
});

test('a person who leaves the only organization of the account is signed out, also in German', async () => {
  const { page, userId, ...proven } = await createProven({ locale: 'de-DE' });
  await using visitor = proven.visitor;
  await page.getByRole('heading', { name: 'Was geschah, bevor Sie Ihre Adresse bestätigt haben' }).waitFor();
  await page.getByRole('radio', { name: 'Verlassen' }).check();
  await page.getByText('daher wird das Konto gelöscht').waitFor();
  await expectFits(page);
  await visitor.picture('earlier-memberships-german');
  await page.getByRole('button', { name: 'Weiter' }).click();
  await page.getByText('Das Konto wurde gelöscht').waitFor();
  await page.getByRole('button', { name: 'Anmelden' }).waitFor();
  expect(await world.db.user.count({ where: { id: userId } })).toBe(0);
});
