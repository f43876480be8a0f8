import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectAccessible, expectFits } from './support/accessible.js';
import { fileWorld } from '../support/shared.js';
import { hasFocus } from './support/has-focus.js';
import { createBrowserWorld } from './support/world.js';

const world = fileWorld(() => createBrowserWorld({ settings: {} }));

/** Returns the content of a field that can be copied. */
async function shown(page: Page, label: string): Promise<string> {
  const text = await page.locator('main').getByLabel(label, { exact: true }).textContent();
  return text ?? '';
}

async function signUp(page: Page): Promise<void> {
  await page.goto('/');
  await page.getByRole('heading', { name: 'Welcome to Whereabouts' }).waitFor();
  await expectAccessible(page);
  await expectFits(page);
  await page.getByLabel('Organization').fill('Acme');
  await page.getByLabel('Your name').fill('Ada');
  await page.getByLabel('Email address').fill('ada@example.com');
  await page.getByRole('textbox', { name: 'Password' }).fill('short');
  await page.getByRole('button', { name: 'Create organization' }).click();
  await page.getByText('Use at least 8 characters').waitFor();
  expect(await page.getByLabel('Organization').inputValue()).toBe('Acme');
  await page.getByRole('textbox', { name: 'Password' }).fill('analytical engine');
  await page.getByRole('button', { name: 'Create organization' }).click();
  await page.getByRole('heading', { name: 'First steps', level: 1 }).waitFor();
}

test('from an empty database to the first live move', async () => {
  await using visitor = await world.visitor();
  const { page, problems } = visitor;
  problems.allow(/status of 400 .*session\.signUp/);
  await signUp(page);
  await visitor.picture('first-steps');

  await page.getByRole('textbox', { name: 'Name', exact: true }).first().fill('Goods in');
  await page.getByRole('button', { name: 'Create location' }).click();
  await hasFocus(page.getByRole('button', { name: /An asset with a tag/ }));

  const asset = page.getByRole('region').filter({ hasText: 'Something you want to track' });
  await asset.getByLabel('Name').fill('Pallet truck');
  await asset.getByLabel('Tag ID').fill('E2801190');
  await asset.getByRole('button', { name: 'Create asset' }).click();

  await page.getByRole('button', { name: 'Add reader' }).waitFor();
  const step = page.getByRole('region').filter({ hasText: 'Bluetooth gateway' });
  await step.getByLabel('Name').fill('Gate 1');
  await expect.poll(() => step.getByLabel('Location').locator('option:checked').textContent()).toBe('Goods in');
  await step.getByRole('button', { name: 'Add reader' }).click();
  await page.getByText('Waiting for the reader to connect').waitFor();
  await page.getByRole('button', { name: 'Send test read' }).click();
  await page
    .getByRole('status')
    .filter({ hasText: /Pallet truck\s*→\s*Goods in/ })
    .waitFor();
  // A test read is no heartbeat of the reader.
  await page.getByText('Waiting for the reader to connect').waitFor();
  await expectAccessible(page);
  await expectFits(page);
  await visitor.picture('first-steps-reader');

  expect(await shown(page, 'Broker address')).toBe('127.0.0.1');
  expect(await shown(page, 'Port')).toBe(String(world.mqttPort));
  const reader = {
    mqtt_username: await shown(page, 'User name'),
    mqtt_password: await shown(page, 'Password'),
    publish_topic: await shown(page, 'Topic'),
  };
  expect(reader.mqtt_password).toMatch(/^[A-Za-z0-9]{40,}$/);
  expect(await shown(page, 'Test command')).toContain(`-P '${reader.mqtt_password}'`);
  await expect(world.connect({ ...reader, mqtt_password: 'mistyped' })).rejects.toThrow(/refused/);
  await page.getByText('Login refused').waitFor();
  await page.getByText('wrong password').waitFor();
  await world.publish(reader, '{"reads":[{"value":"E2801190"}]}');
  await page.getByText('Receiving', { exact: true }).waitFor();
  await visitor.picture('first-steps-received');

  await page.getByRole('button', { name: 'Next step' }).click();
  await page.getByRole('button', { name: 'Invite member' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Create link' }).click();
  await dialog.getByLabel('Invitation link', { exact: true }).waitFor();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('button', { name: 'Finish' }).click();
  await page.waitForURL(`${world.url}/`);
  const [position] = await world.db.assetPosition.findMany();
  expect(position).toBeDefined();
});

test('the steps can be skipped, left and come back to', async () => {
  const organization = await world.organization();
  await using person = await world.person({ organization });
  const { page } = person;
  await page.goto('/start');
  await page.getByRole('button', { name: 'Skip this step' }).first().click();
  await page.getByRole('button', { name: 'Create asset' }).waitFor();
  await organization.location();
  await organization.reader({ name: 'Gate' });
  await page.getByRole('button', { name: 'Finish later' }).click();
  await page.waitForURL(`${world.url}/`);
  await page.goto('/start');
  await page.getByRole('button', { name: /^A location\s*Done$/ }).waitFor();
  await page.getByRole('button', { name: 'A reader' }).click();
  await page.getByRole('button', { name: 'New password' }).click();
  await page.getByLabel('Password', { exact: true }).waitFor();
  const reader = {
    mqtt_username: await shown(page, 'User name'),
    mqtt_password: await shown(page, 'Password'),
    publish_topic: await shown(page, 'Topic'),
  };
  await world.publish(reader, '{"reads":[]}');
  await page.getByText('It sends messages, but no reads').waitFor();
  const progress = await organization.admin.organizations.firstSteps();
  expect(progress).toMatchObject({ has_live_reader: true, has_asset: false, has_ended: false });
});

test.each([
  { width: 390, height: 844 },
  { width: 1440, height: 900 },
])('Home offers sample data, an asset, a reader and a colleague, $width pixels wide', async (viewport) => {
  const organization = await world.organization();
  await using person = await world.person({ organization, browser: { viewport } });
  const { page } = person;
  // The organization of a test has a second member.
  await world.db.membership.deleteMany({ where: { orgId: organization.orgId, userId: { not: person.userId } } });
  await page.goto('/');
  const steps = page.getByRole('region', { name: 'First steps' });
  await steps.waitFor();
  expect(await steps.getByRole('heading', { level: 3 }).allTextContents()).toEqual([
    'Sample data',
    'An asset',
    'A reader',
    'A colleague',
  ]);
  await expectAccessible(page);
  await expectFits(page, viewport.width);
  await person.picture(`first-steps-home-${viewport.width}`);
  await steps.getByRole('button', { name: 'Add sample data' }).press('Enter');
  await page.getByRole('button', { name: 'Storage (sample): 2 assets' }).waitFor();
  await steps.getByRole('button', { name: 'Remove sample data' }).waitFor();
  await expectAccessible(page);
  await expectFits(page, viewport.width);
  await person.picture(`sample-data-${viewport.width}`);
  expect((await organization.positions()).length).toBe(8);

  await steps.getByRole('button', { name: 'Invite member' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Create link' }).click();
  await dialog.getByLabel('Invitation link', { exact: true }).waitFor();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await steps.getByRole('button', { name: 'Dismiss' }).click();
  await steps.waitFor({ state: 'detached' });

  // What was added can still be removed, whole.
  await page.getByRole('button', { name: 'Remove sample data' }).click();
  await page.getByText('Sample data removed').waitFor();
  await page.getByTestId('plan').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Remove sample data' }).waitFor({ state: 'detached' });
  const live = { where: { orgId: organization.orgId, deletedAt: null } };
  expect([await world.db.asset.count(live), await world.db.location.count(live)]).toEqual([0, 0]);
});
