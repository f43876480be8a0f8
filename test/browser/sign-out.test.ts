import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectAccessible, expectFits } from './support/accessible.js';
import { scan, sendByButton } from './support/scanner.js';
import { fileWorld } from '../support/shared.js';
import { createBrowserWorld } from './support/world.js';

const world = fileWorld(createBrowserWorld);

async function setUp() {
  const organization = await world.organization();
  const dock = await organization.location({ name: 'Dock', tags: [['barcode', 'LOC-DOCK']] });
  const drill = await organization.asset({ name: 'Drill', tags: [['rfid', 'E28011AA']] });
  return { organization, dock, drill };
}

async function scanDrillAtDock(page: Page): Promise<void> {
  await sendByButton(page);
  await page.goto('/scan');
  await page.getByText(/^Ready/).waitFor();
  await scan(page, 'LOC-DOCK');
  await page.getByTestId('scan-location').getByText('Dock').waitFor();
  await scan(page, 'E28011AA');
  await page.getByRole('alert').filter({ hasText: 'Drill' }).waitFor();
}

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Account menu' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
}

/** How many rows each table of the device holds. */
async function keptOn(page: Page): Promise<Record<string, number>> {
  return page.evaluate(async () => {
    const opening = indexedDB.open('whereabouts-scanning');
    const db = await new Promise<IDBDatabase>((resolve, reject) => {
      opening.addEventListener('success', () => resolve(opening.result));
      opening.addEventListener('error', () => reject(new Error('not opened')));
    });
    const counts: Record<string, number> = {};
    for (const name of ['batches', 'values', 'places', 'seen']) {
      const counting = db.transaction(name).objectStore(name).count();
      counts[name] = await new Promise((resolve) =>
        counting.addEventListener('success', () => resolve(counting.result)),
      );
    }
    db.close();
    return counts;
  });
}

test('unsent scans are announced at sign-out, sent on request, and no names stay on the device', async () => {
  const { organization, dock, drill } = await setUp();
  await using person = await world.person({ role: 'operator', organization });
  const { page } = person;
  await scanDrillAtDock(page);
  await signOut(page);
  const dialog = page.getByRole('dialog', { name: 'Unsent scans' });
  await dialog.getByText('1 scanned item on this device has not been sent.').waitFor();
  await expectAccessible(page);
  await expectFits(page);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await dialog.waitFor({ state: 'hidden' });
  await signOut(page);
  await dialog.getByRole('button', { name: 'Send and sign out' }).click();
  await page.getByRole('button', { name: 'Sign in' }).waitFor();
  expect((await organization.positions()).map(({ asset_id, location_id }) => [asset_id, location_id])).toEqual([
    [drill, dock],
  ]);
  // An empty batch for the next scan may stay; it holds no scans.
  await expect.poll(() => keptOn(page)).toMatchObject({ values: 0, places: 0 });
});

test('unsent scans can stay on the device until the person signs in again', async () => {
  const { organization } = await setUp();
  await using person = await world.person({ role: 'operator', organization });
  const { page } = person;
  await scanDrillAtDock(page);
  await signOut(page);
  await page.getByRole('button', { name: 'Keep and sign out' }).click();
  await page.getByRole('button', { name: 'Sign in' }).waitFor();
  await expect.poll(() => keptOn(page)).toEqual({ batches: 1, values: 0, places: 0, seen: 0 });
  expect(await organization.positions()).toEqual([]);
});
