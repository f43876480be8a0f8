import { ulid } from 'ulid';
import { expect, test } from 'vitest';
import { expectAccessible, expectFits } from './support/accessible.js';
import { fileWorld } from '../support/shared.js';
import { createBrowserWorld, type Person } from './support/world.js';

const world = fileWorld(createBrowserWorld);

const minuteMs = 60_000;

/** A hall in a site, where a pump was until half an hour ago, and a drill since then. */
async function createFixture({ organization }: Person) {
  const { admin } = organization;
  const site = (await admin.locations.create({ name: 'Site' })).data.id;
  const hall = (await admin.locations.create({ name: 'Hall', parent_id: site })).data.id;
  const yard = (await admin.locations.create({ name: 'Yard' })).data.id;
  const pump = (await admin.assets.create({ name: 'Pump' })).data.id;
  const drill = (await admin.assets.create({ name: 'Drill' })).data.id;
  const nowMs = Date.now();
  const scan = (location_id: number, asset_id: number, minutesAgo: number) =>
    admin.scans.submit({
      submission_id: ulid(),
      location_id,
      reads: [{ asset_id }],
      observed_at: new Date(nowMs - minutesAgo * minuteMs).toISOString(),
    });
  await scan(hall, pump, 180);
  await scan(yard, drill, 180);
  await scan(yard, pump, 30);
  await scan(hall, drill, 30);
  return { site, hall, nowMs };
}

test('a location shows what was there: by keyboard, by time, in a replay, and in its address', async () => {
  await using person = await world.person({ role: 'viewer' });
  const { page } = person;
  const { site, nowMs } = await createFixture(person);
  await page.goto(`/locations/${site}`);
  const now = page.getByRole('table', { name: 'Assets here now' });
  const then = page.getByRole('table', { name: 'Assets here then' });
  await now.getByRole('link', { name: 'Drill' }).waitFor();
  expect(await now.getByRole('link', { name: 'Pump' }).count()).toBe(0);

  // An hour back with one key.
  const slider = page.getByRole('slider', { name: 'Time shown' });
  await slider.focus();
  await page.keyboard.press('PageDown');
  await then.getByRole('link', { name: 'Pump' }).waitFor();
  expect(await then.getByRole('link', { name: 'Drill' }).count()).toBe(0);
  const at = new URL(page.url()).searchParams.get('at') ?? '';
  expect(nowMs - Date.parse(at)).toBeGreaterThan(50 * minuteMs);
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => new URL(page.url()).searchParams.get('at')).not.toBe(at);
  await expectAccessible(page);
  await expectFits(page);
  await person.picture('time-slider');

  // The URL alone restores the same view.
  await page.reload();
  await then.getByRole('link', { name: 'Pump' }).waitFor();
  await page.getByRole('button', { name: 'Now', exact: true }).click();
  await now.getByRole('link', { name: 'Drill' }).waitFor();
  await expect.poll(() => new URL(page.url()).search).toBe('');

  // Four hours ago nothing had been seen.
  const local = new Date(nowMs - 240 * minuteMs - new Date(nowMs).getTimezoneOffset() * minuteMs);
  await page.getByLabel('Exact time').fill(local.toISOString().slice(0, 19));
  await page.getByLabel('Exact time').press('Enter');
  await page.getByText('Nothing was here then').waitFor();
  // What is below it was not there either; what is of the present says so.
  const sublocations = page.getByRole('region', { name: 'Sublocations' });
  await sublocations.getByText('0 assets').waitFor();
  await page.getByRole('heading', { name: 'Left within 7 days now' }).waitFor();
  const bar = page.getByRole('region', { name: 'Instant shown' });
  await bar.getByRole('button', { name: 'Back to now' }).click();
  await sublocations.getByText('1 asset').waitFor();
  await page.getByRole('heading', { name: 'Left within 7 days', exact: true }).waitFor();
  expect(await bar.count()).toBe(0);

  // A replay from 33 minutes ago passes the moves within seconds.
  await page.goto(`/locations/${site}?at=${new Date(nowMs - 33 * minuteMs).toISOString()}`);
  await then.getByRole('link', { name: 'Pump' }).waitFor();
  await page.getByRole('button', { name: 'Replay, one hour per minute' }).click();
  await then.getByRole('link', { name: 'Drill' }).waitFor();
  await page.getByRole('button', { name: 'Pause replay' }).click();
  await expect
    .poll(() => Date.parse(new URL(page.url()).searchParams.get('at') ?? ''))
    .toBeGreaterThan(nowMs - 31 * minuteMs);

  // What is no instant is dropped from the address.
  await page.goto(`/locations/${site}?at=tomorrow`);
  await page.getByText('Some filters were ignored').waitFor();
  await now.waitFor();
  await expect.poll(() => new URL(page.url()).search).toBe('');
});
