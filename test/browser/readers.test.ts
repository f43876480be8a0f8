import { connectAsync } from 'mqtt';
import { expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { pollOptions } from '../support/poll-options.js';
import { expectAccessible, expectFits } from './support/accessible.js';
import { fileWorld } from '../support/shared.js';
import { createBrowserWorld } from './support/world.js';

const world = fileWorld(createBrowserWorld);

const zebra = '{"type":"INVENTORY","data":{"idHex":"e2801190a503006543e21224","antenna":2,"peakRssi":-41}}';
const hostile = '<img src=x onerror="alert(1)">\u202Egnp.exe';

/** Returns the content of a field that can be copied. */
const shown = (page: Page, label: string) =>
  page
    .locator('code')
    .and(page.getByLabel(label, { exact: true }))
    .innerText();

/** Returns what the page shows for configuring a reader. */
async function typedIn(page: Page) {
  const options = {
    username: await shown(page, 'User name'),
    password: await shown(page, 'Password'),
    clientId: await shown(page, 'Client ID'),
    reconnectPeriod: 0,
  };
  const url = `mqtt://${await shown(page, 'Broker address')}:${await shown(page, 'Port')}`;
  return { url, options, topic: await shown(page, 'Topic') };
}

/** A changed setting holds for an open connection a moment later. */
async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds()));
}

test('a reader added, typed in as shown, and seen to speak', async () => {
  await using ada = await world.person({ role: 'admin' });
  const { page, organization } = ada;
  const dock = await organization.location();

  await page.goto('/readers');
  await page.getByRole('heading', { name: 'No readers yet' }).waitFor();
  await page.getByRole('link', { name: 'Add your first reader' }).click();

  // Without a name the service says what is missing, and nothing typed is lost.
  await page.getByLabel('Location', { exact: true }).and(page.locator('input')).click();
  await page.getByRole('option', { name: 'A thing' }).click();
  ada.problems.allow(/status of 400/);
  await page.getByRole('button', { name: 'Add reader' }).click();
  await page.getByText('Enter a name').waitFor();
  await page.getByLabel('Name').fill(hostile);
  await page.getByLabel('Format').and(page.locator('input')).click();
  await page.getByRole('option', { name: 'CSL CS463' }).click();
  await page.getByRole('button', { name: 'Add antenna' }).click();
  await expectAccessible(page);
  await expectFits(page);
  await page.getByRole('button', { name: 'Add reader' }).click();

  await page.getByRole('heading', { level: 1, name: 'added' }).waitFor();
  await page.getByText('Waiting for the reader to connect').waitFor();
  await expectAccessible(page);
  await ada.picture('reader-credentials');
  const { url, options, topic } = await typedIn(page);
  expect(await shown(page, 'Test command')).toContain(`-P '${options.password}'`);

  await expect(connectAsync(url, { ...options, password: 'a wrong one' })).rejects.toThrow('Bad username or password');
  await page.getByText('Login refused').waitFor();
  await page.getByText('wrong password').waitFor();

  const client = await connectAsync(url, options);
  await page.getByText('Waiting for its first message').waitFor();
  await client.publishAsync(topic, '{"half a', { qos: 1 });
  await page.getByText('The message is not valid JSON: error at offset 1').waitFor();

  // Another vendor's message: its format is recognized, and a click away.
  await client.publishAsync(topic, zebra, { qos: 1 });
  await page.getByText('These messages look like Zebra IoT Connector').waitFor();
  await page.getByRole('button', { name: 'Switch to Zebra IoT Connector' }).click();
  await page.getByText('These messages look like').waitFor({ state: 'detached' });
  // Later connections are parsed in the new format.
  await client.endAsync();
  const again = await connectAsync(url, options);
  await again.publishAsync(topic, zebra, { qos: 1 });
  await until(async () => (await organization.admin.readers.overview()).data[0]?.reads_per_minute !== 0);
  await page.getByText('Receiving', { exact: true }).waitFor();

  await page.getByRole('link', { name: 'Open reader' }).click();
  await page.getByRole('heading', { level: 1, name: hostile }).waitFor();
  await page.getByRole('button', { name: 'The message is not valid JSON: error at offset 1' }).click();
  await page.getByText('{"half a').waitFor();
  expect(await organization.admin.readers.overview()).toMatchObject({ data: [{ location: { id: dock } }] });
  await ada.picture('reader');
  await again.endAsync();
});

