import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectAccessible, expectFits } from './support/accessible.js';
import { fileWorld } from '../support/shared.js';
import { createBrowserWorld } from './support/world.js';

const strict = { httpOnly: true, sameSite: 'Strict' };

const world = fileWorld(createBrowserWorld);

async function signIn(page: Page, { email, password }: { email: string; password: string }): Promise<void> {
  await page.getByRole('textbox', { name: 'Email address' }).fill(email);
  await page.getByRole('textbox', { name: 'Password' }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

test('signing in leads to where one wanted to go, and a reload keeps the session', async () => {
  await using known = await world.person({ name: 'Ada' });
  await using visitor = await world.visitor();
  const { page, context, problems } = visitor;
  problems.allow(/status of 401 .*session\.signIn/);
  await page.goto('/account');
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await expectAccessible(page);
  await expectFits(page);
  await visitor.picture('sign-in');
  await signIn(page, { ...known, password: 'a wrong one' });
  await page.getByText('The email address or the password is incorrect').waitFor();
  expect(await page.getByRole('textbox', { name: 'Email address' }).inputValue()).toBe(known.email);
  await signIn(page, known);
  await page.getByRole('heading', { name: 'Account', level: 1 }).waitFor();

  const cookies = await context.cookies(`${world.url}/trpc/session.refresh`);
  expect(new Map(cookies.map(({ name, path }) => [name, path]))).toEqual(
    new Map([
      ['whereabouts_device', '/trpc'],
      ['whereabouts_refresh', '/trpc/session.refresh'],
    ]),
  );
  for (const { httpOnly, sameSite } of cookies) expect({ httpOnly, sameSite }).toEqual(strict);
  // The cookie of the device, which other paths are sent too, is not a credential.
  const elsewhere = await context.cookies(`${world.url}/trpc/session.me`);
  expect(elsewhere.map(({ name }) => name)).toEqual(['whereabouts_device']);
  const cookie = cookies.find(({ name }) => name === 'whereabouts_refresh');
  expect(await page.evaluate(() => document.cookie)).toBe('');
  const kept = await page.evaluate(() =>
    JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage)]),
  );
  expect(kept).not.toMatch(/eyJ|token/i);

  await page.reload();
  await page.getByRole('heading', { name: 'Account', level: 1 }).waitFor();
  const renewed = (await context.cookies(`${world.url}/trpc/session.refresh`)).find(
    ({ name }) => name === 'whereabouts_refresh',
  );
  expect(renewed?.value).not.toBe(cookie?.value);
});

test('an expired access token is renewed silently', async () => {
  await using person = await world.person({ name: 'Ada' });
  const { page } = person;
  await page.clock.install();
  await page.goto('/account');
  await page.getByRole('heading', { name: 'Account', level: 1 }).waitFor();
  const renewal = page.waitForResponse((answer) => answer.url().endsWith('/trpc/session.refresh'));
  await page.clock.fastForward('15:00');
  await page.getByRole('textbox', { name: 'Your name' }).fill('Ada Lovelace');
  await page.getByRole('button', { name: 'Save name' }).click();
  expect((await renewal).status()).toBe(200);
  await page.getByText('Name saved').waitFor();
  await expectAccessible(page);
  await expectFits(page);
  await person.picture('account');
});

test('a new password and signing out everywhere end the sessions of other devices, and nothing typed is lost there', async () => {
  await using desk = await world.person({ name: 'Ada' });
  await using phone = await world.visitor({ phone: true });
  phone.problems.allow(/status of 401/);
  await phone.page.goto('/account');
  await signIn(phone.page, desk);
  await phone.page.getByRole('heading', { name: 'Account', level: 1 }).waitFor();

  const { page } = desk;
  const password = 'difference engine';
  desk.problems.allow(/status of 400 .*changePassword/);
  await page.goto('/account');
  await page.getByLabel(/^Current password/).fill('a guess');
  await page.getByLabel(/^New password/).fill(password);
  await page.getByRole('button', { name: 'Change password' }).click();
  await page.getByText('This password is incorrect').waitFor();
  await page.getByLabel(/^Current password/).fill(desk.password);
  await page.getByRole('button', { name: 'Change password' }).click();
  await page.getByText('Password changed').waitFor();

  await phone.page.reload();
  await phone.page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await signIn(phone.page, { ...desk, password });
  await phone.page.getByRole('heading', { name: 'Account', level: 1 }).waitFor();
  expect(await world.db.session.count({ where: { userId: desk.userId, revokedAt: null } })).toBe(2);

  await phone.page.getByRole('textbox', { name: 'Your name' }).fill('Ada Lovelace');
  await page.getByRole('button', { name: 'Sign out everywhere' }).click();
  const question = page.getByRole('dialog', { name: 'Sign out everywhere' });
  await question.waitFor();
  await expectAccessible(page);
  await question.getByRole('button', { name: 'Sign out everywhere' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();

  await phone.page.getByRole('button', { name: 'Save name' }).click();
  await phone.page.getByRole('heading', { name: 'Your session has ended' }).waitFor();
  await expectAccessible(phone.page);
  await phone.page.getByRole('dialog').getByRole('textbox', { name: 'Password' }).fill(password);
  await phone.page.getByRole('dialog').getByRole('button', { name: 'Sign in' }).click();
  await phone.page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(await phone.page.getByRole('textbox', { name: 'Your name' }).inputValue()).toBe('Ada Lovelace');
});
