import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectAccessible, expectFits } from './support/accessible.js';
import { scan } from './support/scanner.js';
import { fileWorld } from '../support/shared.js';
import { createBrowserWorld, type Person } from './support/world.js';

const world = fileWorld(createBrowserWorld);

/** A hall with two things in it, of three that somebody will scan there, and a tag of its own. */
async function createFixture({ organization }: Person) {
  const { admin } = organization;
  const make = async (name: string, tag: string) =>
    (await admin.assets.create({ name, tags: [{ tag_type: 'barcode', value: tag }] })).data.id;
  const hall = (await admin.locations.create({ name: 'Hall 1', tags: [{ tag_type: 'barcode', value: 'PLACE-1' }] }))
    .data.id;
  const yard = (await admin.locations.create({ name: 'Yard' })).data.id;
  const [pump, drill, cart] = [
    await make('Pump', 'TAG-PUMP'),
    await make('Drill <b>bold</b>', 'TAG-DRILL'),
    await make('Cart', 'TAG-CART'),
  ];
  const submit = (location_id: number, assets: number[], no: number) =>
    admin.scans.submit({
      submission_id: `01J0000000000000000000000${no}`,
      location_id,
      reads: assets.map((asset_id) => ({ asset_id })),
    });
  await submit(hall, [pump, drill], 1);
  await submit(yard, [cart], 2);
  return { hall, yard, pump, drill, cart };
}

function column(page: Page, name: string) {
  return page.getByRole('region', { name });
}

test('a hall is audited: found, missing, unexpected and unassigned, kept over a reload and saved', async () => {
  await using person = await world.person({ role: 'operator' });
  const { page, organization } = person;
  const { hall, pump, drill, cart } = await createFixture(person);
  await page.goto(`/locations/${hall}`);
  await page.getByRole('link', { name: 'Run audit' }).click();
  await page.getByText('0 of 2 assets found').waitFor();
  await column(page, 'Missing').getByText('Drill <b>bold</b>').waitFor();

  await scan(page, 'TAG-PUMP');
  await page.getByText('1 of 2 assets found').waitFor();
  await column(page, 'Found').getByText('Pump').waitFor();
  await scan(page, 'tag-cart');
  await column(page, 'Unexpected').getByText('Last seen in Yard').waitFor();
  await scan(page, 'NOBODY-1');
  await column(page, 'Unexpected').getByText('Unknown tag').waitFor();
  await scan(page, 'PLACE-1');
  await page.getByText('This is a location’s tag. It isn’t counted.').waitFor();
  await scan(page, 'TAG-PUMP');
  await page.getByText('Already scanned').waitFor();

  await page.reload();
  await page.getByText('1 of 2 assets found').waitFor();
  await column(page, 'Unexpected').getByText('Cart').waitFor();
  await column(page, 'Unexpected').getByText('NOBODY-1').waitFor();
  await page.getByRole('button', { name: 'Mark found: Drill <b>bold</b>' }).click();
  await page.getByText('2 of 2 assets found').waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('1 of 2 assets found').waitFor();
  await expectAccessible(page);
  await expectFits(page);
  await person.picture('audit');

  const [before] = (await organization.positions()).filter(({ asset_id }) => asset_id === drill);
  await page.getByRole('button', { name: 'Save audit' }).click();
  await page.getByText('Saved', { exact: true }).waitFor();
  await page.getByText('1 of 2 assets found, 1 missing, 1 unexpected, 1 unassigned.').waitFor();
  const positions = await organization.positions();
  expect(positions.filter(({ location_id }) => location_id === hall).map(({ asset_id }) => asset_id)).toEqual([
    pump,
    drill,
    cart,
  ]);
  // What was missing was not seen.
  expect(positions.find(({ asset_id }) => asset_id === drill)).toEqual(before);
  const unknown = await world.db.unknownTag.findMany({ where: { orgId: organization.orgId } });
  expect(unknown.map(({ value, readerId }) => [value, readerId])).toEqual([['NOBODY-1', null]]);

  await page.getByRole('link', { name: 'Open audit' }).click();
  await page.getByRole('heading', { level: 1, name: 'Audit of Hall 1' }).waitFor();
  await page.getByTestId('audit-found').filter({ hasText: '1 found' }).waitFor();
  await page.getByRole('row', { name: /Cart.*Unexpected.*Yard/ }).waitFor();
  await page.getByText('There is no earlier audit of this location.').waitFor();
  await page.goto(`/locations/${hall}/audit`);
  await page.getByText('0 of 3 assets found').waitFor();
});