test('a reader of another format is recognized and switched, gets a new password, and is deleted', async () => {
  await using ada = await world.person({ role: 'admin' });
  const { page, organization } = ada;
  const reader = await organization.reader({ name: 'Gate', format: 'csl_cs463' });
  await world.publish(reader, zebra);
  await page.goto('/readers');
  await page.getByRole('link', { name: 'Gate' }).click();
  await page.getByText('These messages look like Zebra IoT Connector').waitFor();
  await page.getByRole('button', { name: 'Switch to Zebra IoT Connector' }).click();
  await page.getByText('These messages look like').waitFor({ state: 'detached' });
  expect(await organization.admin.readers.get({ id: reader.id })).toMatchObject({ format: 'zebra_iotc' });

  // Bytes are shown as bytes, and hostile text as text.
  await world.publish(reader, hostile);
  await page.getByRole('button', { name: 'The message is text, not JSON' }).first().click();
  await page.getByText(hostile).waitFor();

  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Gate 7');
  await page.getByRole('button', { name: 'Save settings' }).click();
  await page.getByRole('heading', { level: 1, name: 'Gate 7' }).waitFor();
  expect(await organization.admin.readers.get({ id: reader.id })).toMatchObject({ format: 'zebra_iotc' });

  await page.getByRole('button', { name: 'New password' }).click();
  const dialog = page.getByRole('dialog', { name: 'Create a new password?' });
  await dialog.getByRole('button', { name: 'Create password' }).click();
  await page.getByText('The password is shown only once').waitFor();
  const { url, options, topic } = await typedIn(page);
  expect(options.password).not.toBe(reader.mqtt_password);
  await expect(connectAsync(url, { ...options, password: reader.mqtt_password })).rejects.toThrow(
    'Bad username or password',
  );
  const client = await connectAsync(url, options);
  await client.publishAsync(topic, zebra, { qos: 1 });
  await client.endAsync();

  await page.getByRole('button', { name: 'Delete reader' }).click();
  await page.getByRole('heading', { name: 'No readers yet' }).waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('table', { name: 'Readers' }).getByRole('link').first().waitFor();
});

test('everybody sees how readers are doing; only administrators get further', async () => {
  const organization = await world.organization();
  const { data: aisle } = await organization.admin.locations.create({ name: 'Aisle C' });
  const { data: dock } = await organization.admin.locations.create({ name: 'Dock 1' });
  await organization.reader({ name: 'Dock door', location_id: dock.id });
  const check = { orgId: organization.orgId, day: new Date(), locationId: dock.id };
  await world.db.locationCheck.createMany({
    data: [
      { ...check, shownLocationId: dock.id, checks: 7 },
      { ...check, shownLocationId: aisle.id, checks: 3 },
    ],
  });
  await using vic = await world.person({ role: 'viewer', organization });
  const { page } = vic;
  await page.goto('/readers');
  await page.getByText('Dock door').waitFor();
  await page.getByText('Never connected', { exact: true }).waitFor();
  expect(await page.getByRole('link', { name: 'Dock door' }).count()).toBe(0);
  expect(await page.getByRole('link', { name: 'Register' }).count()).toBe(0);
  const accuracy = page.getByRole('region', { name: 'Location accuracy' });
  await accuracy.getByText('Right 7 of 10 times in the last 30 days').waitFor();
  await accuracy.getByText('Aisle C (3)').waitFor();
  await accuracy.getByText('Raise the minimum RSSI of the antenna at Aisle C').waitFor();
  await expectAccessible(page);
  await expectFits(page);
  await page.goto('/readers/1');
  await page.getByText('Administrators manage readers').waitFor();
  await page.goto('/readers/new');
  await page.getByText('Ask an administrator to add a reader').waitFor();
});

