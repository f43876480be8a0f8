import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectAccessible, expectFits } from './support/accessible.js';
import { runCurl } from './support/curl.js';
import { fileWorld } from '../support/shared.js';
import { createBrowserWorld } from './support/world.js';

const world = fileWorld(createBrowserWorld);

/** Returns the status and the body of the answer to a command. */
async function answerOf(commandLine: string): Promise<{ status: number; body: string }> {
  const printed = await runCurl(`${commandLine} -s -w '\n%{http_code}'`);
  const [body = '', status] = printed.split(/\n(?=\d+$)/);
  return { status: Number(status), body };
}

async function openNewKey(page: Page): Promise<void> {
  await page.goto('/');
  await page.getByRole('button', { name: 'Account menu' }).click();
  await page.getByRole('menuitem', { name: 'API keys' }).click();
  await page.getByText('No keys yet').waitFor();
  await page.getByRole('link', { name: 'New key' }).first().click();
  await page.getByRole('heading', { name: 'New key', level: 1 }).waitFor();
}

test('a key is made, used, and revoked', async () => {
  await using person = await world.person();
  const { page, problems } = person;
  problems.allow(/status of 400 .*apiKeys\.create/);
  await openNewKey(page);
  await expectAccessible(page);

  await page.getByRole('button', { name: 'Create key' }).click();
  await page.getByText('Enter a name').waitFor();
  await page.getByText('Choose at least one').waitFor();
  await page.getByRole('textbox', { name: 'Name' }).fill('Warehouse <img onerror=alert(1)>');
  expect(await page.getByRole('checkbox').count()).toBe(5);
  await page.getByRole('checkbox', { name: 'assets:read' }).check();
  await page.getByRole('checkbox', { name: 'tracking:read' }).check();
  expect(await page.getByRole('combobox', { name: 'Expires' }).locator('option').allTextContents()).toEqual([
    '30 days',
    '90 days',
    '1 year',
    'On a date',
    'Never',
  ]);
  await page.getByRole('combobox', { name: 'Expires' }).selectOption('On a date');
  await page.getByRole('button', { name: 'Create key' }).click();
  await page.getByText('Choose the last day of the key').waitFor();
  const year = new Date().getFullYear() + 2;
  await page.getByLabel('Last day').fill(`${year}-03-31`);
  await page
    .getByText(`Expires Tuesday 31 March ${year}`)
    .or(page.getByText(new RegExp(`31 March ${year}`)))
    .first()
    .waitFor();
  await page.getByRole('button', { name: 'Create key' }).click();
  await page.getByText('Copy it now').waitFor();
  await expectAccessible(page);
  await expectFits(page);
  await person.picture('new-key');

  const command = (await page.getByLabel('Example request', { exact: true }).textContent()) ?? '';
  const token = (await page.getByLabel('Token', { exact: true }).textContent()) ?? '';
  expect(command).toContain(token);
  const first = await answerOf(command);
  expect(first.status).toBe(200);
  expect(JSON.parse(first.body)).toMatchObject({
    data: { id: person.organization.orgId, scopes: ['assets:read', 'tracking:read'] },
  });

  await page.getByRole('link', { name: 'Done' }).click();
  const row = page.getByRole('row', { name: /Warehouse/ });
  await row.getByText('Active').waitFor();
  expect(await page.content()).not.toContain(token);
  await expectAccessible(page);
  await expectFits(page);
  await row.getByRole('button', { name: /^Revoke/ }).click();
  await page.getByRole('dialog').getByText('can’t be undone').waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Revoke key' }).click();
  await row.getByText('Revoked').waitFor();
  await person.picture('keys');
  const refused = await answerOf(command);
  expect(refused.status).toBe(401);
  expect(refused.body).toContain('API key has been revoked');
});

test('the key of another organization is made for that one', async () => {
  const other = await world.organization();
  await using person = await world.person();
  await world.db.organization.update({ where: { id: other.orgId }, data: { name: 'Zeta' } });
  await world.db.membership.create({ data: { orgId: other.orgId, userId: person.userId, role: 'admin' } });
  const { page } = person;
  await openNewKey(page);
  await page.getByRole('textbox', { name: 'Name' }).fill('Elsewhere');
  await page.getByRole('checkbox', { name: 'locations:read' }).check();
  await page.getByRole('combobox', { name: 'Expires' }).selectOption('Never');
  await page.getByRole('combobox', { name: 'Organization' }).selectOption('Zeta');
  await page.getByRole('button', { name: 'Create key' }).click();
  await page.getByText('For Zeta.').waitFor();
  const answer = await answerOf((await page.getByLabel('Example request', { exact: true }).textContent()) ?? '');
  expect(JSON.parse(answer.body)).toMatchObject({ data: { id: other.orgId, name: 'Zeta' } });
});
