import { expect, test } from 'vitest';
import { createMailServer } from '../support/mail-server.js';
import { expectAccessible, expectFits } from './support/accessible.js';
import { createBrowserWorld } from './support/world.js';
import { fileWorld } from '../support/shared.js';

const smtp = fileWorld(createMailServer);
const world = fileWorld(() =>
  createBrowserWorld({ settings: { mail: { smtpUrl: smtp.url, from: 'alerts@example.com' } } }),
);

test('a forgotten password is replaced through the link in an email, which works once', async () => {
  await using ada = await world.person({ name: 'Ada' });
  await using visitor = await world.visitor();
  const { page, problems } = visitor;
  problems.allow(/status of 404 .*session\.resetPassword/);
  await page.goto('/sign-in');
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  await page.getByRole('heading', { name: 'Forgot your password?' }).waitFor();
  await expectAccessible(page);
  await expectFits(page);
  await page.getByRole('textbox', { name: 'Email address' }).fill(ada.email);
  await page.getByRole('button', { name: 'Send link' }).click();
  await page.getByRole('heading', { name: 'Check your email' }).waitFor();
  await smtp.waitFor(1);
  const hash = /\/reset-password(#[\w-]+)/.exec(smtp.mails[0]?.bodies.text ?? '')?.[1] ?? '';

  await page.goto(`/reset-password${hash}`);
  await page.getByRole('textbox', { name: 'New password' }).fill('correct horse battery');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Change password' }).click();
  await page.getByRole('heading', { name: 'Password changed' }).waitFor();
  await page.getByRole('link', { name: 'Sign in' }).click();
  await page.getByRole('textbox', { name: 'Email address' }).fill(ada.email);
  await page.getByRole('textbox', { name: 'Password' }).fill('correct horse battery');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await expect.poll(() => new URL(page.url()).pathname).toBe('/');

  await using other = await world.visitor();
  other.problems.allow(/status of 404 .*session\.resetPassword/);
  await other.page.goto(`/reset-password${hash}`);
  await other.page.getByRole('textbox', { name: 'New password' }).fill('another password');
  await other.page.getByRole('button', { name: 'Change password' }).click();
  await other.page.getByText('This link is no longer valid').waitFor();
});
