import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectAccessible, expectFits } from './support/accessible.js';
import { scan, sendByButton } from './support/scanner.js';
import { fileWorld } from '../support/shared.js';
import { createBrowserWorld, type Person } from './support/world.js';

const world = fileWorld(createBrowserWorld);

async function setUp() {
  const organization = await world.organization();
  const store = await organization.location({ name: 'Equipment store 3B', tags: [['barcode', 'LOC-3B']] });
  const ward = await organization.location({ name: 'Ward 3A', externalKey: 'WARD-3A', tags: [['barcode', 'LOC-3A']] });
  const pump = await organization.asset({ name: 'Pump 6', tags: [['rfid', 'E28011AA']] });
  const bed = await organization.asset({ name: 'Bed', tags: [['rfid', 'E28011BB']] });
  return { organization, store, ward, pump, bed };
}

const outcome = (page: Page, text: string) => page.getByRole('alert').filter({ hasText: text }).waitFor();
const isAt = (page: Page, name: string) => page.getByTestId('scan-location').getByText(name).waitFor();
const allowOffline = ({ problems }: Person) =>
  problems.allow(/ERR_INTERNET_DISCONNECTED|ERR_FAILED|Failed to fetch|status of 401/);

/** Opens the scan page, and waits until the device keeps it and the locations. */
async function openScan({ page }: Person, { isAutomatic = false } = {}): Promise<void> {
  if (!isAutomatic) await sendByButton(page);
  const listed = page.waitForResponse(/scans\.locationTags/);
  await page.goto('/scan');
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.getByText(/^Ready/).waitFor();
  await listed;
  await expect.poll(() => keptCodes(page)).not.toEqual([]);
}

/** The codes by which the device knows locations. */
function keptCodes(page: Page): Promise<string[]> {
  return page.evaluate(
    () =>
      new Promise<string[]>((resolve, reject) => {
        const opening = indexedDB.open('whereabouts-scanning');
        opening.addEventListener('error', () => reject(opening.error as DOMException));
        opening.addEventListener('success', () => {
          const asked = opening.result.transaction('locationCodes').objectStore('locationCodes').getAll();
          asked.addEventListener('success', () => {
            opening.result.close();
            resolve((asked.result as { code: string }[]).map(({ code }) => code));
          });
        });
      }),
  );
}

async function places({ organization }: Awaited<ReturnType<typeof setUp>>) {
  return (await organization.positions()).map(({ asset_id, location_id }) => [asset_id, location_id]);
}

/** Puts the app into the background for some time, or shows it again. */
async function setHidden(page: Page, isHidden: boolean): Promise<void> {
  await page.evaluate((hidden) => {
    Object.defineProperty(document, 'hidden', { configurable: true, value: hidden });
    document.dispatchEvent(new Event('visibilitychange'));
  }, isHidden);
}

test('without a network, tags, labels and keys of locations that were never scanned here are known by name', async () => {
  const { organization, ward } = await setUp();
  await using person = await world.person({ role: 'operator', organization, phone: true });
  const { page, context } = person;
  allowOffline(person);
  await openScan(person);
  await context.setOffline(true);
  await scan(page, 'loc-3b');
  await isAt(page, 'Equipment store 3B');
  await scan(page, `/l/${ward}`);
  await isAt(page, 'Ward 3A');
  await page.reload();
  await page.getByText('Not connected').waitFor();
  await page.getByText(/^Ready/).waitFor();
  await scan(page, 'LOC-3B');
  await isAt(page, 'Equipment store 3B');
  await scan(page, 'WARD-3A');
  await isAt(page, 'Ward 3A');
  // They can be searched, too.
  await page.getByRole('button', { name: 'Change' }).click();
  await page.getByRole('textbox', { name: 'Choose a location' }).fill('store');
  await page.getByRole('option', { name: /Equipment store 3B/ }).click();
  await isAt(page, 'Equipment store 3B');
  await expectAccessible(page);
  await expectFits(page);
  await person.picture('scan-known-places');
});

