import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectAccessible, expectFits } from './support/accessible.js';
import { scan, scanKeys, type ScannerKey, sendByButton, typeByHand } from './support/scanner.js';
import { fileWorld } from '../support/shared.js';
import { createBrowserWorld } from './support/world.js';

const world = fileWorld(createBrowserWorld);

async function setUp() {
  const organization = await world.organization();
  const dock = await organization.location({ name: 'Dock', tags: [['barcode', 'LOC-DOCK']] });
  const shelf = await organization.location({ name: 'Shelf <b>', tags: [['rfid', 'LOC-SHELF']] });
  const drill = await organization.asset({
    name: 'Drill',
    tags: [
      ['rfid', 'E28011AA'],
      ['barcode', '4006381333931'],
    ],
  });
  const saw = await organization.asset({ name: 'Saw', tags: [['ble', 'AC:23:3F:A0:32:08']] });
  return { organization, dock, shelf, drill, saw };
}

async function openScan(page: Page): Promise<void> {
  await sendByButton(page);
  await page.goto('/scan');
  await page.getByText(/^Ready/).waitFor();
}

function filedKeys(name: string): ScannerKey[] {
  const file = new URL(`../web/wedge-cases/${name}.json`, import.meta.url);
  return (JSON.parse(readFileSync(file, 'utf8')) as { keys: ScannerKey[] }).keys;
}

const outcome = (page: Page, text: string) => page.getByRole('alert').filter({ hasText: text }).waitFor();

test('a scanner that types places assets without anything being touched', async () => {
  const { organization, dock, drill, saw } = await setUp();
  await using person = await world.person({ role: 'operator', organization, phone: true });
  const { page } = person;
  await openScan(page);
  await person.picture('scan-empty');

  // Without a location a scan says what it is, and what can be done with it.
  await scan(page, 'E28011AA');
  await outcome(page, 'Drill');
  await page.getByRole('region', { name: 'Scanned' }).getByRole('link', { name: 'Open' }).waitFor();
  await page.getByRole('button', { name: 'It is here' }).waitFor();
  await scan(page, 'loc-dock');
  await page.getByTestId('scan-location').getByText('Dock').waitFor();
  await scan(page, 'E28011AA');
  await outcome(page, 'Drill');
  await scan(page, 'ac233fa03208', 'Tab');
  await outcome(page, 'Saw');
  await scan(page, 'E28011AA');
  await outcome(page, 'Already scanned');
  // The same drill by its other tag is still one drill.
  await scan(page, '4006381333931');
  await outcome(page, 'Already scanned');
  // A scan that stalls is rejected: neither its beginning nor its end is taken for a tag.
  await scan(page, 'E28011AA', { afterKeys: 4, ms: 250 });
  await outcome(page, 'Incomplete scan');
  await page.getByTestId('scan-count').getByText('2 scans to send').waitFor();
  await scan(page, 'NOBODY-1');
  await outcome(page, 'Not assigned to an asset');
  await scan(page, 'NOBODY-2');
  await outcome(page, 'NOBODY-2');
  const scanned = page.getByRole('list', { name: 'Not sent yet' });
  expect(await scanned.getByRole('listitem').count()).toBe(4);
  await page.getByRole('button', { name: 'Undo' }).click();
  await outcome(page, 'Removed');
  expect(await scanned.getByText('NOBODY-2').count()).toBe(0);
  await expectAccessible(page);
  await expectFits(page);
  await person.picture('scan-batch');

  await page.getByRole('button', { name: 'Send 3' }).click();
  const sent = page.getByRole('list', { name: 'Sent to Dock' });
  await sent.getByText('Drill').waitFor();
  await page.getByText('2 recorded').waitFor();
  await page.getByText('1 unknown').waitFor();
  await person.picture('scan-sent');
  const events = await organization.events();
  const placed = [drill, saw].map((asset_id) => expect.objectContaining({ asset_id, location_id: dock }));
  expect(events).toHaveLength(2);
  expect(events).toEqual(expect.arrayContaining(placed));
  expect((await organization.admin.scans.unknownTags()).data.map(({ value, count }) => [value, count])).toEqual([
    ['NOBODY-1', 1],
  ]);
});

