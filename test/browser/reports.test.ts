import { ulid } from 'ulid';
import { expect, test } from 'vitest';
import { expectAccessible, expectFits } from './support/accessible.js';
import { fileWorld } from '../support/shared.js';
import { createBrowserWorld, type Person } from './support/world.js';

const world = fileWorld(createBrowserWorld);

const hourMs = 3_600_000;

/** A site with a dock and a store; a pump that went from the dock to the store, and a cart that was not seen for ten days. */
async function createFixture({ organization }: Person) {
  const { admin } = organization;
  const site = (await admin.locations.create({ name: 'Site' })).data.id;
  const dock = (await admin.locations.create({ name: '=Dock', parent_id: site })).data.id;
  const store = (await admin.locations.create({ name: 'Store', parent_id: site })).data.id;
  const pump = (await admin.assets.create({ name: 'Pump' })).data.id;
  const cart = (await admin.assets.create({ name: 'Cart' })).data.id;
  const nowMs = Date.now();
  const scan = (location_id: number, asset_id: number, hoursAgo: number) =>
    admin.scans.submit({
      submission_id: ulid(),
      location_id,
      reads: [{ asset_id }],
      observed_at: new Date(nowMs - hoursAgo * hourMs).toISOString(),
    });
  await scan(dock, pump, 50);
  await scan(store, pump, 48);
  await scan(dock, pump, 24);
  await scan(dock, cart, 240);
  return { site, dock, store, pump, cart };
}

test('reports show a picture, a table and a file each, and keep their filters in the address', async () => {
  await using person = await world.person({ role: 'viewer' });
  const { page } = person;
  const { site, pump } = await createFixture(person);
  await page.goto('/');
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Reports' }).click();
  const tabs = page.getByRole('navigation', { name: 'Reports' });
  const look = async (picture: string) => {
    await expectAccessible(page);
    await expectFits(page);
    await person.picture(picture);
  };

  const dwell = page.getByRole('table', { name: 'Dwell time by location' });
  await dwell.getByRole('row', { name: /=Dock.*2 h/ }).waitFor();
  await dwell.getByRole('row', { name: /Store.*1 day/ }).waitFor();
  await page
    .getByRole('img', { name: /^Median and 95th percentile/ })
    .getByText('Hours')
    .waitFor();
  await look('report-dwell');
  const file = await person.download(() => page.getByRole('button', { name: 'Export CSV' }).click());
  const lines = file.bytes.toString('utf8').split('\r\n');
  expect(lines[0]).toContain('location,location_key,visits,median_seconds,p95_seconds');
  expect(lines.find((line) => line.includes('Dock'))).toMatch(/^'=Dock,LOC-0002,1,7200,7200,,,$/);

  await tabs.getByRole('link', { name: 'Flow' }).click();
  const flow = page.getByRole('table', { name: 'Flow between locations' });
  await flow.getByRole('row', { name: /=Dock.*Store.*1/ }).waitFor();
  await page.getByRole('table', { name: /^Moves from a location/ }).waitFor();
  await page.getByRole('textbox', { name: 'Location (incl. sublocations)' }).fill('site');
  await page.locator('[role="listbox"][aria-busy="false"]').getByRole('option', { name: /^Site/ }).click();
  await expect.poll(() => new URL(page.url()).search).toBe(`?report=flow&location_id=${site}`);
  await flow.getByRole('row', { name: /Store.*=Dock.*1/ }).waitFor();
  await look('report-flow');

  await tabs.getByRole('link', { name: 'Asset use' }).click();
  await page.getByText('Choose an asset.').waitFor();
  await page.goto(`/reports?report=use&asset_id=${pump}`);
  await page
    .getByRole('table', { name: 'Use of an asset by location and hour' })
    .getByRole('row', { name: /Store.*1 day/ })
    .waitFor();
  await page
    .getByRole('img', { name: /by hour of the day/ })
    .getByText('Hour of the day')
    .waitFor();
  await look('report-use');

  await tabs.getByRole('link', { name: 'Inventory' }).click();
  const assets = page.getByRole('table', { name: 'Assets' });
  await assets.getByRole('row', { name: /Pump.*=Dock/ }).waitFor();
  const at = new Date(Date.now() - 36 * hourMs).toISOString();
  await page.goto(`/reports?report=inventory&at=${at}`);
  await assets.getByRole('row', { name: /Pump.*Store/ }).waitFor();
  await person.picture('report-inventory');

  await tabs.getByRole('link', { name: 'Not seen' }).click();
  await assets.getByRole('row', { name: /Cart.*=Dock/ }).waitFor();
  expect(await assets.getByRole('row', { name: /Pump/ }).count()).toBe(0);
  await page.getByLabel('Not seen for (days)').fill('20');
  await page.getByText('Every asset has been seen since.').waitFor();
  await page.goto('/reports?report=unseen');
  await assets.getByRole('row', { name: /Cart/ }).waitFor();
  await look('report-unseen');
});
