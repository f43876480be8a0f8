import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { EventType } from '../../server/notifying/events/event-types.js';
import { nobody } from '../support/caller.js';
import { expectAccessible, expectFits } from './support/accessible.js';
import { fileWorld } from '../support/shared.js';
import { createBrowserWorld } from './support/world.js';

const world = fileWorld(createBrowserWorld);

/** A hall and a yard with an antenna each, and assets with tags that are in the hall. */
async function setUp(names = ['Forklift 7', 'Pallet']) {
  const organization = await world.organization();
  const hall = await organization.location({ name: 'Hall' });
  const yard = await organization.location({ name: 'Yard' });
  const ids: number[] = [];
  for (const [index, name] of names.entries()) {
    ids.push(await organization.asset({ name, tags: [['rfid', tagOf(index)]] }));
  }
  const reader = await organization.reader({
    antennas: [
      { port: 1, location_id: hall },
      { port: 2, location_id: yard },
    ],
  });
  const read = (antenna: number, ...indexes: number[]) =>
    world.publish(reader, JSON.stringify({ reads: indexes.map((index) => ({ value: tagOf(index), antenna })) }));
  await read(1, ...names.keys());
  return { organization, hall, yard, ids, read };
}

const acknowledgedByMia = /Acknowledged (?:just now|\d+ \w+ ago) by Mia/;
const tagOf = (index: number) => `E2801190${10 + index}`;

/** Resolves once this process knows that the organization has a use for a type of event. */
async function interested(orgId: number, type: EventType): Promise<void> {
  const { services } = world.core.contextFor({ actor: nobody, requestId: 'test', clientAddress: '192.0.2.1' });
  await expect.poll(() => services.eventInterests.wants(orgId, type)).toBe(true);
}

const live = (page: Page) => page.getByRole('status').getByText('Live', { exact: true }).waitFor({ state: 'attached' });
const pages = (page: Page) => page.getByRole('navigation', { name: 'Pages' });
const field = (page: Page, label: string) => page.locator('input').and(page.getByLabel(label, { exact: true }));
const alertRow = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text });

async function chooseLocation(page: Page, label: string, name: string): Promise<void> {
  await field(page, label).fill(name);
  await page.getByRole('option', { name }).click();
}

test('a new user creates a rule for a forklift that leaves the hall, sees the alert as it happens, and acknowledges it', async () => {
  const { organization, read } = await setUp();
  await using person = await world.person({ organization, role: 'manager', name: 'Mia' });
  const { page } = person;
  await page.goto('/alerts');
  await page.getByText('No open alerts').waitFor();
  await page.getByRole('main').getByRole('link', { name: 'Alert rules' }).click();
  await page.getByRole('heading', { name: 'Tell me when…' }).waitFor();
  await expectAccessible(page);
  await person.picture('alert-rules-empty');

  await page.getByRole('link', { name: 'an asset leaves a location' }).click();
  await page.getByLabel('Which assets').selectOption('Assets with a certain name, key or detail');
  await page.getByRole('textbox', { name: 'Text' }).fill('forklift');
  await chooseLocation(page, 'Location', 'Hall');
  await page.getByText('Would not have fired in the last 7 days.').waitFor();
  await person.picture('new-alert-rule');
  await page.getByRole('button', { name: 'Create rule' }).click();
  await page.getByRole('row', { name: '“forklift” leaves Hall' }).waitFor();
  await expectAccessible(page);
  await expectFits(page);

  await page.getByRole('link', { name: 'Alerts', exact: true }).first().click();
  await page.getByText('No open alerts').waitFor();
  await live(page);
  await interested(organization.orgId, 'asset.location_changed');
  await read(2, 0, 1);
  const row = alertRow(page, 'Forklift 7 moved from Hall to Yard');
  await row.waitFor();
  await pages(page).getByRole('link', { name: 'Alerts 1 open' }).waitFor();
  expect(await alertRow(page, 'Pallet').count()).toBe(0);
  await expectAccessible(page);
  await expectFits(page);
  await person.picture('alerts');

  await row.getByRole('button', { name: 'Acknowledge: Forklift 7 moved from Hall to Yard' }).click();
  await page.getByText('No open alerts').waitFor();
  await pages(page).getByRole('link', { name: 'Alerts', exact: true }).waitFor();
  await page.getByLabel('Status').selectOption('All');
  await page
    .getByRole('row')
    .filter({ hasText: acknowledgedByMia })
    .getByRole('link', { name: 'Forklift 7 moved' })
    .click();
  await page.getByRole('heading', { name: 'Forklift 7 moved from Hall to Yard', level: 1 }).waitFor();
  await page.getByRole('region', { name: 'History' }).getByText(acknowledgedByMia).waitFor();
  await page.getByRole('region', { name: 'What happened' }).getByRole('link', { name: 'Yard' }).waitFor();
  await expectAccessible(page);
  await expectFits(page);
  await person.picture('alert');
}, 120_000);

