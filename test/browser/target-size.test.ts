import { ulid } from 'ulid';
import { expect, test } from 'vitest';
import { expectFits, smallTargets } from './support/accessible.js';
import { fileWorld } from '../support/shared.js';
import { createBrowserWorld } from './support/world.js';

const world = fileWorld(createBrowserWorld);

test('controls are large enough to hit, or far enough apart', async () => {
  const organization = await world.organization();
  const reader = await organization.reader({ name: 'Gate' });
  await organization.asset({ tags: [['rfid', 'E2801190']] });
  await world.publish(reader, '{"reads":[{"value":"E2801190"},{"value":"E2801191"}]}');
  await using person = await world.person({ organization });
  const { page } = person;
  const pages = ['/', '/readers', `/readers/${reader.id}`, '/unknown-tags', '/account', '/settings', '/start'];
  for (const address of pages) {
    await page.goto(address);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.waitForFunction(() => !document.querySelector('.mantine-Skeleton-root'));
    expect(await smallTargets(page, 24), address).toEqual([]);
  }
});

test('on a phone everything that a finger touches has 44 pixels', async () => {
  const organization = await world.organization();
  const { admin } = organization;
  const [dock, reader] = [await organization.location({ name: 'Dock' }), await organization.reader({ name: 'Gate' })];
  const asset = await organization.asset({ name: 'Pump', tags: [['rfid', 'E2801190']] });
  await organization.asset({ name: 'Bed' });
  await admin.scans.submit({ submission_id: ulid(), location_id: dock, reads: [{ asset_id: asset }] });
  await admin.assetProblems.report({ asset_id: asset, text: 'Broken' });
  await using person = await world.person({
    organization,
    phone: true,
    browser: { viewport: { width: 390, height: 844 } },
  });
  const { page } = person;
  const small: Record<string, string[]> = {};
  for (const address of [
    '/',
    '/assets',
    '/assets?has_problem=true',
    `/assets/${asset}`,
    '/assets/new',
    '/locations',
    `/locations/${dock}`,
    '/scan',
    '/readers',
    `/readers/${reader.id}`,
    '/alerts',
    '/alerts/rules',
    '/account',
    '/settings',
    '/unknown-tags',
    '/activity',
    '/reports',
  ]) {
    await page.goto(address);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.waitForFunction(() => !document.querySelector('.mantine-Skeleton-root'));
    small[address] = await smallTargets(page, 44);
    await expectFits(page, 390);
    await person.picture(`touch${address.replaceAll(/[^a-z]+/g, '-')}`);
  }
  const none = Object.fromEntries(Object.keys(small).map((address) => [address, []]));
  expect(small).toEqual(none);
});
