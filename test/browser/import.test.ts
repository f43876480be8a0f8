import path from 'node:path';
import { expect, test } from 'vitest';
import { expectAccessible, expectFits } from './support/accessible.js';
import { fileWorld } from '../support/shared.js';
import { createBrowserWorld } from './support/world.js';

const world = fileWorld(createBrowserWorld);

const cases = path.resolve(import.meta.dirname, '../web/import/cases');

function csv(name: string, text: string) {
  return { name, mimeType: 'text/csv', buffer: Buffer.from(text) };
}

test('a file with mistakes is corrected by line, applied, and come back to', async () => {
  await using person = await world.person({ role: 'manager' });
  const { page, organization } = person;
  await organization.asset({ tags: [['rfid', 'TAKEN']] });
  await page.goto('/import');
  await page.getByText('No imports yet').waitFor();
  await expectAccessible(page);
  const template = await person.download(() => page.getByRole('button', { name: 'Template' }).click());
  expect(template.name).toBe('assets-template.csv');
  expect(template.bytes.toString()).toMatch(/^\uFEFFexternal_key,name,/);

  const header = 'name;external_key;metadata;rfid_tags;Color\r\n';
  const file = page.getByLabel('CSV or Excel file');
  await file.setInputFiles(csv('broken.csv', `${header}"a;b;c\r\n`));
  await page.getByText('Line 2: The quotes around a cell').waitFor();
  await file.setInputFiles({ ...csv('latin.csv', ''), buffer: Buffer.from('name;Price \x80\nZo\u00eb;x\n', 'latin1') });
  await page.getByText('Encoding: Windows-1252').waitFor();
  await page.getByText('Price €', { exact: true }).waitFor();

  const wrong = `${header}"Fork\r\nlift";A-1;;;red\r\nCrate;A 2;{};TAKEN;\r\n`;
  await file.setInputFiles(csv('<img src=x onerror=alert(1)>.csv', wrong));
  await page.getByRole('button', { name: 'Check 2 assets' }).click();
  await page.getByRole('cell', { name: 'Use letters, digits and hyphens only' }).waitFor();
  expect(await page.getByRole('row', { name: /^2 Name/ }).textContent()).toContain('Remove the line breaks');
  expect(await page.getByRole('row', { name: /^4 Key/ }).count()).toBe(1);
  expect(await page.getByRole('button', { name: /^Apply/ }).count()).toBe(0);
  await expectAccessible(page);
  await expectFits(page);
  await person.picture('import-problems');
  await page.getByRole('textbox', { name: 'Search', exact: true }).fill('line breaks');
  await page.getByText('1 to 1 of 1 item').waitFor();
  await page.getByRole('row', { name: /^2 Name/ }).waitFor();
  await page.getByRole('textbox', { name: 'Search', exact: true }).fill('');
  await page.getByText('1 to 3 of 3 items').waitFor();
  const problems = await person.download(() => page.getByRole('button', { name: 'Download as CSV' }).click());
  expect(problems.bytes.toString()).toContain('\r\n2,name,');

  await page.getByRole('link', { name: 'Choose another file' }).click();
  const right = `${header.replace('name', 'Thing')}"=Forklift";A-1;"{""a"":1}";E1|E2;red\r\nCrate 📦;;;;\r\n`;
  await page.getByLabel('CSV or Excel file').setInputFiles(csv('right.csv', right));
  // What the columns mean can be changed.
  await page.getByText('The column name is missing').waitFor();
  expect(await page.getByLabel('Color is imported as').inputValue()).toBe('detail:');
  await page.getByLabel('Thing is imported as').selectOption('name');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Check 2 assets' }).click();
  await page.getByRole('button', { name: 'Apply to 2 assets' }).waitFor();

  // It can be left, and is found again among the others.
  await page.goto('/import');
  await page.getByRole('link', { name: 'right.csv' }).click();
  await page.getByRole('button', { name: 'Apply to 2 assets' }).click();
  await page.getByText('Created').waitFor();
  await page.getByRole('link', { name: 'View assets' }).waitFor();
  await person.picture('import-applied');
  const { data } = await organization.admin.assets.list({ sort: 'name' });
  expect(data.map(({ name }) => name)).toEqual(['=Forklift', 'A thing', 'Crate 📦']);
  expect(data[0]?.tags.map(({ value }) => value)).toEqual(['E1', 'E2']);
  expect(data[0]?.metadata).toEqual({ a: 1, Color: 'red' });
});