test('a problem of what was scanned is reported, shown on the page of the asset, and open again after an undo', async () => {
  const { organization } = await setUp();
  await using person = await world.person({ role: 'operator', organization, phone: true });
  const { page } = person;
  await openScan(page);
  await scan(page, 'E28011AA');
  await page.getByRole('button', { name: 'Report a problem' }).click();
  const report = page.getByRole('dialog', { name: 'Report a problem' });
  await report.getByRole('button', { name: 'Broken' }).click();
  await expectAccessible(page);
  await expectFits(page);
  await person.picture('scan-report');
  await report.getByRole('button', { name: 'Report', exact: true }).click();
  await page.getByText('Problem of Drill reported').waitFor();
  await page.getByRole('region', { name: 'Scanned' }).getByRole('link', { name: 'Open' }).click();
  const problems = page.getByRole('region', { name: 'Problems' });
  await problems.getByText('Broken').waitFor();
  await expectAccessible(page);
  await expectFits(page);
  await person.picture('asset-problem');
  await problems.getByRole('button', { name: 'Resolve' }).click();
  await problems.getByText('No open problems').waitFor();
  await page.getByRole('alert').filter({ hasText: 'Problem resolved' }).getByRole('button', { name: 'Undo' }).click();
  await problems.getByText('Broken').waitFor();
  await problems.getByRole('button', { name: 'Report a problem' }).waitFor();
});

test('a problem of an asset among the scans of a location is reported before they are sent', async () => {
  const { organization } = await setUp();
  await using person = await world.person({ role: 'operator', organization, phone: true });
  const { page } = person;
  await openScan(page);
  await scan(page, 'LOC-DOCK');
  await scan(page, 'E28011AA');
  await scan(page, 'NOBODY-1');
  const scanned = page.getByRole('list', { name: 'Not sent yet' });
  await scanned.getByRole('button', { name: 'Report a problem of Drill' }).click();
  expect(await scanned.getByRole('button', { name: /^Report a problem/ }).count()).toBe(1);
  const report = page.getByRole('dialog', { name: 'Report a problem' });
  await report.getByRole('button', { name: 'Broken' }).click();
  await report.getByRole('button', { name: 'Report', exact: true }).click();
  await page.getByText('Problem of Drill reported').waitFor();
  expect(await scanned.getByText('Drill').count()).toBe(1);
  await expectAccessible(page);
  await expectFits(page);
});

test('another location’s tag asks, and scanned once more goes on there', async () => {
  const { organization, dock, shelf, drill, saw } = await setUp();
  await using person = await world.person({ role: 'operator', organization, phone: true });
  const { page } = person;
  await openScan(page);
  await scan(page, 'LOC-DOCK');
  await page.getByTestId('scan-location').getByText('Dock').waitFor();
  await scan(page, 'LOC-SHELF');
  await page.getByTestId('scan-location').getByText('Shelf <b>').waitFor();
  await scan(page, 'LOC-DOCK');
  await page.getByTestId('scan-location').getByText('Dock').waitFor();
  await scan(page, 'E28011AA');
  await outcome(page, 'Drill');
  await scan(page, 'LOC-SHELF');
  await page.getByRole('button', { name: 'Send and continue' }).waitFor();
  await expectAccessible(page);
  await person.picture('scan-question');
  await scan(page, 'ac233fa03208');
  await outcome(page, 'Which location?');
  await scan(page, 'LOC-SHELF');
  await page.getByTestId('scan-location').getByText('Shelf <b>').waitFor();
  await scan(page, 'ac233fa03208');
  await outcome(page, 'Saw');
  await page.getByRole('button', { name: 'Send 1' }).click();
  await page.getByRole('list', { name: 'Sent to Shelf <b>' }).waitFor();
  expect((await organization.positions()).map(({ asset_id, location_id }) => [asset_id, location_id])).toEqual([
    [drill, dock],
    [saw, shelf],
  ]);
});

