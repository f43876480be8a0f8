import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectAccessible, expectFits } from './support/accessible.js';
import { scan, sendByButton } from './support/scanner.js';
import { fileWorld } from '../support/shared.js';
import { createBrowserWorld, type Person } from './support/world.js';

const world = fileWorld(createBrowserWorld);

async function setUp() {
  const organization = await world.organization();
  const dock = await organization.location({ name: 'Dock', tags: [['barcode', 'LOC-DOCK']] });
  const drill = await organization.asset({ name: 'Drill', tags: [['rfid', 'E28011AA']] });
  const saw = await organization.asset({ name: 'Saw', tags: [['rfid', 'E28011BB']] });
  return { organization, dock, drill, saw };
}

/** The scan page, kept by the browser for later, at the dock. */
async function openAtDock({ page }: Person): Promise<void> {
  await sendByButton(page);
  await page.goto('/scan');
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.getByText(/^Ready/).waitFor();
  await scan(page, 'LOC-DOCK');
  await page.getByTestId('scan-location').getByText('Dock').waitFor();
}

const outcome = (page: Page, text: string) => page.getByRole('alert').filter({ hasText: text }).waitFor();
const sentToDock = (page: Page) => page.getByRole('list', { name: 'Sent to Dock' });

/** How often submissions were stored, and events with them. */
async function storedIn(orgId: number): Promise<{ submissions: number; events: number }> {
  const [row] = await world.db.$queryRaw<[{ submissions: number; events: number }]>`
    SELECT (SELECT count(*)::int FROM scan_submissions WHERE org_id = ${orgId}) AS submissions,
           (SELECT count(*)::int FROM scan_events WHERE org_id = ${orgId}) AS events`;
  return row;
}

test('what is scanned without a network is kept over a reload, and sent once when it is back', async () => {
  const { organization, dock, drill, saw } = await setUp();
  await using person = await world.person({ role: 'operator', organization, phone: true });
  const { page, context } = person;
  person.problems.allow(/ERR_INTERNET_DISCONNECTED|ERR_FAILED|Failed to fetch/);
  await openAtDock(person);
  await scan(page, 'E28011AA');
  await outcome(page, 'Drill');

  await context.setOffline(true);
  await scan(page, 'E28011BB');
  await outcome(page, 'identified when sent');
  await page.reload();
  await page.getByText('Not connected').waitFor();
  await page.getByTestId('scan-location').getByText('Dock').waitFor();
  const scanned = page.getByRole('list', { name: 'Not sent yet' });
  await scanned.getByText('Drill').waitFor();
  await scanned.getByText('Identified when sent').waitFor();
  await expectAccessible(page);
  await expectFits(page);
  await person.picture('scan-offline');
  await scan(page, 'E28011AA');
  await outcome(page, 'Already scanned');
  await page.getByRole('button', { name: 'Send 2' }).click();
  await page.getByText('1 waiting', { exact: true }).waitFor();
  await page.reload();
  await page.getByText('You are offline.').waitFor();
  await page.getByTestId('scan-count').getByText('2 scans to send').waitFor();
  await expectAccessible(page);
  await person.picture('scan-waiting');
  expect(await storedIn(organization.orgId)).toEqual({ submissions: 0, events: 0 });

  await context.setOffline(false);
  await sentToDock(page).getByText('Saw').waitFor();
  expect(await storedIn(organization.orgId)).toEqual({ submissions: 1, events: 2 });
  expect((await organization.positions()).map(({ asset_id, location_id }) => [asset_id, location_id])).toEqual([
    [drill, dock],
    [saw, dock],
  ]);
  await page.reload();
  await sentToDock(page).getByText('Drill').waitFor();
  expect(await page.getByText('1 waiting', { exact: true }).count()).toBe(0);
  expect(await storedIn(organization.orgId)).toEqual({ submissions: 1, events: 2 });
});

test('a submission whose answer is lost is sent again, and stored once', async () => {
  const { organization } = await setUp();
  await using person = await world.person({ role: 'operator', organization });
  const { page } = person;
  person.problems.allow(/scans\.submit|ERR_FAILED/);
  await openAtDock(person);
  let attempts = 0;
  await page.route('**/trpc/scans.submit*', async (route) => {
    attempts += 1;
    const answer = await route.fetch();
    if (attempts === 1) await route.abort('failed');
    else await route.fulfill({ response: answer });
  });
  await scan(page, 'E28011AA');
  await outcome(page, 'Drill');
  await page.getByRole('button', { name: 'Send 1' }).click();
  await sentToDock(page).getByText('Recorded').waitFor();
  expect(attempts).toBe(2);
  expect(await storedIn(organization.orgId)).toEqual({ submissions: 1, events: 1 });
});

test('a service that is unavailable gets it when it is back, from two tabs once', async () => {
  const { organization } = await setUp();
  await using person = await world.person({ role: 'operator', organization });
  const { page, context } = person;
  person.problems.allow(/ERR_CONNECTION_REFUSED|ERR_CONNECTION_RESET|ERR_EMPTY_RESPONSE|ERR_INCOMPLETE/);
  await openAtDock(person);
  await scan(page, 'E28011AA');
  await outcome(page, 'Drill');
  const other = await context.newPage();
  await other.goto('/scan');
  await other.getByRole('button', { name: 'Send 1' }).waitFor();
  await world.goAway();
  await page.getByRole('button', { name: 'Send 1' }).click();
  await other.getByText('1 waiting', { exact: true }).waitFor();
  await world.comeBack();
  await Promise.all([
    page.getByRole('button', { name: 'Send now' }).click(),
    other.getByRole('button', { name: 'Send now' }).click(),
  ]).catch(() => {});
  await sentToDock(page).getByText('Recorded').waitFor();
  await sentToDock(other).getByText('Recorded').waitFor();
  expect(await storedIn(organization.orgId)).toEqual({ submissions: 1, events: 1 });
});

test('another person on the same device neither sees nor sends what waits', async () => {
  const { organization } = await setUp();
  await using person = await world.person({ role: 'operator', organization });
  const { page, context } = person;
  person.problems.allow(/ERR_INTERNET_DISCONNECTED|ERR_FAILED|Failed to fetch/);
  await openAtDock(person);
  await scan(page, 'E28011AA');
  await outcome(page, 'Drill');
  await context.setOffline(true);
  await page.getByRole('button', { name: 'Send 1' }).click();
  await page.getByText('1 waiting', { exact: true }).waitFor();
  const mine = await context.cookies();
  await page.close();

  const home = await world.organization();
  await using other = await world.person({ role: 'operator', organization: home });
  await context.clearCookies();
  await context.addCookies(await other.context.cookies());
  await context.setOffline(false);
  const theirs = await context.newPage();
  await theirs.goto('/scan');
  await theirs.getByText('No location yet').waitFor();
  await theirs.getByText(/^Ready/).waitFor();
  expect(await theirs.getByText('1 waiting', { exact: true }).count()).toBe(0);
  expect(await storedIn(home.orgId)).toEqual({ submissions: 0, events: 0 });
  expect(await storedIn(organization.orgId)).toEqual({ submissions: 0, events: 0 });
  await theirs.close();

  // Back again, it is sent from the page that is open.
  await context.clearCookies();
  await context.addCookies(mine);
  const back = await context.newPage();
  const sent = back.waitForResponse(/scans\.submit/);
  await back.goto('/');
  expect((await sent).status()).toBe(200);
  expect(await storedIn(organization.orgId)).toEqual({ submissions: 1, events: 1 });
});
