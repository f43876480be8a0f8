import { expect, test } from 'vitest';
import { expectAccessible, expectFits } from './support/accessible.js';
import { fileWorld } from '../support/shared.js';
import { createBrowserWorld } from './support/world.js';

const world = fileWorld(createBrowserWorld);

test('one location shows what comes and goes as it happens, and keeps its tags', async () => {
  await using person = await world.person();
  const { page, organization } = person;
  const { admin } = organization;
  const hostile = `Hall \u202e<img src=x onerror=alert(1)> ${'👩‍🚀'.repeat(40)}`;
  const site = (await admin.locations.create({ name: 'Site' })).data.id;
  const hall = (await admin.locations.create({ name: hostile, parent_id: site })).data.id;
  const yard = (await admin.locations.create({ name: 'Yard', parent_id: site })).data.id;
  const pump = (await admin.assets.create({ name: 'Pump', tags: [{ tag_type: 'rfid', value: 'E280AA' }] })).data.id;
  const [inHall, inYard] = [
    await organization.reader({ name: 'Gate', antennas: [{ port: 1, location_id: hall }] }),
    await organization.reader({ name: 'Yard gate', location_id: yard }),
  ];
  await page.goto(`/locations/${hall}`);
  await page.getByText('Nothing is here now').waitFor();
  await page.getByRole('navigation', { name: 'Path' }).getByRole('link', { name: 'Site' }).waitFor();
  await page.getByText('Antenna 1').waitFor();

  const read = '{"reads":[{"value":"E280AA","antenna":1}]}';
  await world.publish(inHall, read);
  const here = page.getByRole('table', { name: 'Assets here now' });
  await here.getByRole('link', { name: 'Pump' }).waitFor();
  await expectAccessible(page);
  await expectFits(page);
  await person.picture('location');
  await world.publish(inYard, read);
  const left = page.getByRole('table', { name: 'Assets that left' });
  await left.getByRole('link', { name: 'Pump' }).waitFor();
  await left.getByRole('link', { name: 'Yard' }).waitFor();
  await page.getByText('Nothing is here now').waitFor();

  // From the site everything below can be seen too.
  await page.getByRole('navigation', { name: 'Path' }).getByRole('link', { name: 'Site' }).click();
  await page.getByRole('heading', { level: 1, name: 'Site' }).waitFor();
  await here.getByRole('link', { name: 'Yard' }).waitFor();
  await page.getByRole('switch', { name: 'Include sublocations' }).click();
  await page.getByText('Assets in sublocations aren’t listed.').waitFor();
  expect(new URL(page.url()).search).toBe('?sublocations=false');

  person.problems.allow(/409/);
  await page.getByLabel('Type').selectOption('rfid');
  await page.getByLabel('Tag ID').fill('E280AA');
  await page.getByRole('button', { name: 'Attach tag' }).click();
  await page.getByText('Tag E280AA is already attached').waitFor();
  expect(await page.getByLabel('Tag ID').inputValue()).toBe('E280AA');
  await page.getByLabel('Tag ID').fill('SITE-1');
  await page.getByRole('button', { name: 'Attach tag' }).click();
  await page.getByRole('button', { name: 'Detach SITE-1' }).waitFor();
  expect((await admin.locations.get({ location_id: site })).data.tags).toMatchObject([{ value: 'SITE-1' }]);
  await page.getByRole('button', { name: 'Detach SITE-1' }).click();
  await page.getByText('No tags yet').waitFor();
  expect(await organization.positions()).toMatchObject([{ asset_id: pump, location_id: yard }]);
});

test('two people who edit one location see the conflict, and no input is lost', async () => {
  await using ada = await world.person();
  await using ben = await world.person({ role: 'manager', organization: ada.organization });
  const { admin } = ada.organization;
  const hall = (await admin.locations.create({ name: 'Hall' })).data.id;
  for (const { page } of [ada, ben]) {
    await page.goto(`/locations/${hall}`);
    await page.getByRole('button', { name: 'Edit' }).click();
  }
  await ada.page.getByLabel('Name').fill('Hall of Ada');
  await ada.page.getByRole('button', { name: 'Save', exact: true }).click();
  await ada.page.getByRole('heading', { level: 1, name: 'Hall of Ada' }).waitFor();

  ben.problems.allow(/400/);
  await ben.page.getByLabel('Description').fill('By Ben');
  await ben.page.getByLabel('Key').fill('HALL-1');
  await ben.page.getByRole('button', { name: 'Save', exact: true }).click();
  const notice = ben.page.getByRole('alert').filter({ hasText: 'Somebody else changed this location' });
  await notice.getByText('Hall of Ada').waitFor();
  expect(await ben.page.getByLabel('Description').inputValue()).toBe('By Ben');
  await expectAccessible(ben.page);
  await ben.picture('location-conflict');
  await ben.page.getByLabel('Name').fill('Hall of both');
  await notice.getByRole('button', { name: 'Save mine over it' }).click();
  await ben.page.getByRole('heading', { level: 1, name: 'Hall of both' }).waitFor();
  expect((await admin.locations.get({ location_id: hall })).data).toMatchObject({
    name: 'Hall of both',
    description: 'By Ben',
    external_key: 'HALL-1',
  });

  // Her page would ask for the deleted location, which browsers log.
  await ada.page.goto('/locations');
  await ada.page.getByRole('heading', { level: 1, name: 'Locations' }).waitFor();
  await ben.page.getByRole('button', { name: 'Delete' }).click();
  await ben.page.getByText('No locations yet').waitFor();
});

