import type { Page } from 'playwright-core';
import { ulid } from 'ulid';
import { expect, test } from 'vitest';
import { png } from '../support/pictures.js';
import { fileWorld } from '../support/shared.js';
import type { ScanOrganization } from '../support/scan-world.js';
import { expectAccessible, expectFits } from './support/accessible.js';
import { scan } from './support/scanner.js';
import { createBrowserWorld } from './support/world.js';

// Somebody makes an asset, gives it a tag, and follows where it goes.

const world = fileWorld(createBrowserWorld);

async function namedLocation(organization: ScanOrganization, name: string, parentId?: number): Promise<number> {
  const { data } = await organization.admin.locations.create({ name, ...(parentId ? { parent_id: parentId } : {}) });
  return data.id;
}

const region = (page: Page, name: string) => page.getByRole('region', { name });

test('visits have their duration beside a long path of locations', async () => {
  await using person = await world.person({ role: 'manager' });
  const { page, organization } = person;
  const site = await namedLocation(organization, 'Riverside distribution center');
  const hall = await namedLocation(organization, 'Main hall', site);
  const bay = await namedLocation(organization, 'High bay', hall);
  const locations = [
    await namedLocation(organization, 'Aisle H', bay),
    await namedLocation(organization, 'Aisle K', bay),
  ];
  const cart = await organization.asset({ name: 'Cart 1' });
  for (const location_id of locations) {
    await organization.admin.scans.submit({ submission_id: ulid(), location_id, reads: [{ asset_id: cart }] });
  }
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(`/assets/${cart}`);
  const table = region(page, 'History').getByRole('group', { name: 'Visits, newest first, table' });
  await table.getByRole('row').nth(2).waitFor();
  expect(await table.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
});

test('from a new asset to the locations it went to', async () => {
  await using person = await world.person({ role: 'manager' });
  const { page, organization } = person;
  person.problems.allow(/400/);
  const site = await namedLocation(organization, 'Site');
  const hall = await namedLocation(organization, 'Hall', site);
  const yard = await namedLocation(organization, 'Yard', site);
  const gate = await organization.reader({ name: 'Gate', location_id: hall, resolution_seconds: 0 });
  const fence = await organization.reader({ name: 'Fence', location_id: yard, resolution_seconds: 0 });

  await page.goto('/assets');
  await page.getByRole('link', { name: 'New asset' }).click();
  await page.getByRole('heading', { name: 'New asset' }).waitFor();
  await expectAccessible(page);
  await page.getByLabel('Key', { exact: true }).fill('not a key');
  await page.getByRole('button', { name: 'Add tag' }).click();
  await page.getByLabel('Value of tag 1').fill('E2801190AA01');
  await page.getByRole('button', { name: 'Add field' }).click();
  await page.getByLabel('Name of field 1').fill('serial');
  await page.getByLabel('Value of field 1').fill('0042');
  await page.getByRole('button', { name: 'Create asset' }).click();
  await page.getByText('Enter a name').waitFor();
  await page.getByText('Use letters, digits and hyphens only').waitFor();
  expect(await page.getByLabel('Value of tag 1').inputValue()).toBe('E2801190AA01');
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Forklift');
  await page.getByLabel('Key', { exact: true }).fill('');
  await page.getByRole('button', { name: 'Create asset' }).click();

  await page.getByRole('heading', { name: 'Forklift', level: 1 }).waitFor();
  await region(page, 'Current location').getByText('Not seen yet').waitFor();
  await region(page, 'Details').getByText('0042').waitFor();
  await region(page, 'Details').getByText('ASSET-0001').waitFor();

  await page.getByRole('button', { name: 'Attach by scanning' }).click();
  await page.getByText('Scan a tag with a keyboard scanner').waitFor();
  await scan(page, 'E2801190AA02');
  await region(page, 'Tags').getByTitle('E2801190AA02').waitFor();

  const payload = (tag: string, at: number) =>
    JSON.stringify({ reads: [{ value: tag, observed_at: new Date(at).toISOString() }] });
  const nowMs = Date.now();
  await world.publish(gate, payload('E2801190AA01', nowMs - 3_605_000));
  await region(page, 'Current location').getByText('Hall').waitFor();
  await region(page, 'Current location').getByText('by Gate').waitFor();
  await world.publish(fence, payload('E2801190AA02', nowMs - 605_000));
  await region(page, 'Current location').getByText('Yard').waitFor();
  const history = region(page, 'History');
  const visits = history.getByRole('table', { name: 'Visits, newest first' }).locator('tbody tr');
  await visits.nth(1).waitFor();
  expect(await visits.nth(0).innerText()).toMatch(/Site\s*Yard[\s\S]*now, last seen 1\d minutes ago\s*1\d min/);
  expect(await visits.nth(1).innerText()).toMatch(/Site\s*Hall[\s\S]*\d:\d\d:\d\d[\s\S]*50 min/);
  const legend = history.getByRole('list', { name: 'Time at each location' }).getByRole('listitem');
  await expect.poll(() => legend.allInnerTexts()).toEqual(['Hall 50 min', expect.stringMatching(/^Yard 1\d min$/)]);
  const file = await person.download(() => history.getByRole('button', { name: 'Download CSV' }).click());
  expect(file.bytes.toString()).toMatch(/^\uFEFFlocation,location_external_key,arrived_at,[\s\S]*\r\nSite › Hall,LOC-/);
  await history.getByText('31 days').click();
  await page.waitForURL(/from=\d{4}-\d\d-\d\d&to=/);
  await history.getByLabel('From').fill('2020-01-01');
  await history.getByText('No visits on these days.').waitFor();
  expect(new URL(page.url()).searchParams.get('to')).toBe('2020-01-31');
  await history.getByText('7 days').click();
  await visits.nth(1).waitFor();
  await expectAccessible(page);
  await expectFits(page);
  await person.picture('asset');
  const desk = page.viewportSize();
  await page.setViewportSize({ width: 390, height: 844 });
  const lines = history.getByRole('list', { name: 'Visits, newest first' }).getByRole('listitem');
  await lines.nth(1).waitFor();
  expect(await lines.nth(1).innerText()).toMatch(/^Hall · .*\d:\d\d.* · 50 min$/);
  if (desk) await page.setViewportSize(desk);

  await region(page, 'Tags').getByRole('button', { name: 'Detach E2801190AA01' }).click();
  await region(page, 'Tags').getByTitle('E2801190AA01').waitFor({ state: 'detached' });
  const detached = page.getByRole('alert').filter({ hasText: 'Tag E2801190AA01 detached' });
  await detached.getByRole('button', { name: 'Undo' }).press('Enter');
  await region(page, 'Tags').getByTitle('E2801190AA01').waitFor();
  await page.getByText('Tag E2801190AA01 attached again').waitFor();

  await page.getByRole('button', { name: 'Change key' }).click();
  await page.getByRole('dialog').getByLabel('Key').fill('FORK-1');
  await page.getByRole('dialog').getByRole('button', { name: 'Change key' }).click();
  await region(page, 'Details').getByText('FORK-1').waitFor();

  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('heading', { name: 'No assets yet' }).waitFor();
  await page.getByRole('alert').filter({ hasText: 'Forklift' }).getByRole('button', { name: 'Undo' }).click();
  await page.getByText('Forklift restored').waitFor();
  await page.getByRole('link', { name: 'Forklift' }).click();
  await region(page, 'Details').getByText('FORK-1').waitFor();

  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('heading', { name: 'No assets yet' }).waitFor();
  await page.getByRole('link', { name: 'Deleted', exact: true }).click();
  await page.getByText('Asset · FORK-1').waitFor();
  await expectAccessible(page);
  const other = await organization.asset({ name: 'Usurper', externalKey: 'FORK-1' });
  await page.getByRole('button', { name: 'Restore Forklift' }).click();
  await page.getByRole('dialog').getByText('Usurper has the key FORK-1 now').waitFor();
  await page.keyboard.press('Escape');
  await organization.deleteAsset(other);
  await page.getByRole('button', { name: 'Restore Forklift' }).click();
  await page.getByText('Nothing was deleted').waitFor({ state: 'hidden' });
  await page.getByRole('button', { name: 'Restore Forklift' }).waitFor({ state: 'hidden' });
});

test('photos are added, looked at and deleted, and a taken tag is rejected with the service’s message', async () => {
  await using person = await world.person({ role: 'manager' });
  const { page, organization } = person;
  await organization.asset({ tags: [['rfid', 'TAKEN']] });
  const id = await organization.asset();
  await page.goto(`/assets/${id}`);
  const photos = region(page, 'Photos');
  await photos.getByText('No photos yet.').waitFor();
  const heic = Buffer.from('\0\0\0\x18ftypheic\0\0\0\0', 'latin1');
  await photos.getByLabel('Photo file').setInputFiles({ name: 'p.jpg', mimeType: 'image/jpeg', buffer: heic });
  await photos.getByRole('alert').filter({ hasText: 'This photo has the format HEIC' }).waitFor();
  await photos.getByLabel('Photo file').setInputFiles({ name: 'p.png', mimeType: 'image/png', buffer: await png() });
  await photos.getByRole('button', { name: 'Photo 1 of A thing' }).locator('img').waitFor();
  await expectFits(page);
  await photos
    .getByLabel('Photo file')
    .setInputFiles({ name: 'p.png', mimeType: 'image/png', buffer: Buffer.from('<svg onload=alert(1)>') });
  await photos.getByRole('alert').waitFor();
  person.problems.allow(/400/);
  await photos.getByRole('button', { name: 'Photo 1 of A thing' }).click();
  await page.getByRole('img', { name: 'Photo of A thing' }).waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Delete', exact: true }).last().click();
  await photos.getByText('No photos yet.').waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await photos.getByRole('button', { name: 'Photo 1 of A thing' }).waitFor();

  await page.getByLabel('Tag ID', { exact: true }).fill('TAKEN');
  await page.getByRole('button', { name: 'Attach tag' }).click();
  await page.getByText('Tag TAKEN is already attached').waitFor();
  expect(await page.getByLabel('Tag ID', { exact: true }).inputValue()).toBe('TAKEN');
  person.problems.allow(/409/);
});

const hostile = [
  '<img src=x onerror="document.title=1">',
  '\u202Eright to left\u202C \u2067\u05D0\u05D1\u05D2\u2069',
  '😀'.repeat(255),
  'W'.repeat(255),
];

test('hostile names are texts, and break nothing', async () => {
  await using person = await world.person({ role: 'manager', phone: true });
  const { page, organization } = person;
  const ids = new Map<string, number>();
  for (const name of hostile) {
    const locationId = await namedLocation(organization, name);
    const { data } = await organization.admin.assets.create({
      name,
      description: name,
      metadata: { [name]: name },
      tags: [{ tag_type: 'barcode', value: name }],
    });
    await world.db.assetPosition.create({
      data: {
        orgId: organization.orgId,
        assetId: data.id,
        locationId,
        assetLastSeen: new Date(),
        locatedSince: new Date(),
      },
    });
    ids.set(name, data.id);
  }
  await page.goto('/assets');
  for (const name of hostile) await page.locator('tbody').getByText(name, { exact: true }).first().waitFor();
  await expectFits(page);
  for (const [name, id] of ids) {
    await page.goto(`/assets/${id}`);
    await page.getByRole('heading', { level: 1 }).getByText(name, { exact: true }).waitFor();
    await expectFits(page);
    expect(await page.locator('main img').count()).toBe(0);
    await expect.poll(() => page.title()).toBe(`${name} · Whereabouts`);
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    expect(await page.getByRole('textbox', { name: 'Name', exact: true }).inputValue()).toBe(name);
    await expectFits(page);
  }
});

test('what is not there, was deleted or is somebody else’s looks the same', async () => {
  await using person = await world.person({ role: 'viewer' });
  const { page, organization } = person;
  const foreign = await (await world.organization()).asset();
  const deleted = await organization.asset();
  await organization.deleteAsset(deleted);
  person.problems.allow(/404/);
  for (const id of [foreign, deleted, 'nonsense']) {
    await page.goto(`/assets/${id}`);
    await page.getByRole('heading', { name: "This asset doesn't exist" }).waitFor();
  }
  await expectAccessible(page);
  const mine = await organization.asset({ tags: [['rfid', 'V1']] });
  await page.goto(`/assets/${mine}`);
  await region(page, 'Tags').getByText('V1').waitFor();
  for (const name of ['Edit', 'Delete', 'Change key', 'Attach tag', 'Add photo', /Detach/]) {
    expect(await page.getByRole('button', { name }).count()).toBe(0);
  }
});

test('why an asset is where it is stands below its location, and follows new reads', async () => {
  await using person = await world.person({ role: 'viewer' });
  const { page, organization } = person;
  const aisle = await namedLocation(organization, 'Aisle C');
  const dock = await namedLocation(organization, 'Dock 1');
  const asset = await organization.asset({ tags: [['rfid', 'E280EE']] });
  const reader = await organization.reader({
    name: 'Gate',
    location_rule: 'evidence',
    antennas: [
      { port: 1, location_id: aisle },
      { port: 2, location_id: dock, kind: 'portal' },
    ],
  });
  const publish = (antenna: number, rssi_dbm: number) =>
    world.publish(reader, JSON.stringify({ reads: [{ value: 'E280EE', antenna, rssi_dbm }] }));
  await page.goto(`/assets/${asset}`);
  await region(page, 'Current location').getByText('Not seen yet').waitFor();
  expect(await region(page, 'Why here?').count()).toBe(0);

  await publish(1, -55);
  const why = region(page, 'Why here?');
  await why.getByText(/^Confidence: (High|Medium|Low) \(\d+%\)$/).waitFor();
  await why.getByText('First seen at Aisle C.').waitFor();
  await publish(2, -82);
  const rows = why.getByRole('table', { name: 'Locations that hear it' }).locator('tbody tr');
  await rows.nth(1).waitFor();
  expect(await rows.nth(0).innerText()).toMatch(/Aisle C\s+Gate, antenna 1\s+−55\sdBm[\s\S]+Is here/);
  expect(await rows.nth(1).innerText()).toMatch(/Dock 1\s+Gate, portal antenna 2\s+−82\sdBm[\s\S]+dB behind/);
  await expectFits(page);
  await person.picture('asset-why');

  const elsewhere = await namedLocation(organization, 'Repair shop');
  await organization.admin.scans.submit({
    submission_id: '01J00000000000000000000001',
    location_id: elsewhere,
    reads: [{ asset_id: asset }],
  });
  await why.getByText('Scanned at Repair shop with a handheld.').waitFor();
  await page.setViewportSize({ width: 360, height: 740 });
  await expectFits(page);
  await expectAccessible(page);
  await person.picture('asset-why-phone');
});

test('what a tag measures is shown with its last 30 days, found by a low battery, and watched by a rule', async () => {
  await using person = await world.person({ role: 'manager' });
  const { page, organization } = person;
  const gateway = await organization.reader({ format: 'theengs', location_id: await organization.location() });
  const [fridge, other] = ['F95BC0EC4E56', 'F95BC0EC4E57'];
  const id = await organization.asset({ name: 'Fridge', tags: [['ble', fridge]] });
  await organization.asset({ name: 'Freezer', tags: [['ble', other]] });
  const measure = (tag: string, hoursAgo: number, values: object) => {
    const unixtime = Math.floor(Date.now() / 1000) - hoursAgo * 3600;
    return world.publish(gateway, JSON.stringify({ id: tag, rssi: -60, unixtime, ...values }));
  };
  for (const [hoursAgo, tempc] of [4, 9.5, 9, 9, 5.5].entries()) await measure(fridge, 48 - hoursAgo, { tempc });
  await measure(fridge, 0, { tempc: 6, batt: 15 });
  await measure(other, 0, { batt: 80 });

  await page.goto(`/assets/${id}`);
  const tags = region(page, 'Tags');
  await tags.getByText('Temperature 6 °C').waitFor();
  await tags.getByText('Battery 15 %').waitFor();
  await tags.getByRole('button', { name: `Last 30 days of ${fridge}` }).click();
  const chart = tags.getByRole('img', { name: 'Temperature, 4 to 9.5 °C in the last 30 days' });
  await chart.locator('.recharts-line-curve[d*="L"]').waitFor();
  expect(await chart.locator('.recharts-line-dot').count()).toBe(6);
  await tags.getByRole('img', { name: 'Battery, 15 % in the last 30 days' }).waitFor();
  await expectAccessible(page);
  await expectFits(page);
  await person.picture('telemetry');

  await page.getByRole('button', { name: 'Tell me when…' }).click();
  await page.getByRole('menuitem', { name: '… it is too warm' }).click();
  await page.getByLabel('For longer than').fill('1');
  await page.getByLabel('Unit').selectOption({ label: 'hours' });
  const preview = region(page, 'Preview');
  await preview.getByText('Would have fired at least 1 time in the last 7 days.').waitFor();
  await preview.getByText('Fridge has 9.5 °C, above 8 °C').waitFor();

  await page.goto('/assets?battery_low=true');
  await page.getByRole('link', { name: 'Fridge' }).waitFor();
  expect(await page.getByRole('link', { name: 'Freezer' }).count()).toBe(0);
});