test('an audit is discarded after a question, and without a network saved once it is back, and once only', async () => {
  await using person = await world.person();
  const { page, organization } = person;
  const { hall, pump, cart } = await createFixture(person);
  await page.goto(`/locations/${hall}/audit`);
  await page.getByText('0 of 2 assets found').waitFor();
  await scan(page, 'TAG-PUMP');
  await page.getByRole('button', { name: 'Discard' }).click();
  await page.getByRole('button', { name: 'Discard audit' }).click();
  await page.getByText('0 of 2 assets found').waitFor();
  await page.reload();
  await page.getByText('0 of 2 assets found').waitFor();

  const submissions = await world.db.scanSubmission.count({ where: { orgId: organization.orgId } });
  person.problems.allow(/ERR_INTERNET_DISCONNECTED|Failed to load resource/);
  await person.context.setOffline(true);
  await scan(page, 'TAG-PUMP');
  await page.getByText('1 of 2 assets found').waitFor();
  await scan(page, 'TAG-CART');
  await column(page, 'Unexpected').getByText('TAG-CART').waitFor();
  await page.getByRole('button', { name: 'Save audit' }).click();
  await page.getByText('Stored on this device until the service can be reached').waitFor();
  await person.context.setOffline(false);
  await page.getByText('Saved', { exact: true }).waitFor();
  expect(await world.db.scanSubmission.count({ where: { orgId: organization.orgId } })).toBe(submissions + 1);
  const here = (await organization.positions()).filter(({ location_id }) => location_id === hall);
  expect(here.map(({ asset_id }) => asset_id)).toEqual(expect.arrayContaining([pump, cart]));

  await world.db.membership.updateMany({ where: { userId: person.userId }, data: { role: 'viewer' } });
  await page.goto(`/locations/${hall}/audit`);
  await page.getByText('You have view-only access').waitFor();
  expect(await page.getByRole('button', { name: /Add|Save|camera/ }).count()).toBe(0);
});

test('an audit that is sent late says which assets were not moved, as they were seen elsewhere later', async () => {
  await using person = await world.person({ phone: true });
  const { page, organization } = person;
  const { hall, yard, pump } = await createFixture(person);
  await page.goto(`/locations/${hall}/audit`);
  await page.getByText('0 of 2 assets found').waitFor();
  await scan(page, 'TAG-PUMP');
  await scan(page, 'TAG-DRILL');
  await page.getByText('2 of 2 assets found').waitFor();
  person.problems.allow(/ERR_INTERNET_DISCONNECTED|Failed to load resource/);
  await person.context.setOffline(true);
  await page.getByRole('button', { name: 'Save audit' }).click();
  await page.getByText('Stored on this device until the service can be reached').waitFor();
  await organization.admin.scans.submit({
    submission_id: '01J00000000000000000000003',
    location_id: yard,
    reads: [{ asset_id: pump }],
  });
  await person.context.setOffline(false);
  await page.getByText('1 asset was not moved: it was seen elsewhere later.').waitFor();
  const found = column(page, 'Found').getByRole('listitem');
  await found.filter({ hasText: 'PumpNot moved: seen later at Yard' }).waitFor();
  expect(await found.filter({ hasText: 'Drill' }).textContent()).not.toContain('Not moved');
  await expectAccessible(page);
  await expectFits(page);
  await person.picture('audit-not-moved');
});

test('saved audits are listed, opened again, compared and exported', async () => {
  await using person = await world.person({ role: 'operator' });
  const { page, organization } = person;
  const { hall, pump, drill, cart } = await createFixture(person);
  const save = (submission_id: string, reads: ({ asset_id: number } | { value: string })[]) =>
    organization.admin.audits.save({
      submission_id,
      location_id: hall,
      started_at: new Date().toISOString(),
      expected: [pump, drill],
      reads,
    });
  await save('01J00000000000000000000011', [{ asset_id: pump }, { value: '=NOBODY' }]);
  await save('01J00000000000000000000012', [{ asset_id: drill }, { asset_id: cart }]);

  await page.goto(`/locations/${hall}`);
  await page.getByRole('link', { name: 'Audits', exact: true }).click();
  const table = page.getByRole('table', { name: 'Audits' });
  await table.getByRole('row').nth(2).waitFor();
  await page.getByRole('img', { name: /^Assets and tags by outcome/ }).waitFor();
  await expectAccessible(page);
  await expectFits(page);
  await person.picture('audits');

  await table.getByRole('row').nth(1).getByRole('link').first().click();
  await page.getByRole('heading', { level: 1, name: 'Audit of Hall 1' }).waitFor();
  await page.getByTestId('audit-unexpected').filter({ hasText: '1 unexpected' }).waitFor();
  await page.getByLabel('Compare with an earlier audit').selectOption({ index: 1 });
  const changes = page.getByRole('table', { name: /^Compare/ });
  await changes.getByRole('row', { name: /Pump.*Found.*Missing/ }).waitFor();
  await changes.getByRole('row', { name: /Drill.*Missing.*Found/ }).waitFor();
  await expectAccessible(page);
  await expectFits(page);
  await person.picture('audit-saved');

  await page.goto('/audits/01J00000000000000000000011');
  const file = await person.download(() => page.getByRole('button', { name: 'Export CSV' }).click());
  const lines = file.bytes.toString('utf8').split('\r\n');
  expect(lines[0]).toBe('\uFEFFoutcome,name,asset_key,last_location,last_seen_at');
  expect(lines.slice(1, 4).map((line) => line.split(',').slice(0, 2))).toEqual([
    ['missing', 'Drill <b>bold</b>'],
    ['unassigned', "'=NOBODY"],
    ['found', 'Pump'],
  ]);
  await page.goto('/audits/01J00000000000000000000099');
  await page.getByRole('heading', { level: 1, name: 'Audit not found' }).waitFor();
});