test('a manager calibrates a location with an asset that is there', async () => {
  await using person = await world.person({ role: 'manager' });
  const { page, organization } = person;
  const { admin } = organization;
  const aisle = (await admin.locations.create({ name: 'Aisle C' })).data.id;
  const next = (await admin.locations.create({ name: 'Aisle D' })).data.id;
  await admin.assets.create({ name: 'Pallet', tags: [{ tag_type: 'rfid', value: 'E280CC' }] });
  await admin.assets.create({ name: 'Crate' });
  const reader = await organization.reader({
    name: 'Shelf reader',
    location_rule: 'evidence',
    antennas: [
      { port: 1, location_id: aisle },
      { port: 2, location_id: next },
    ],
  });
  await page.clock.install();
  await page.goto(`/locations/${aisle}`);
  const section = page.getByRole('region', { name: 'Calibration' });
  await section.getByText('Nothing learned yet').waitFor();
  await section.getByText('own tag calibrates it too').waitFor();

  // An asset without a tag cannot be read, and the choice stays.
  await section.getByRole('button', { name: 'Calibrate' }).click();
  const dialog = page.getByRole('dialog', { name: 'Calibrate Aisle C' });
  const chooseAsset = async (name: string) => {
    await dialog.locator('input').and(dialog.getByLabel('Asset')).click();
    await page.getByRole('option', { name }).click();
  };
  person.problems.allow(/400/);
  await chooseAsset('Crate');
  await dialog.getByRole('button', { name: 'Start' }).click();
  await dialog.getByText('This asset has no RFID or BLE tag').waitFor();
  await chooseAsset('Pallet');
  await dialog.getByRole('button', { name: 'Start' }).click();
  await dialog.getByText('Waiting for reads').waitFor();

  for (const [antenna, rssi_dbm] of [
    [1, -60],
    [2, -52],
  ]) {
    await world.publish(reader, JSON.stringify({ reads: [{ value: 'E280CC', antenna, rssi_dbm }] }));
  }
  const reads = dialog.getByRole('table', { name: 'Antennas that read the asset' });
  await reads.getByText('Antenna 1, Aisle C').waitFor();
  await reads.getByText('−52 dBm').waitFor();
  expect(await dialog.getByRole('timer').innerText()).toMatch(/\d+ s left|1 min left/);
  await expectAccessible(page);
  await expectFits(page);
  await person.picture('calibrate');
  expect(await organization.positions()).toMatchObject([{ location_id: aisle }]);

  // Ten seconds of reads teach a picture; the clock of the service does not advance with the clock of the page.
  const learnedAntenna = { reader: reader.id, port: 1, location: aisle, visits: 5, sum_db: 0, gap_ms: 0 };
  await world.db.locationPicture.create({
    data: { orgId: organization.orgId, locationId: aisle, visits: 5, antennas: [learnedAntenna] },
  });
  await page.clock.fastForward(61_000);
  await dialog.getByText('2 antennas read the asset').waitFor();
  await dialog.getByRole('button', { name: 'Done' }).click();
  const learned = section.getByRole('table', { name: 'What was learned of this location' });
  await learned.getByText('Shelf reader').first().waitFor();
  await expectAccessible(page);
  await person.picture('calibrated');

  await section.getByRole('button', { name: 'Reset' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Reset calibration' }).click();
  await section.getByText('Nothing learned yet').waitFor();
  await page.setViewportSize({ width: 360, height: 740 });
  await expectFits(page);

  await world.db.membership.updateMany({ where: { userId: person.userId }, data: { role: 'viewer' } });
  await page.reload();
  await section.waitFor();
  expect(await page.getByRole('button', { name: 'Calibrate' }).count()).toBe(0);
});
