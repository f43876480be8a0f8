import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectAccessible, expectFits } from './support/accessible.js';
import { fileWorld } from '../support/shared.js';
import { createBrowserWorld } from './support/world.js';

const world = fileWorld(createBrowserWorld);

const languageOf = (page: Page) => page.evaluate(() => document.documentElement.lang);

test('a person who chooses German has the app in German, on their other devices too', async () => {
  await using person = await world.person();
  const { page, email, password } = person;
  await page.goto('/account');
  await page.getByRole('heading', { name: 'Account', level: 1 }).waitFor();
  await expect.poll(() => languageOf(page)).toBe('en');
  const section = page.getByRole('region', { name: 'Language and formats' });
  await section.getByLabel('Language', { exact: true }).selectOption('Deutsch');
  await section.getByRole('button', { name: 'Save language and formats' }).click();
  await page.getByRole('heading', { name: 'Konto', level: 1 }).waitFor();
  await expect.poll(() => languageOf(page)).toBe('de');
  await page.getByRole('navigation', { name: 'Seiten' }).getByRole('link', { name: 'Objekte' }).waitFor();

  await using other = await world.visitor();
  await other.page.goto('/sign-in');
  await other.page.getByLabel('Email').fill(email);
  await other.page.getByLabel('Password').and(other.page.locator('input')).fill(password);
  await other.page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await other.page.getByRole('navigation', { name: 'Seiten' }).getByRole('link', { name: 'Objekte' }).waitFor();
  await expect.poll(() => languageOf(other.page)).toBe('de');
});

test('the app begins in the language of the browser', async () => {
  await using german = await world.visitor({ browser: { locale: 'de-AT' } });
  await german.page.goto('/sign-in');
  await german.page.getByRole('button', { name: 'Anmelden', exact: true }).waitFor();
  await expect.poll(() => languageOf(german.page)).toBe('de');

  await using english = await world.visitor();
  await english.page.goto('/sign-in');
  await english.page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
  await expect.poll(() => languageOf(english.page)).toBe('en');
});

test('the axis of the chart of reads has room for German numbers', async () => {
  const organization = await world.organization();
  const { orgId } = organization;
  const slot = new Date(Math.floor(Date.now() / 600_000) * 600_000);
  await world.db.readCount.create({ data: { orgId, slot, reads: 412_073n } });
  await using person = await world.person({ organization, phone: true, browser: { locale: 'de-DE' } });
  const { page } = person;
  await page.goto('/');
  const most = page.locator('svg').getByText('450.000');
  await most.waitFor();
  const chart = await page.getByRole('img', { name: /412\.073/ }).boundingBox();
  await expect.poll(async () => (await most.boundingBox())?.x).toBeGreaterThanOrEqual(chart?.x ?? Infinity);
});

test('German pages fit on a phone and are accessible', async () => {
  const organization = await world.organization();
  const { orgId } = organization;
  const locationId = await organization.location();
  const assetId = await organization.asset();
  const reader = await organization.reader({ name: 'Tor' });
  const at = new Date(Date.now() - 3 * 86_400_000);
  await world.db.reader.update({ where: { id: reader.id }, data: { lastMessageAt: at } });
  await world.db.assetPosition.create({ data: { orgId, assetId, locationId, assetLastSeen: at, locatedSince: at } });
  await using person = await world.person({ organization, phone: true, browser: { locale: 'de-DE' } });
  const { page } = person;
  for (const { path, text } of [
    { path: '/', text: '1 stilles Lesegerät' },
    { path: '/assets', text: 'Objekte' },
    { path: `/assets/${assetId}`, text: 'Verweildauer: 3 Tage' },
    { path: '/readers', text: 'Tor' },
  ]) {
    await page.goto(path);
    await page.getByRole('main').getByText(text).first().waitFor();
    await expect.poll(() => languageOf(page)).toBe('de');
    await expectFits(page);
    await person.picture(`german-${path.replaceAll('/', '-')}`);
  }
  await expectAccessible(page);
});

test('problems of a file to import are found by the German words that are shown', async () => {
  await using person = await world.person({ role: 'manager', browser: { locale: 'de-DE' } });
  const { page } = person;
  await page.goto('/import');
  const rows = Array.from({ length: 60 }, (_, n) => `K ${n},Ding\r\n`).join('');
  await page.getByLabel('CSV- oder Excel-Datei').setInputFiles({
    name: 'falsch.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(`external_key,name\r\n${rows}A-1,\r\n`),
  });
  await page.getByRole('button', { name: /prüfen$/ }).click();
  const table = page.getByRole('table', { name: 'Probleme' });
  await table.getByRole('row', { name: /^2 Schlüssel Verwenden Sie nur/ }).waitFor();
  const search = page.getByRole('textbox', { name: 'Suchen', exact: true });
  await search.fill('geben namen');
  await table.getByRole('row', { name: '62 Name Geben Sie einen Namen ein' }).waitFor();
  expect(await table.getByRole('row').count()).toBe(2);
  await search.fill('bindestriche 61');
  await table.getByRole('row', { name: /^61 Schlüssel/ }).waitFor();
  expect(await table.getByRole('row').count()).toBe(2);
  await search.fill('nichts davon');
  await page.getByText('Keine passenden Probleme').waitFor();
});