test('what scanners type as separators and codes, and what labels contain, is scanned whole', async () => {
  const { organization } = await setUp();
  await organization.location({ name: 'Hall', externalKey: 'HALL-1' });
  const forklift = await organization.asset({ name: 'Forklift', externalKey: 'FORKLIFT-7' });
  await organization.asset({ name: 'Pump', tags: [['barcode', '010400638133393110LOT4217261231']] });
  await using person = await world.person({ role: 'operator', organization });
  const { page } = person;
  await openScan(page);
  await scan(page, 'HALL-1');
  await page.getByTestId('scan-location').getByText('Hall').waitFor();
  for (const name of ['separator-as-control-plus-german-layout', 'separator-as-alt-0029']) {
    await scanKeys(page, filedKeys(name));
    await outcome(page, 'Pump');
    await page.getByRole('button', { name: 'Undo' }).click();
    await outcome(page, 'Removed');
  }
  await scanKeys(page, filedKeys('every-character-as-alt-code'));
  await outcome(page, 'E28011');
  await scan(page, `${world.url}/a/${forklift}`);
  await outcome(page, 'Forklift');
  await page.goto(`/a/${forklift}`);
  await page.waitForURL(`**/assets/${forklift}`);
  await page.getByRole('heading', { name: 'Forklift' }).waitFor();
});

test('scans are sent by themselves, and the page of a handheld fits and can be hit with a thumb', async () => {
  const { organization, dock, drill } = await setUp();
  await using person = await world.person({ role: 'operator', organization, phone: true });
  const { page } = person;
  await openScan(page);
  await scan(page, 'LOC-DOCK');
  await page.getByTestId('scan-location').getByText('Dock').waitFor();
  await scan(page, 'E28011AA');
  await outcome(page, 'Drill');
  await page.getByRole('link', { name: '1 scans not sent yet' }).waitFor();
  await expectFits(page);
  const small = await page.locator('main').evaluate((main) =>
    [...main.querySelectorAll('button, a, input')]
      .filter((one) => one.getClientRects().length > 0)
      .map((one) => ({ name: one.textContent || one.getAttribute('aria-label'), box: one.getBoundingClientRect() }))
      .filter(({ box }) => box.width < 44 || box.height < 44)
      .map(({ name, box }) => `${name} ${box.width} x ${box.height}`),
  );
  expect(small).toEqual([]);
  await page.getByRole('button', { name: 'Send automatically' }).click();
  await page.getByRole('list', { name: 'Sent to Dock' }).getByText('Drill').waitFor();
  expect(await organization.positions()).toMatchObject([{ asset_id: drill, location_id: dock }]);
  await expect.poll(() => page.getByRole('link', { name: /not sent yet/ }).count()).toBe(0);
});

test('a scan on any page opens what it names, and a person says where an asset is', async () => {
  const { organization, dock, shelf, drill, saw } = await setUp();
  await organization.admin.scans.submit({
    submission_id: '01J00000000000000000000000',
    location_id: dock,
    reads: [{ asset_id: drill }],
  });
  await using person = await world.person({ role: 'manager', organization });
  const { page } = person;
  await page.goto('/assets');
  await page.getByRole('link', { name: 'Drill' }).waitFor();
  // The scanner is listened for once the page is idle.
  await expect
    .poll(async () => {
      await scan(page, 'AC233FA03208');
      return page.url();
    })
    .toContain(`/assets/${saw}`);
  await page.getByRole('heading', { name: 'Saw' }).waitFor();
  await scan(page, 'LOC-SHELF');
  await page.waitForURL(`**/locations/${shelf}`);
  await scan(page, 'NOBODY-1');
  await page.getByRole('alert').filter({ hasText: 'NOBODY-1' }).getByRole('button', { name: 'Create asset' }).waitFor();
  await scan(page, '4006381333931');
  await page.waitForURL(`**/assets/${drill}`);

  await page.getByRole('button', { name: 'Set location' }).click();
  await page.getByRole('textbox', { name: 'Choose a location' }).fill('Shelf');
  await page.getByRole('option', { name: /Shelf/ }).click();
  await page.getByText('Drill is at Shelf <b>').waitFor();
  const whereIsIt = async () => (await organization.positions()).map(({ location_id }) => location_id);
  expect(await whereIsIt()).toEqual([shelf]);
  const notice = page.getByRole('alert').filter({ hasText: 'Drill is at Shelf <b>' });
  await notice.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('Drill is at Dock again').waitFor();
  expect(await whereIsIt()).toEqual([dock]);
});