test('antennas, the location rule and a clock that is off are on one page', async () => {
  await using ada = await world.person({ role: 'admin' });
  const { page, organization } = ada;
  const { data: aisle } = await organization.admin.locations.create({ name: 'Aisle C' });
  const { data: dock } = await organization.admin.locations.create({ name: 'Dock 1' });
  const reader = await organization.reader({
    name: 'Gate',
    location_id: aisle.id,
    location_rule: 'evidence',
    antennas: [{ port: 1, location_id: dock.id, min_rssi_dbm: -70 }],
  });
  const antennas = [1, 3].map((port) => ({
    reader: reader.id,
    port,
    location: aisle.id,
    visits: 1,
    sum_db: 0,
    gap_ms: 0,
  }));
  await world.db.locationPicture.create({
    data: { orgId: organization.orgId, locationId: aisle.id, visits: 1, antennas },
  });
  await world.db.reader.update({ where: { id: reader.id }, data: { clockOffsetMs: 180_000n } });

  await page.goto(`/readers/${reader.id}`);
  await page.getByText('Clock is 3 min slow; times are corrected automatically.').waitFor();
  const table = page.getByRole('group', { name: 'Antennas, table' });
  const row = (port: number) => table.locator(`tr[data-port="${port}"]`);
  expect(await row(3).innerText()).toMatch(/3\s+Uses the reader’s location/);
  await expectAccessible(page);
  await ada.picture('reader-antennas');

  await page.locator('input').and(page.getByLabel('Kind of antenna 1')).click();
  await page.getByRole('option', { name: 'Portal' }).click();
  await page.getByRole('button', { name: 'Set up antenna 3' }).click();
  await page.locator('input').and(page.getByLabel('Location of antenna 3')).click();
  await page.getByRole('option', { name: 'Aisle C' }).click();
  await page.getByLabel('Minimum RSSI of antenna 3, dBm').fill('-75');
  await page.getByLabel('Newest read').check();
  await page.getByRole('button', { name: 'Save settings' }).click();
  await page.getByText('Settings saved').waitFor();
  expect(await organization.admin.readers.get({ id: reader.id })).toMatchObject({
    location_rule: 'newest',
    antennas: [
      { port: 1, location_id: dock.id, min_rssi_dbm: -70, kind: 'portal' },
      { port: 3, location_id: aisle.id, min_rssi_dbm: -75, kind: 'zone' },
    ],
  });

  await page.getByRole('button', { name: 'Remove antenna 1' }).click();
  await page.getByRole('button', { name: 'Set up antenna 1' }).waitFor();
  await page.getByLabel('By evidence (recommended)').check();
  await page.getByRole('button', { name: 'Save settings' }).click();
  await page.getByText('Settings saved').first().waitFor();
  await expect
    .poll(async () => organization.admin.readers.get({ id: reader.id }), pollOptions)
    .toMatchObject({ location_rule: 'evidence', antennas: [{ port: 3 }] });

  await page.setViewportSize({ width: 360, height: 740 });
  await expectFits(page);
  await ada.picture('reader-antennas-phone');
});

test('readers are sorted, moved together, and a rejected message becomes a mapping', async () => {
  const organization = await world.organization();
  const { data: dock } = await organization.admin.locations.create({ name: 'Dock 1' });
  await organization.reader({ name: 'Gate A' });
  const custom = await organization.reader({ name: 'Gate B' });
  await using ada = await world.person({ organization });
  const { page } = ada;
  await page.goto('/readers');
  const table = page.getByRole('group', { name: 'Readers, table' });
  const names = () => table.getByRole('link', { name: /^Gate/ }).allInnerTexts();
  await table.getByRole('link', { name: 'Gate A' }).waitFor();
  expect(await names()).toEqual(['Gate A', 'Gate B']);
  await table.getByRole('button', { name: 'Reader', exact: true }).click();
  await page.waitForURL(/sort=-name/);
  await expect.poll(names).toEqual(['Gate B', 'Gate A']);

  await page.getByLabel('Choose all on this page').check();
  await page.getByRole('button', { name: 'Move to location' }).click();
  const dialog = page.getByRole('dialog', { name: 'Move 2 readers' });
  await dialog.getByLabel('Location').and(page.locator('input')).click();
  await page.getByRole('option', { name: 'Dock 1' }).click();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Move', exact: true }).click();
  await table.getByRole('link', { name: 'Dock 1' }).nth(1).waitFor();
  expect(await organization.admin.readers.get({ id: custom.id })).toMatchObject({ location_id: dock.id });
  await expectFits(page);

  await world.publish(custom, '{"gate":"B","seen":[{"tagID":"E2801190","ant":2,"peakRSSI":-51}]}');
  await page.goto(`/readers/${custom.id}`);
  await page.getByRole('button', { name: /The message has none of the expected fields/ }).click();
  await page.getByRole('button', { name: 'Create mapping' }).click();
  await expect.poll(() => page.getByLabel('List of reads').inputValue()).toBe('seen');
  expect(await page.getByLabel('Tag value').inputValue()).toBe('tagID');
  await page.getByRole('status').filter({ hasText: 'E2801190' }).waitFor();
  await page.getByRole('button', { name: 'Save settings' }).click();
  await page.getByText('Settings saved').waitFor();
  expect(await organization.admin.readers.get({ id: custom.id })).toMatchObject({
    format: 'mapped',
    mapping: { list: 'seen', value: 'tagID', antenna: 'ant', rssi: 'peakRSSI' },
  });
});

