import { expect, test } from 'vitest';
import { readRecords } from '../../web/csv/records.js';
import { expectAccessible } from './support/accessible.js';
import { fileWorld } from '../support/shared.js';
import { createBrowserWorld } from './support/world.js';

const world = fileWorld(createBrowserWorld);

const hostile = [
  '=HYPERLINK("http://example.com","x")',
  "'=1+1",
  '+49 30',
  '-1',
  '@SUM(A1)',
  '<img src=x onerror=alert(1)>',
  'quote " and, comma; semicolon',
  '\u202Eright to left',
  '👩‍👩‍👧‍👦'.repeat(36),
  "'tis",
];

test('what is exported imports again unchanged, and runs in no spreadsheet', async () => {
  await using person = await world.person({ role: 'manager' });
  const { page, organization } = person;
  const { admin } = organization;
  const parent = await admin.locations.create({ name: '=Hall', external_key: 'HALL' });
  await admin.locations.create({ name: 'Room', external_key: 'AREA', parent_id: parent.data.id, description: '@x\ny' });
  for (const [index, name] of hostile.entries()) {
    await admin.assets.create({
      name,
      description: `=${name}\r\n\tsecond line`,
      metadata: index % 2 === 0 ? {} : { '=a': [1.5, null, name], __proto: true, 10: 1e21 },
      tags: [
        { tag_type: 'rfid', value: `=${index}|a\\` },
        { tag_type: 'rfid', value: `\r\n${index}` },
        { tag_type: 'barcode', value: ` ${index} ` },
      ],
    });
  }
  const before = await Promise.all([admin.assets.list({ sort: 'name' }), admin.locations.list({ sort: 'name' })]);

  for (const kind of ['assets', 'locations'] as const) {
    await page.goto(`/import?kind=${kind}`);
    const file = await person.download(() => page.getByRole('button', { name: `Export all ${kind}` }).click());
    expect(file.name).toMatch(/^(?:assets|locations)-\d{4}-\d\d-\d\d\.csv$/);
    const text = file.bytes.toString();
    expect(text.startsWith('\uFEFFexternal_key,name,')).toBe(true);
    for (const { cells } of readRecords(text.slice(1), ',')) {
      for (const cell of cells) expect(cell).not.toMatch(/^[=+@\t\r\n-]/);
    }
    const workbook = await person.download(() =>
      page.getByRole('button', { name: 'Export as Excel workbook' }).click(),
    );
    expect(workbook.name).toBe(file.name.replace('.csv', '.xlsx'));
    for (const { name, bytes: buffer } of [file, workbook]) {
      await page.goto(`/import?kind=${kind}`);
      await page.getByLabel('CSV or Excel file').setInputFiles({ name, mimeType: 'application/octet-stream', buffer });
      await page.getByRole('button', { name: /^Check \d+ / }).click();
      const count = kind === 'assets' ? hostile.length : 2;
      await page.getByRole('button', { name: 'Check again' }).waitFor();
      expect(await page.getByText('Unchanged').locator('..').textContent()).toBe(`Unchanged${count} ${kind}`);
      expect(await page.getByText('Problems').locator('..').textContent()).toBe('ProblemsNo problems');
    }
  }
  await expectAccessible(page);
  expect(await Promise.all([admin.assets.list({ sort: 'name' }), admin.locations.list({ sort: 'name' })])).toEqual(
    before,
  );
});
