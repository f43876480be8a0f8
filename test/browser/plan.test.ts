import { ulid } from 'ulid';
import { expect, test } from 'vitest';
import { expectAccessible, expectFits } from './support/accessible.js';
import { drawnHall } from './support/drawn-hall.js';
import { fileWorld } from '../support/shared.js';
import { createBrowserWorld } from './support/world.js';

const world = fileWorld(createBrowserWorld);

test('a plan counts live, shows moves and readers, and leads to locations', async () => {
  await using person = await world.person({ role: 'viewer', browser: { reducedMotion: 'no-preference' } });
  const { page, organization } = person;
  const { id, north, south } = await drawnHall(world, organization);
  const pump = (await organization.admin.assets.create({ name: 'Pump', tags: [{ tag_type: 'rfid', value: 'E280AA' }] }))
    .data.id;
  const [inNorth, inSouth] = [
    await organization.reader({ name: 'North gate', location_id: north }),
    await organization.reader({ name: 'South gate', location_id: south }),
  ];
  const read = '{"reads":[{"value":"E280AA"}]}';
  await world.publish(inNorth, read);
  await page.goto(`/locations/${id}?asset=${pump}`);
  await page.getByRole('button', { name: 'North: 1 asset', exact: true }).waitFor();
  await page.getByTestId('plan').getByText('Pump', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Reader North gate: Receiving' }).waitFor();
  await page.getByRole('button', { name: 'Reader South gate: Never connected' }).waitFor();

  const dot = page.locator('[data-asset="Pump"]').waitFor({ state: 'attached' });
  await world.publish(inSouth, read);
  await dot;
  await page.getByRole('button', { name: 'South: 1 asset', exact: true }).waitFor();
  await page.getByRole('button', { name: 'North: 0 assets' }).waitFor();
  await page.locator('[data-asset="Pump"]').waitFor({ state: 'detached' });

  await page.getByRole('button', { name: 'Show as list' }).click();
  await page.getByRole('table', { name: 'Locations on this plan' }).getByRole('row', { name: 'South 1' }).waitFor();
  await page.getByRole('table', { name: 'Readers on this plan' }).getByText('South gate').waitFor();
  await expectAccessible(page);
  await expectFits(page);
  await person.picture('plan');
  expect(await page.getByRole('button', { name: 'Edit plan' }).count()).toBe(0);

  await page.getByRole('button', { name: 'North: 0 assets' }).press('Enter');
  await page.getByRole('heading', { level: 1, name: 'North' }).waitFor();
  await page.goBack();
  await page.getByRole('button', { name: 'South: 1 asset', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'South' }).waitFor();
});

test('an asset leads to the plan that shows it, and home to that of the site', async () => {
  await using person = await world.person({ role: 'viewer', phone: true });
  const { page, organization } = person;
  const { north } = await drawnHall(world, organization);
  const pump = (await organization.admin.assets.create({ name: 'Pump', tags: [{ tag_type: 'rfid', value: 'E280BB' }] }))
    .data.id;
  await world.publish(await organization.reader({ location_id: north }), '{"reads":[{"value":"E280BB"}]}');
  await page.goto(`/assets/${pump}`);
  await page.getByRole('link', { name: 'Show on floor plan' }).click();
  await page.getByRole('heading', { level: 1, name: 'Hall' }).waitFor();
  expect(new URL(page.url()).search).toBe(`?asset=${pump}`);
  await page.getByTestId('plan').getByText('Pump', { exact: true }).waitFor();
  await page.goto('/');
  await page.getByRole('button', { name: 'North: 1 asset', exact: true }).waitFor();
  await page.getByRole('link', { name: 'Hall' }).waitFor();
  await expectFits(page);
});
test('a plan shows what was where at an instant, and the moves of a replay', async () => {
  await using person = await world.person({ role: 'viewer', browser: { reducedMotion: 'no-preference' } });
  const { page, organization } = person;
  const { admin } = organization;
  const { id, north, south } = await drawnHall(world, organization);
  const pump = (await admin.assets.create({ name: 'Pump' })).data.id;
  const nowMs = Date.now();
  const before = (minutes: number) => new Date(nowMs - minutes * 60_000).toISOString();
  for (const [location_id, minutes] of [
    [north, 180],
    [south, 30],
  ] as const) {
    const observed_at = before(minutes);
    await admin.scans.submit({ submission_id: ulid(), location_id, reads: [{ asset_id: pump }], observed_at });
  }
  await page.goto(`/locations/${id}`);
  await page.getByRole('button', { name: 'South: 1 asset', exact: true }).waitFor();
  await page.getByRole('button', { name: 'North: 0 assets' }).waitFor();

  const slider = page.getByRole('slider', { name: 'Time shown' });
  await slider.press('PageDown');
  await page.getByRole('button', { name: 'North: 1 asset', exact: true }).waitFor();
  await page.getByRole('button', { name: 'South: 0 assets' }).waitFor();
  for (let hours = 1; hours < 4; hours += 1) await slider.press('PageDown');
  await page.getByRole('button', { name: 'North: 0 assets' }).waitFor();

  // A replay from 33 minutes ago passes the move within seconds.
  await page.goto(`/locations/${id}?at=${before(33)}`);
  await page.getByRole('button', { name: 'North: 1 asset', exact: true }).waitFor();
  const dot = page.locator('[data-asset="Pump"]').waitFor({ state: 'attached' });
  await page.getByRole('button', { name: 'Replay, one hour per minute' }).click();
  await dot;
  await page.getByRole('button', { name: 'South: 1 asset', exact: true }).waitFor();
  await page.getByRole('button', { name: 'Pause replay' }).click();
  expect(new URL(page.url()).searchParams.get('at')).not.toBeNull();
});

test('the search opens the plan of a location', async () => {
  await using person = await world.person({ role: 'viewer', phone: true });
  const { page, organization } = person;
  const { id } = await drawnHall(world, organization);
  await page.goto('/assets');
  await page.getByRole('button', { name: 'Search' }).tap();
  await page.getByLabel('Search assets, locations').fill('hall plan');
  const option = page.getByRole('dialog').getByRole('option', { name: 'Hall Floor plan' });
  await option.waitFor();
  await expectAccessible(page);
  await option.tap();
  await page.waitForURL(`**/locations/${id}#floor-plan`);
  await page.getByTestId('plan').waitFor();
  await expect.poll(() => page.evaluate(() => Math.round(window.scrollY))).toBeGreaterThan(0);
  const isAtTop = async () => {
    const top = (await page.getByRole('region', { name: 'Floor plan' }).boundingBox())?.y ?? Number.NaN;
    return top > 0 && top < 150;
  };
  await expect.poll(isAtTop).toBe(true);
});