test('the list of locations is asked for every ten minutes, comes again only after a change, and goes with the person', async () => {
  const { organization, ward } = await setUp();
  await using person = await world.person({ role: 'operator', organization });
  const { page } = person;
  await page.clock.install();
  await openScan(person);
  expect(await keptCodes(page)).toEqual(expect.arrayContaining(['barcode LOC-3A', 'barcode LOC-3B', `/l/${ward}`]));
  const next = async () => {
    const answer = page.waitForResponse(/scans\.locationTags/);
    await page.clock.fastForward('10:00');
    return (await (await answer).json()) as { result: { data: { tags: unknown } } };
  };
  expect((await next()).result.data.tags).toBeNull();
  await organization.location({ name: 'Ward 5', tags: [['barcode', 'LOC-5']] });
  expect((await next()).result.data.tags).toHaveLength(3);
  await expect.poll(() => keptCodes(page)).toContain('barcode LOC-5');
  const other = await world.organization();
  const rename = (id: number, name: string) => world.db.organization.update({ where: { id }, data: { name } });
  await Promise.all([rename(other.orgId, 'Zeta'), rename(organization.orgId, 'Acme')]);
  await world.db.membership.create({ data: { orgId: other.orgId, userId: person.userId, role: 'viewer' } });
  await page.reload();
  await page.getByRole('button', { name: 'Account menu' }).click();
  await page.getByRole('menuitem', { name: 'Zeta' }).click();
  await expect.poll(() => keptCodes(page)).toEqual([]);
  await page.getByRole('button', { name: 'Account menu' }).click();
  const back = page.waitForResponse(/scans\.locationTags/);
  await page.getByRole('menuitem', { name: 'Acme' }).click();
  await back;
  await expect.poll(() => keptCodes(page)).toContain('barcode LOC-5');
  await page.getByRole('button', { name: 'Account menu' }).click();
  await page.getByRole('menuitem', { name: 'Sign out', exact: true }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await expect.poll(() => keptCodes(page)).toEqual([]);
});

test('an unknown tag that is a location begins another place, also for the scans that are sent after it', async () => {
  const set = await setUp();
  const { organization, store, pump, bed } = set;
  const drill = await organization.asset({ name: 'Drill', tags: [['rfid', 'E28011CC']] });
  await using person = await world.person({ role: 'operator', organization, phone: true });
  const { page, context } = person;
  allowOffline(person);
  await openScan(person);
  const lift = await organization.location({ name: 'Lift', tags: [['barcode', 'LOC-LIFT']] });
  await scan(page, 'LOC-3B');
  await isAt(page, 'Equipment store 3B');
  await context.setOffline(true);
  await scan(page, 'E28011AA');
  await outcome(page, 'identified when sent');
  await scan(page, 'LOC-LIFT');
  await outcome(page, 'LOC-LIFT');
  await page.getByText('Last known location').waitFor();
  await page.getByText('This device does not know 2 tags').waitFor();
  await scan(page, 'E28011BB');
  await outcome(page, 'E28011BB');
  await expectAccessible(page);
  await expectFits(page);
  await person.picture('scan-unknown-place');
  await page.getByRole('button', { name: 'Send 3' }).click();
  await page.getByText('1 waiting', { exact: true }).waitFor();
  await scan(page, 'E28011CC');
  await outcome(page, 'E28011CC');
  await page.getByRole('button', { name: 'Send 1' }).click();
  await page.getByText('2 waiting', { exact: true }).waitFor();

  await context.setOffline(false);
  await expect.poll(() => places(set)).toHaveLength(3);
  expect(await places(set)).toEqual([
    [pump, store],
    [bed, lift],
    [drill, lift],
  ]);
  await isAt(page, 'Lift');
  await page.getByText('You are at').waitFor();
  await scan(page, 'E28011AA');
  await outcome(page, 'Will be moved from Equipment store 3B to Lift');
});

test('ten minutes after the last scan, the next one asks whether the person is still there', async () => {
  const set = await setUp();
  const { organization, store, ward, pump, bed } = set;
  await using person = await world.person({ role: 'operator', organization, phone: true });
  const { page } = person;
  await page.clock.install();
  await openScan(person);
  await scan(page, 'LOC-3B');
  await isAt(page, 'Equipment store 3B');
  await page.clock.fastForward('09:00');
  await scan(page, 'E28011AA');
  await outcome(page, 'Will be recorded at Equipment store 3B');
  await page.clock.fastForward('10:00');
  await scan(page, 'E28011BB');
  const question = page.getByRole('group', { name: 'Still at Equipment store 3B?' });
  await question.getByText('Bed').waitFor();
  await expectAccessible(page);
  await expectFits(page);
  await person.picture('scan-still-here');
  await scan(page, 'E28011CC');
  await outcome(page, 'Answer the question above first');
  await question.getByRole('button', { name: 'Yes, still here' }).click();
  await outcome(page, 'Will be recorded at Equipment store 3B');
  await page.getByRole('button', { name: 'Send 2' }).waitFor();

  // Elsewhere, the scans before are sent to where they were made.
  await page.clock.fastForward('10:00');
  await scan(page, 'E28011AA');
  await question.getByText('Pump 6').waitFor();
  await scan(page, 'LOC-3A');
  await isAt(page, 'Ward 3A');
  await outcome(page, 'Will be recorded at Ward 3A');
  await page.getByRole('button', { name: 'Send 1' }).click();
  await outcome(page, 'Moved from Equipment store 3B to Ward 3A');
  expect(await places(set)).toEqual([
    [pump, ward],
    [bed, store],
  ]);
});

test('after two minutes in the background, the next scan asks, and another location can be chosen', async () => {
  const { organization } = await setUp();
  await using person = await world.person({ role: 'operator', organization, phone: true });
  const { page } = person;
  await page.clock.install();
  await openScan(person);
  await scan(page, 'LOC-3B');
  await isAt(page, 'Equipment store 3B');
  await setHidden(page, true);
  await page.clock.fastForward('01:00');
  await setHidden(page, false);
  await scan(page, 'E28011AA');
  await outcome(page, 'Will be recorded at Equipment store 3B');
  await setHidden(page, true);
  await page.clock.fastForward('02:00');
  await setHidden(page, false);
  await page.reload();
  await isAt(page, 'Equipment store 3B');
  await scan(page, 'E28011BB');
  const question = page.getByRole('group', { name: 'Still at Equipment store 3B?' });
  await question.getByRole('button', { name: 'Another location' }).click();
  await question.getByRole('textbox', { name: 'Choose a location' }).fill('Ward');
  await page.getByRole('option', { name: /Ward 3A/ }).click();
  await isAt(page, 'Ward 3A');
  await outcome(page, 'Will be recorded at Ward 3A');
  await page.getByRole('list', { name: 'Sent to Equipment store 3B' }).getByText('Pump 6').waitFor();
});

test('each sent line can be undone, unless the asset was moved since', async () => {
  const set = await setUp();
  const { organization, store, ward, pump, bed } = set;
  await using person = await world.person({ role: 'operator', organization, phone: true });
  const { page } = person;
  await openScan(person);
  const sendBoth = async (location: string) => {
    await scan(page, location);
    await scan(page, 'E28011AA');
    await outcome(page, 'Pump 6');
    await scan(page, 'E28011BB');
    await outcome(page, 'Bed');
    await page.getByRole('button', { name: 'Send 2' }).click();
  };
  await sendBoth('LOC-3A');
  await page.getByRole('list', { name: 'Sent to Ward 3A' }).waitFor();
  // They were nowhere before.
  expect(await page.getByRole('button', { name: /^Undo/ }).count()).toBe(0);
  await sendBoth('LOC-3B');
  const sent = page.getByRole('list', { name: 'Sent to Equipment store 3B' });
  const line = (name: string) => sent.getByRole('listitem').filter({ hasText: name });
  await line('Pump 6').getByText('Moved from Ward 3A').waitFor();
  await expectAccessible(page);
  await expectFits(page);
  await person.picture('scan-undo');
  await line('Pump 6').getByRole('button', { name: 'Undo Pump 6' }).click();
  await line('Pump 6').getByText('Undone: back at Ward 3A').waitFor();
  expect(await places(set)).toEqual([
    [pump, ward],
    [bed, store],
  ]);
  const yard = await organization.location({ name: 'Yard' });
  await organization.admin.scans.submit({
    submission_id: '01HZX5W5YB8R4V2N3K7M9P0QSA',
    location_id: yard,
    reads: [{ asset_id: bed }],
  });
  await page.reload();
  await line('Pump 6').getByText('Undone: back at Ward 3A').waitFor();
  await line('Bed').getByRole('button', { name: 'Undo Bed' }).click();
  await page.getByText('Not undone: it was moved to Yard since.').waitFor();
  expect(await places(set)).toEqual([
    [pump, ward],
    [bed, yard],
  ]);
});

test('a problem that is reported without a network is kept, and reported once when it is back', async () => {
  const { organization, pump } = await setUp();
  await using person = await world.person({ role: 'operator', organization, phone: true });
  const { page, context } = person;
  allowOffline(person);
  await openScan(person);
  await scan(page, 'E28011AA');
  await outcome(page, 'Pump 6');
  await context.setOffline(true);
  await page.getByRole('button', { name: 'Report a problem' }).click();
  const report = page.getByRole('dialog', { name: 'Report a problem' });
  await report.getByRole('button', { name: 'Broken' }).click();
  await report.getByRole('button', { name: 'Report', exact: true }).click();
  await page.getByText('The problem of Pump 6 will be reported as soon as you are connected').waitFor();
  await page.getByText('1 waiting', { exact: true }).waitFor();
  await page.reload();
  const waiting = page.getByRole('region', { name: '1 waiting to be sent' });
  await waiting.getByText('Broken').waitFor();
  await expectAccessible(page);
  await expectFits(page);
  await person.picture('scan-report-waiting');
  // The answer to the first attempt is lost.
  let attempts = 0;
  await page.route('**/trpc/assetProblems.report*', async (route) => {
    attempts += 1;
    const answer = await route.fetch();
    if (attempts === 1) await route.abort('failed');
    else await route.fulfill({ response: answer });
  });
  await context.setOffline(false);
  await page.getByText('Problem reported').waitFor();
  await person.picture('scan-report-sent');
  expect(attempts).toBe(2);
  const log = (await organization.admin.activity.list({ kind: 'asset', object_id: String(pump) })).data;
  expect(log.filter(({ action }) => action === 'problem_reported')).toHaveLength(1);
  expect((await organization.admin.assets.detail({ asset_id: pump })).problems).toMatchObject([{ text: 'Broken' }]);
});