test('a mapping is proposed from a message, and shows what the last messages would store', async () => {
  const organization = await world.organization();
  const gate = await organization.reader({ name: 'Access point' });
  await using ada = await world.person({ organization });
  ada.problems.allow(/status of 400 .*readers\.tryMapping/);
  const { page } = ada;
  const beacon = (address: string, level: number) =>
    `{"reporter":{"mac":"204c03000034"},"reported":[{"mac":"${address}","lastSeen":"1795860000","rssi":{"last":${level}}}]}`;
  await world.publish(gate, beacon('d8a01d553401', -77));
  await world.publish(gate, beacon('d8a01d553402', -69));
  await page.goto(`/readers/${gate.id}`);
  await page
    .getByRole('button', { name: /The message has none of the expected fields/ })
    .first()
    .click();
  await page.getByRole('button', { name: 'Create mapping' }).first().click();
  await expect.poll(() => page.getByLabel('Tag value').inputValue()).toBe('mac');
  expect(await page.getByLabel('List of reads').inputValue()).toBe('reported');
  expect(await page.getByLabel('RSSI', { exact: true }).inputValue()).toBe('rssi.last');
  expect(await page.getByLabel('Tag type').inputValue()).toBe('ble');
  const preview = page.getByRole('status').filter({ hasText: 'What would be stored' });
  await preview.getByText('BLE · antenna 1 · −69').waitFor();
  await preview.getByText('D8A01D553401').waitFor();
  await ada.picture('reader-mapping');
  await expectAccessible(page);
  await page.setViewportSize({ width: 360, height: 740 });
  await expectFits(page);
  await preview.scrollIntoViewIfNeeded();
  await ada.picture('reader-mapping-phone');

  await page.getByLabel('Only if').fill("reporter.mac == 'x'");
  await preview.getByText('the message counts as a heartbeat').first().waitFor();
  await page.getByLabel('Only if').fill('[');
  await page
    .getByRole('status')
    .filter({ hasText: /keys joined by/ })
    .waitFor();
  await page.getByLabel('Only if').fill('');
  await preview.getByText('D8A01D553401').waitFor();
  await page.getByRole('button', { name: 'Save settings' }).click();
  await page.getByText('Settings saved').waitFor();
  expect(await organization.admin.readers.get({ id: gate.id })).toMatchObject({ tag_type: 'ble', time_unit: 's' });
});

test('a message without a tag leaves the value blank, and asks for it', async () => {
  const organization = await world.organization();
  const gate = await organization.reader({ name: 'Counter' });
  await using ada = await world.person({ organization });
  ada.problems.allow(/status of 400 .*readers\.update/);
  const { page } = ada;
  await world.publish(gate, '{"room":"north","counters":[{"people":4,"door":"left"}],"rssi":-40}');
  await page.goto(`/readers/${gate.id}`);
  await page.getByRole('button', { name: /The message has none of the expected fields/ }).click();
  await page.getByRole('button', { name: 'Create mapping' }).click();
  await page.getByText('Nothing in the message looks like a tag').waitFor();
  await page.getByRole('button', { name: 'Save settings' }).click();
  await page.getByText('Enter a value', { exact: true }).waitFor();
  expect(await organization.admin.readers.get({ id: gate.id })).toMatchObject({ format: gate.format, mapping: null });
});