test('from the page of an asset or location a rule begins with it, and input is not lost without a question', async () => {
  const { organization, hall, ids } = await setUp();
  await using person = await world.person({ organization, role: 'manager' });
  const { page } = person;
  await page.goto(`/assets/${ids[0]}`);
  await page.getByRole('button', { name: 'Tell me when…' }).click();
  await page.getByRole('menuitem', { name: 'it is not seen for some time' }).click();
  await page.getByRole('list', { name: 'Selected assets' }).getByText('Forklift 7').waitFor();
  expect(await field(page, 'Name').getAttribute('placeholder')).toBe('Forklift 7 is not seen for 1 day');
  await field(page, 'Name').fill('Where is it?');
  await page.getByRole('link', { name: 'Cancel' }).click();
  const question = page.getByRole('dialog', { name: 'Discard your input?' });
  await question.waitFor();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await question.waitFor({ state: 'hidden' });
  expect(await field(page, 'Name').inputValue()).toBe('Where is it?');
  await page.getByRole('link', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Discard' }).click();
  await page.getByRole('heading', { name: 'Alert rules', level: 1 }).waitFor();

  await page.goto(`/locations/${hall}`);
  await page.getByRole('button', { name: 'Tell me when…' }).click();
  await page.getByRole('menuitem', { name: 'an asset is here for too long' }).click();
  await page.getByRole('list', { name: 'Selected locations' }).getByText('Hall').waitFor();
  await field(page, 'For longer than').fill('');
  await page.getByRole('button', { name: 'Create rule' }).click();
  await page.getByText('Enter a time from 1 minute to 90 days').waitFor();
  await field(page, 'For longer than').fill('3');
  await page.getByLabel('Unit').selectOption('days');
  await page.getByRole('button', { name: 'Create rule' }).click();
  await page.getByRole('row', { name: 'An asset is at Hall for more than 3 days' }).waitFor();
}, 120_000);

test('a rule keeps its hours, quiet time and recipients; it is switched off, changed and deleted', async () => {
  const { organization } = await setUp();
  await using person = await world.person({ organization, role: 'manager', name: 'Mia' });
  const { page } = person;
  // The service rejects what would replace somebody else's change.
  person.problems.allow(/status of 400 .*alertRules\.update/);
  await page.goto('/alerts/rules/new?when=entering');
  await chooseLocation(page, 'Location', 'Yard');
  await page.getByRole('button', { name: 'Email me' }).click();
  await page.getByText('Email is not set up').waitFor();
  await page.getByLabel('How often').selectOption('Hourly summary');
  await page.getByLabel('Only at certain hours').check();
  await page.getByRole('checkbox', { name: 'Sat' }).check();
  await page.getByLabel('From').fill('22:00');
  await page.getByLabel('To', { exact: true }).fill('06:00');
  await page.getByText('Ends on the following day.').waitFor();
  await field(page, 'Time zone').fill('Tokyo');
  await page.getByRole('option', { name: 'Asia/Tokyo' }).click();
  await page.getByLabel('Quiet time').selectOption('8 h');
  await expectAccessible(page);
  await expectFits(page);
  await field(page, 'Name').fill('Yard at night');
  await page.getByRole('button', { name: 'Create rule' }).click();
  const row = page.getByRole('row', { name: /Yard at night.*An asset enters Yard/ });
  await row.getByText('App, 1 email').waitFor();

  await row.getByRole('switch', { name: 'Yard at night is on' }).press('Space');
  await expect.poll(async () => (await organization.admin.alertRules.list()).data[0]?.is_enabled).toBe(false);
  await row.getByRole('link', { name: 'Yard at night' }).click();
  await page.getByText('This rule is off.').waitFor();
  expect(await page.getByLabel('From').inputValue()).toBe('22:00');
  expect(await field(page, 'Time zone').inputValue()).toBe('Asia/Tokyo');
  expect(await page.getByRole('checkbox', { name: 'Sat' }).isChecked()).toBe(true);
  expect(await page.getByLabel('Quiet time').inputValue()).toBe(String(8 * 3600));
  await page.getByRole('button', { name: 'Remove Yard' }).click();
  await field(page, 'Name').fill('Any arrival');
  await page.getByRole('button', { name: 'Save rule' }).click();
  const changed = page.getByRole('row', { name: /Any arrival.*An asset enters a location/ });
  await changed.waitFor();
  const { data } = await organization.admin.alertRules.list();
  const [stored] = data;
  expect(stored).toMatchObject({
    is_enabled: false,
    schedule: { time_zone: 'Asia/Tokyo', days: [1, 2, 3, 4, 5, 6], from: '22:00', to: '06:00' },
    quiet_seconds: 8 * 3600,
    notify: { app: true, email_user_ids: [person.userId], email_mode: 'hourly' },
  });
  await changed.getByRole('link', { name: 'Any arrival' }).click();
  await field(page, 'Name').fill('Mine');
  // Somebody else is faster.
  if (!stored) throw new Error('no rule');
  const { created_at: _created, updated_at: _updated, ...theirs } = stored;
  await organization.admin.alertRules.update({ ...theirs, name: 'Theirs' });
  await page.getByRole('button', { name: 'Save rule' }).click();
  await page.getByText('Somebody else has changed this rule').waitFor();
  expect(await field(page, 'Name').inputValue()).toBe('Mine');
  await page.getByRole('button', { name: 'Discard mine' }).click();
  await page.getByRole('heading', { name: 'Theirs', level: 1 }).waitFor();
  expect(await field(page, 'Name').inputValue()).toBe('Theirs');
  await field(page, 'Name').fill('Mine again');
  await organization.admin.alertRules.update({ ...theirs, name: 'Theirs again' });
  await page.getByRole('button', { name: 'Save rule' }).click();
  await page.getByRole('button', { name: 'Replace their version' }).click();
  await page.getByRole('row', { name: /Mine again/ }).waitFor();
  await page.getByRole('link', { name: 'Mine again' }).click();
  const { data: rules } = await organization.admin.alertRules.list();
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('heading', { name: 'Tell me when…' }).waitFor();
  await page.getByRole('alert').filter({ hasText: 'Mine again' }).getByRole('button', { name: 'Undo' }).press('Enter');
  await page.getByRole('row', { name: /Mine again/ }).waitFor();
  expect((await organization.admin.alertRules.list()).data.map(({ id }) => id)).toEqual(rules.map(({ id }) => id));
}, 120_000);

test('new alerts wait while somebody points at the list, several are acknowledged at once, and filters and roles decide what is offered', async () => {
  const { organization, hall, ids, read } = await setUp(['Forklift 7', 'Forklift 8', 'Pallet', 'Crate']);
  const { admin } = organization;
  await admin.alertRules.create({ name: 'Leaves', event_type: 'asset.location_changed', direction: 'leaving' });
  await interested(organization.orgId, 'asset.location_changed');
  await using viewer = await world.person({ organization, role: 'viewer' });
  await using operator = await world.person({ organization, role: 'operator', name: 'Otto' });
  await viewer.page.goto('/alerts');
  await operator.page.goto('/alerts');
  await live(viewer.page);
  await read(2, 0, 1, 2);
  await pages(viewer.page).getByRole('link', { name: 'Alerts 3 open' }).waitFor();
  await alertRow(viewer.page, 'Pallet moved').waitFor();
  expect(await viewer.page.getByRole('button', { name: 'Acknowledge' }).count()).toBe(0);
  expect(await viewer.page.getByRole('link', { name: 'Rules' }).count()).toBe(0);

  const { page } = operator;
  await live(page);
  for (const name of ['Forklift 7', 'Forklift 8', 'Pallet']) await alertRow(page, `${name} moved`).waitFor();
  await alertRow(page, 'Pallet moved').hover();
  await read(2, 3);
  await page.getByRole('button', { name: 'Show 1 new alert' }).waitFor();
  expect(await alertRow(page, 'Crate').count()).toBe(0);
  await page.getByRole('button', { name: 'Show 1 new alert' }).click();
  await alertRow(page, 'Crate moved').waitFor();

  // On a phone an alert is acknowledged below its text.
  await using pedestrian = await world.person({ organization, role: 'operator', phone: true });
  const { page: phone } = pedestrian;
  await phone.goto('/alerts');
  await alertRow(phone, 'Crate moved').waitFor();
  await phone.getByRole('button', { name: 'Open the menu, open alerts' }).waitFor();
  await pedestrian.picture('alerts-phone');
  await phone.getByRole('button', { name: 'Acknowledge: Crate moved from Hall to Yard' }).click();
  await alertRow(phone, 'Crate').waitFor({ state: 'detached' });
  await alertRow(page, 'Crate').waitFor({ state: 'detached' });

  await alertRow(page, 'Forklift 7 moved').getByRole('checkbox').check();
  await alertRow(page, 'Forklift 8 moved').getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Acknowledge 2 alerts' }).click();
  await alertRow(page, 'Forklift 8 moved').waitFor({ state: 'detached' });
  await alertRow(viewer.page, 'Forklift 7 moved').waitFor({ state: 'detached' });
  await pages(viewer.page).getByRole('link', { name: 'Alerts 1 open' }).waitFor();

  await page.getByLabel('Status').selectOption('Acknowledged');
  await alertRow(page, 'by Otto').first().waitFor();
  await field(page, 'Asset').fill('Forklift 8');
  await page.getByRole('option', { name: 'Forklift 8' }).click();
  await alertRow(page, 'Forklift 7').waitFor({ state: 'detached' });
  await alertRow(page, 'Forklift 8').waitFor();
  expect(new URL(page.url()).search).toBe(`?status=acknowledged&asset_id=${ids[1]}`);
  await page.reload();
  await alertRow(page, 'Forklift 8').waitFor();
  await expect.poll(() => field(page, 'Asset').inputValue()).toBe('Forklift 8');
  await page.goto(`/locations/${hall}`);
  const section = page.getByRole('region', { name: 'Alerts' });
  await section.getByText('Pallet moved from Hall to Yard').waitFor();
  expect(await section.getByRole('button', { name: 'Tell me when…' }).count()).toBe(0);
  await section.getByRole('link', { name: 'Show all in Alerts' }).click();
  await alertRow(page, 'Pallet moved').waitFor();
  await expect.poll(() => field(page, 'Location').inputValue()).toBe('Hall');
  await page.goto('/alerts/rules');
  await page.getByText('Managers only').waitFor();
}, 120_000);
