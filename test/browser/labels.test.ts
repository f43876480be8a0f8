import { expect, test } from 'vitest';
import { expectAccessible, expectFits } from './support/accessible.js';
import { fileWorld } from '../support/shared.js';
import { createBrowserWorld } from './support/world.js';

const world = fileWorld(createBrowserWorld);

/** How many pages a PDF has, and their size in millimeters. */
function pagesIn(bytes: Buffer): { pages: number; width: number; height: number } {
  const text = bytes.toString('latin1');
  const [, width, height] = /\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/.exec(text) ?? [];
  const mm = (points = '') => Math.round((Number(points) / 72) * 254) / 10;
  return { pages: text.match(/\/Type \/Page\b(?!s)/g)?.length ?? 0, width: mm(width), height: mm(height) };
}

test('labels are looked at, printed and downloaded in their true size', async () => {
  await using person = await world.person({ role: 'viewer' });
  const { page, organization } = person;
  const { admin } = organization;
  await page.goto('/labels');
  await page.getByRole('button', { name: 'All assets' }).click();
  await page.getByText('Nothing to print').waitFor();
  const names = ['Forklift', 'Überwagen', 'مستودع الرياض', '仓库 📦', '<b>bold</b>', '👩‍👩‍👧‍👦'.repeat(36)];
  for (let n = 0; n < 30; n += 1) {
    const tags = n % 2 === 0 ? [{ tag_type: 'rfid' as const, value: `urn:epc:id:sgtin:0614141.812345.${n}` }] : [];
    await admin.assets.create({
      name: names[n] ?? `Thing ${n}`,
      external_key: `A-${String(n).padStart(2, '0')}`,
      tags,
    });
  }
  await page.goto('/labels');
  await page.getByRole('heading', { name: 'What do you want to print?' }).waitFor();
  await page.getByRole('button', { name: 'All assets' }).click();
  await page.getByText('30 labels', { exact: true }).waitFor();
  const warning = page.getByRole('alert').filter({ hasText: 'These links work only on this computer' });
  await warning.waitFor();
  await page.getByText('Tag ID', { exact: true }).click();
  await page.getByText('15 labels without a tag').waitFor();
  expect(await warning.count()).toBe(0);
  await page.getByRole('img', { name: 'QR code: urn:epc:id:sgtin:0614141.812345.0', exact: true }).waitFor();
  const preview = page.getByRole('region', { name: 'Preview' });
  await expect.poll(() => preview.getByRole('img').count()).toBe(24);
  await preview.getByText('urn:epc:id:sgtin:0614141.812345.0', { exact: true }).waitFor();
  await page.getByText('1 to 1 of 2 sheets').waitFor();
  await expectAccessible(page);
  await expectFits(page);
  await person.picture('labels');

  const sheet = await person.download(() => page.getByRole('button', { name: 'Download PDF' }).click());
  expect(sheet.bytes.subarray(0, 5).toString()).toBe('%PDF-');
  expect(pagesIn(sheet.bytes)).toEqual({ pages: 2, width: 210, height: 297 });

  // A used sheet: the first label is in the last cell, and the rest need two more.
  await page.getByLabel('Start at label no.').fill('24');
  await page.getByText('1 to 1 of 3 sheets').waitFor();
  await expect.poll(() => preview.getByRole('img').count()).toBe(1);

  await page.getByLabel('Paper').selectOption('Roll, 50 × 25 mm');
  await page.getByText('Code 128').click();
  await page.getByText('too long for Code 128 on this paper').waitFor();
  await page.getByText('Key', { exact: true }).click();
  await page.getByRole('img', { name: 'Barcode: A-00' }).waitFor();
  const roll = await person.download(() => page.getByRole('button', { name: 'Download PDF' }).click());
  expect(pagesIn(roll.bytes)).toEqual({ pages: 30, width: 50, height: 25 });

  await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
  await page.emulateMedia({ media: 'print' });
  await expect.poll(() => page.getByRole('img').count()).toBe(30);
  await expect.poll(() => page.getByRole('heading').count()).toBe(0);
  await page.emulateMedia({ media: 'screen' });
});

test('chosen locations have their labels, on a sheet that was chosen before', async () => {
  await using person = await world.person({ role: 'viewer' });
  const { page, organization } = person;
  const chosen = await organization.location({ tags: [['barcode', 'shelf-7']] });
  await organization.location();
  await page.goto(`/labels?locations=${chosen}`);
  await page.getByText('1 location selected').waitFor();
  await page.getByRole('img', { name: `QR code: ${world.url}/l/${chosen}` }).waitFor();
  await page.getByLabel('Paper').selectOption('Letter sheet, 30 labels of 2⅝ × 1 in (5160)');
  await page.reload();
  const file = await person.download(() => page.getByRole('button', { name: 'Download PDF' }).click());
  expect(pagesIn(file.bytes)).toEqual({ pages: 1, width: 215.9, height: 279.4 });
});