test('shows what would change, reads dates as chosen, and says when there is nothing to change', async () => {
  await using person = await world.person({ role: 'manager' });
  const { page, organization } = person;
  await organization.admin.assets.create({
    name: 'Crane',
    external_key: 'C-1',
    description: 'old',
    tags: [{ tag_type: 'rfid', value: 'E1' }],
  });
  await page.goto('/import');
  const lines = ['external_key,name,description,valid_to,rfid_tags', 'C-1 , Crane ,new,03/04/2030, E1 | E2 '].join(
    '\n',
  );
  await page.getByLabel('CSV or Excel file').setInputFiles(csv('dates.csv', lines));
  const order = page.getByRole('radiogroup', { name: 'Dates such as 03/04/2030 are' });
  await order.getByLabel('Month/day/year').check();
  await page.getByText(/^Read as (?:4 Mar|Mar 4,) 2030$/).waitFor();
  await order.getByLabel('Day/month/year').check();
  await page.getByText(/^Read as (?:3 Apr|Apr 3,) 2030$/).waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Check 1 asset' }).click();
  const changes = page.getByRole('table', { name: 'Changes' });
  await changes.getByRole('row', { name: /Description old new/ }).waitFor();
  await changes.getByRole('row', { name: /RFID tags E1 E1, E2/ }).waitFor();
  await changes.getByRole('row', { name: /Valid until – (?:4 Apr|Apr 4,) 2030/ }).waitFor();
  expect(await changes.getByRole('row').count()).toBe(4);
  await expectAccessible(page);
  await expectFits(page);
  await page.getByRole('button', { name: 'Apply to 1 asset' }).click();
  await page.getByRole('link', { name: 'View assets' }).waitFor();
  await page.getByRole('button', { name: 'Undo import' }).click();
  await page.getByText(/^This import was undone/).waitFor();
  expect(await page.getByRole('button', { name: 'Undo import' }).count()).toBe(0);
  await expectAccessible(page);

  await page.goto('/import');
  await page.getByLabel('CSV or Excel file').setInputFiles(csv('same.csv', 'external_key,name\nC-1,Crane\n'));
  await page.getByRole('button', { name: 'Check 1 asset' }).click();
  await page.getByRole('status').filter({ hasText: 'Nothing to change' }).waitFor();
  expect(await page.getByRole('button', { name: /^Apply/ }).count()).toBe(0);
});

test('warnings are asked about, columns that are not imported are named, and text can be pasted', async () => {
  await using person = await world.person({ role: 'manager', phone: true });
  const { page, organization } = person;
  await page.goto('/import');
  const text = 'Key,Name,Location,Location key,Barcode\nDRILL-2,Drill,Hall 1,HALL-1,12345678905\n';
  await page.getByLabel('CSV or Excel file').setInputFiles(csv('list.csv', text));
  await page.getByText('Columns not imported').waitFor();
  await page.getByRole('button', { name: 'Check 1 asset' }).click();
  await page.getByText('12345678905 may have lost its leading zeros: 012345678905').waitFor();
  await page.getByText('The file says HALL-1, the asset has no location').waitFor();
  await page.getByText('Columns not imported').waitFor();
  await expectFits(page);
  await page.getByRole('button', { name: 'Apply to 1 asset' }).click();
  const question = page.getByRole('dialog', { name: 'Apply despite 2 warnings?' });
  await question.waitFor();
  await expectAccessible(page);
  await question.getByRole('button', { name: 'Apply anyway' }).click();
  await page.getByRole('link', { name: 'View assets' }).waitFor();
  const { data } = await organization.admin.assets.list({ sort: 'name' });
  expect(data).toMatchObject([{ external_key: 'DRILL-2', tags: [{ tag_type: 'barcode', value: '12345678905' }] }]);

  await page.goto('/import?kind=locations');
  await page.getByRole('button', { name: 'Paste text' }).click();
  await page.getByLabel(/^CSV text/).fill('external_key\tname\tparent_external_key\nHALL\tHall\t\nROOM\tRoom\tHALL\n');
  await page.getByRole('button', { name: 'Use this text' }).click();
  await page.getByRole('button', { name: 'Check 2 locations' }).click();
  await page.getByRole('button', { name: 'Apply to 2 locations' }).click();
  await page.getByRole('link', { name: 'View locations' }).waitFor();
  expect((await organization.admin.locations.list({ sort: 'name' })).total_count).toBe(2);

  await world.db.membership.updateMany({ where: { userId: person.userId }, data: { role: 'viewer' } });
  await page.goto('/import');
  await page.getByText('Managers only').waitFor();
});