test('typing is typing, and a scan while a field has the focus does not stay in it', async () => {
  const { organization } = await setUp();
  await using person = await world.person({ role: 'operator', organization });
  const { page } = person;
  await openScan(page);
  const search = page.getByRole('textbox', { name: 'Choose a location' });
  await search.focus();
  await typeByHand(page, 'Do', 120);
  await scan(page, 'LOC-SHELF');
  await page.getByTestId('scan-location').getByText('Shelf <b>').waitFor();
  await page.getByRole('button', { name: 'Change' }).click();
  await search.fill('');
  await typeByHand(page, 'Dock', 120);
  await expect.poll(() => search.inputValue()).toBe('Dock');
  await page.getByRole('option', { name: /Dock/ }).click();
  await page.getByTestId('scan-location').getByText('Dock').waitFor();
  const tag = page.getByRole('textbox', { name: 'Or enter a tag ID' });
  await tag.focus();
  await typeByHand(page, 'e28011aa', 60);
  await page.keyboard.press('Enter');
  await outcome(page, 'Drill');
  await expect.poll(() => tag.inputValue()).toBe('');
  // A button that has the focus is not pressed by a scanner's last key.
  await page.getByRole('button', { name: 'Undo' }).focus();
  await scan(page, 'AC233FA03208');
  await outcome(page, 'Saw');
  await page.getByRole('button', { name: 'Send 2' }).waitFor();
  expect(await organization.events()).toEqual([]);
});

test('a rejected batch is kept with the service’s words, and can be changed and sent', async () => {
  const { organization, dock, shelf, drill } = await setUp();
  await using person = await world.person({ role: 'operator', organization });
  const { page } = person;
  person.problems.allow(/status of 400/);
  await openScan(page);
  await scan(page, 'LOC-DOCK');
  await page.getByTestId('scan-location').getByText('Dock').waitFor();
  await scan(page, 'E28011AA');
  await outcome(page, 'Drill');
  await organization.deleteLocation(dock);
  await page.getByRole('button', { name: 'Send 1' }).click();
  await page.getByText('This location no longer exists').waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Change', exact: true }).last().click();
  await page.getByRole('button', { name: 'Send 1' }).waitFor();
  await scan(page, 'LOC-SHELF');
  await page.getByRole('button', { name: 'Stay here' }).waitFor();
  await page.getByRole('button', { name: 'Move these scans' }).click();
  await page.getByTestId('scan-location').getByText('Shelf <b>').waitFor();
  await page.getByRole('button', { name: 'Send 1' }).click();
  await page.getByRole('list', { name: 'Sent to Shelf <b>' }).waitFor();
  expect(await organization.events()).toMatchObject([{ asset_id: drill, location_id: shelf }]);
});

test('on a slow network, scans are named as soon as the answer is there', async () => {
  const { organization } = await setUp();
  await using person = await world.person({ organization, role: 'operator' });
  const { page } = person;
  const waiting: (() => void)[] = [];
  await page.route(/scans\.resolve/, async (route) => {
    await new Promise<void>((resolve) => waiting.push(resolve));
    await route.continue();
  });
  const answer = async () => {
    // The page shows that it waits before the request arrives here.
    await expect.poll(() => waiting.length).toBe(1);
    waiting.pop()?.();
  };
  await openScan(page);
  await scan(page, 'LOC-DOCK');
  await outcome(page, 'Looking it up');
  await answer();
  await page.getByTestId('scan-location').getByText('Dock').waitFor();
  await scan(page, 'E28011AA');
  await outcome(page, 'Will be identified when sent');
  await answer();
  await outcome(page, 'Drill');
  await scan(page, 'E2809999');
  await outcome(page, 'Will be identified when sent');
  await answer();
  await outcome(page, 'Not assigned to an asset');
});

test('a viewer sees that scanning needs another role', async () => {
  await using person = await world.person({ role: 'viewer' });
  await person.page.goto('/scan');
  await person.page.getByText('You have view-only access').waitFor();
  expect(await person.page.getByText('Or enter a tag ID').count()).toBe(0);
  await expectAccessible(person.page);
});
