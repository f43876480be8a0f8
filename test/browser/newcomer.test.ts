import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { nobody } from '../support/caller.js';
import { png } from '../support/pictures.js';
import { planSize } from './support/drawn-hall.js';
import { type BrowserWorld, createBrowserWorld } from './support/world.js';

let world: BrowserWorld;

beforeAll(async () => {
  world = await createBrowserWorld({ settings: {} });
});

afterAll(() => world[Symbol.asyncDispose]());

const pages = (page: Page) => page.getByRole('navigation', { name: 'Pages' });

async function signUp(page: Page): Promise<void> {
  await page.goto('/');
  await page.getByLabel('Organization').fill('Acme');
  await page.getByLabel('Your name').fill('Ada');
  await page.getByLabel('Email address').fill('ada@example.com');
  await page.getByRole('textbox', { name: 'Password' }).fill('analytical engine');
  await page.getByRole('button', { name: 'Create organization' }).click();
}

/** The first steps, up to a reader that works. */
async function takeFirstSteps(page: Page): Promise<void> {
  await page.getByRole('textbox', { name: 'Name', exact: true }).first().fill('Warehouse');
  await page.getByRole('button', { name: 'Create location' }).click();
  const asset = page.getByRole('region').filter({ hasText: 'Something you want to track' });
  await asset.getByLabel('Name').fill('Forklift 7');
  await asset.getByLabel('Tag ID').fill('E2801190');
  await asset.getByRole('button', { name: 'Create asset' }).click();
  await page.getByRole('button', { name: 'Finish later' }).click();
  await page.waitForURL(`${world.url}/`);
}

async function addSublocation(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Add sublocation' }).click();
  const dialog = page.getByRole('dialog', { name: 'New location' });
  await dialog.getByLabel('Name').fill(name);
  await dialog.getByRole('button', { name: 'Create location' }).click();
  await page.getByRole('region', { name: 'Sublocations' }).getByRole('link', { name }).waitFor();
}

async function drawRectangle(page: Page, name: string): Promise<void> {
  await page.getByRole('combobox', { name: 'Sublocation or reader' }).click();
  await page.getByRole('option', { name: `${name} (Warehouse)` }).click();
  await page.getByRole('button', { name: 'Place rectangle' }).click();
}

/** Adds a reader on its page, and leaves the page of the new reader open. */
async function addReader(page: Page, name: string, location: string): Promise<void> {
  await pages(page).getByRole('link', { name: 'Readers' }).click();
  await page.getByRole('main').getByRole('link', { name: 'Add reader' }).first().click();
  await page.getByRole('textbox', { name: 'Name' }).first().fill(name);
  const locationField = page.locator('input').and(page.getByLabel('Location', { exact: true }));
  await locationField.fill(location);
  await page.getByRole('option', { name: location }).click();
  await page.getByRole('button', { name: 'Add reader' }).click();
  // The page of the reader follows, also after a click on something else.
  await page.getByRole('button', { name: 'Send test read' }).waitFor();
}

async function sendTestRead(page: Page, location: string): Promise<void> {
  await page.getByRole('button', { name: 'Send test read' }).click();
  const outcome = page.getByRole('status').filter({ hasText: 'Forklift 7' });
  await outcome.filter({ hasText: new RegExp(`→\\s*${location}`) }).waitFor();
}

test('a newcomer gets from nothing to a plan with a moving dot, and to an alert when a forklift leaves the hall', async () => {
  await using visitor = await world.visitor({ browser: { reducedMotion: 'no-preference' } });
  const { page } = visitor;
  await signUp(page);
  await takeFirstSteps(page);

  // A floor plan of the warehouse with two outlines.
  await pages(page).getByRole('link', { name: 'Locations' }).click();
  await page.getByRole('link', { name: 'Warehouse' }).click();
  await addSublocation(page, 'Hall');
  await addSublocation(page, 'Yard');
  await page.getByRole('button', { name: 'Add floor plan' }).click();
  const image = { name: 'plan.png', mimeType: 'image/png', buffer: await png(planSize) };
  await page.getByRole('dialog').getByLabel('Choose an image or a PDF').setInputFiles(image);
  await page.getByRole('button', { name: 'Edit plan' }).click();
  await drawRectangle(page, 'Hall');
  await drawRectangle(page, 'Yard');
  await visitor.picture('newcomer-plan-editor');
  await page.getByRole('button', { name: 'Save plan' }).click();
  await page.getByTestId('plan-editor').waitFor({ state: 'detached' });
  await page.getByTestId('plan').waitFor();
  const planUrl = page.url();

  // Two readers, tried without any hardware.
  await addReader(page, 'Hall gate', 'Hall');
  await sendTestRead(page, 'Hall');
  await visitor.picture('newcomer-reader');
  await addReader(page, 'Yard gate', 'Yard');

  // The rule, on the person's own words.
  await pages(page).getByRole('link', { name: 'Alerts' }).click();
  await page.getByRole('main').getByRole('link', { name: 'Alert rules' }).click();
  await page.getByRole('link', { name: 'an asset leaves a location' }).click();
  await page.getByLabel('Which assets').selectOption('Assets with a certain name, key or detail');
  await page.getByRole('textbox', { name: 'Text' }).fill('forklift');
  const left = page.locator('input').and(page.getByLabel('Location', { exact: true }));
  await left.fill('Hall');
  await page.getByRole('option', { name: 'Hall' }).click();
  await visitor.picture('newcomer-rule');
  await page.getByRole('button', { name: 'Create rule' }).click();
  await page.getByRole('row', { name: '“forklift” leaves Hall' }).waitFor();
  const { id: orgId } = await world.db.organization.findFirstOrThrow({ where: { name: 'Acme' } });
  const { services } = world.core.contextFor({ actor: nobody, requestId: 'test', clientAddress: '192.0.2.1' });
  await expect.poll(() => services.eventInterests.wants(orgId, 'asset.location_changed')).toBe(true);

  // The plan in one tab, the reader in another: the forklift moves, and the alert is there.
  const tab = await visitor.context.newPage();
  await tab.goto(planUrl);
  await tab.getByTestId('plan').waitFor();
  await tab.getByRole('status').getByText('Live', { exact: true }).waitFor({ state: 'attached' });
  const dot = tab.locator('[data-asset="Forklift 7"]').waitFor({ state: 'attached', timeout: 120_000 });
  await pages(page).getByRole('link', { name: 'Readers' }).click();
  await page.getByRole('link', { name: 'Yard gate' }).click();
  await sendTestRead(page, 'Yard');
  await dot;
  await visitor.picture('newcomer-plan');
  await pages(page).getByRole('link', { name: 'Alerts 1 open' }).click();
  await page.getByRole('row').filter({ hasText: 'Forklift 7 moved from Hall to Yard' }).waitFor();
}, 180_000);