test('the sheet, the line of the names, hidden rows and totals are chosen, and the columns are kept for the next file', async () => {
  await using person = await world.person({ role: 'manager' });
  const { page } = person;
  await page.goto('/import');
  const file = page.getByLabel('CSV or Excel file');
  await file.setInputFiles(path.join(cases, 'filtered-rows.xlsx'));
  await page.getByText('Hidden in the file: 2 rows').waitFor();
  await page.getByRole('button', { name: 'Check 2 assets' }).waitFor();
  await expectAccessible(page);
  await page.getByLabel('Import hidden rows, too').check();
  await page.getByRole('button', { name: 'Check 4 assets' }).waitFor();

  await file.setInputFiles(path.join(cases, 'cover-sheet.xlsx'));
  await page.getByRole('button', { name: 'Check 1 asset' }).waitFor();
  await page.getByLabel('Sheet', { exact: true }).selectOption('Sheet1');
  await page.getByText('The column name is missing').waitFor();
  await page.getByLabel('Sheet', { exact: true }).selectOption('Assets');
  await page.getByRole('button', { name: 'Check 1 asset' }).waitFor();

  await file.setInputFiles(path.join(cases, 'title-rows.csv'));
  const names = page.getByLabel('Names of the columns');
  await expect.poll(() => names.inputValue()).toBe('4');
  await page.getByText('Totals are not imported').waitFor();
  await page.getByRole('listitem').filter({ hasText: 'Line 7: Total · 2 assets' }).waitFor();
  await page.getByRole('button', { name: 'Check 2 assets' }).waitFor();
  await page.getByLabel('Import these rows, too').check();
  await page.getByRole('button', { name: 'Check 3 assets' }).waitFor();
  await names.selectOption('1');
  await page.getByText('The column name is missing').waitFor();
  await names.selectOption('4');
  await page.getByLabel('Description is imported as').selectOption('Custom detail');
  await expectAccessible(page);
  await expectFits(page);
  await person.picture('import-columns');

  // The next file with the same columns, also on another day.
  await page.reload();
  await file.setInputFiles(csv('next.csv', 'Key,Name,Description,RFID tag\nPUMP-8,Pump,ward 4,E280\n'));
  await expect.poll(() => page.getByLabel('Description is imported as').inputValue()).toBe('detail:');
  await file.setInputFiles(csv('other.csv', 'Key,Name,Description,RFID tag,Note\nPUMP-8,Pump,ward 4,E280,x\n'));
  await expect.poll(() => page.getByLabel('Description is imported as').inputValue()).toBe('description');

  // So are the names of the columns that were chosen: the line with the same names, wherever it is.
  const monthly = (...titles: string[]) =>
    [...titles, 'Key,Name,Serial', 'No,Label,Chip', 'PUMP-9,Pump,E281', ''].join('\n');
  await file.setInputFiles(csv('october.csv', monthly('Report')));
  await expect.poll(() => names.inputValue()).toBe('2');
  await names.selectOption('3');
  await expect.poll(() => names.inputValue()).toBe('3');
  await file.setInputFiles(csv('november.csv', monthly('Report', 'of November')));
  await expect.poll(() => names.inputValue()).toBe('4');
});

test.each([
  [
    'en-US',
    'light',
    'Choose a file',
    /Placed by an import of inventar3\.xlsx \(.+\), just now/,
    'Why here?',
    'Apply to 1 asset',
    'Check 1 asset',
  ],
  [
    'de-DE',
    'dark',
    'Datei auswählen',
    /Durch einen Import von inventar3\.xlsx platziert \(.+\), gerade eben/,
    'Warum hier?',
    'Auf 1 Objekt anwenden',
    '1 Objekt prüfen',
  ],
] as const)(
  'in %s an asset that an import has placed is not said to be seen',
  async (...[locale, colorScheme, choose, placed, why, apply, check]) => {
    await using person = await world.person({ role: 'manager', phone: true, browser: { locale, colorScheme } });
    const { page, organization } = person;
    await organization.location({ name: 'Dock 7', externalKey: 'DOCK-7' });
    await page.goto('/import');
    await page.getByRole('button', { name: choose }).waitFor();
    const text = 'Key,Name,Location\nPUMP-9,Pump 9,Dock 7\n';
    await page.locator('input[type=file]').first().setInputFiles(csv('inventar3.xlsx', text));
    // A select beside the name would be too narrow for its text.
    const select = page.getByRole('combobox').last();
    const fits = await select.evaluate((element) => {
      const { font, paddingLeft, paddingRight } = getComputedStyle(element);
      const pen = document.createElement('canvas').getContext('2d');
      if (!pen || !(element instanceof HTMLSelectElement)) return false;
      pen.font = font;
      const room = element.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
      return pen.measureText(element.selectedOptions[0]?.text ?? '').width <= room;
    });
    expect(fits).toBe(true);
    await expectFits(page);
    await person.picture(`import-phone-${locale}`);
    await page.getByRole('button', { name: check }).click();
    await page.getByRole('button', { name: apply }).click();
    await expect
      .poll(async () =>
        (await organization.admin.assets.list({ sort: 'name' })).data.map(({ external_key: key }) => key),
      )
      .toEqual(['PUMP-9']);
    const [asset] = (await organization.admin.assets.list({ sort: 'name' })).data;
    await page.goto(`/assets/${asset?.id}`);
    await page.getByText(placed).waitFor();
    await page.getByRole('heading', { name: why }).waitFor();
    expect(await page.locator('main').innerText()).not.toMatch(/99\s?%|\(99/);
    await expectAccessible(page);
    await expectFits(page);
    await person.picture(`placed-by-import-${locale}`);
  },
);
