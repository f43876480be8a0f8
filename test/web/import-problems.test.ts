import { expect, test } from 'vitest';
import { createRowReader } from '../../server/app/imports/row-reader.js';
import type { ImportColumn } from '../../server/app/imports/columns.js';
import { problemText } from '../../web/pages/import/problem-text.js';

/** What a person reads of one row of a file, by column. */
function problemsOf(row: Partial<Record<ImportColumn, string>>): Record<string, string> {
  const columns = Object.keys(row) as ImportColumn[];
  const read = createRowReader('assets', columns)({ line: 2, cells: Object.values(row).map(String) });
  if ('values' in read) return {};
  return Object.fromEntries(
    read.problems.map((problem) => [problem.column, problemText({ reason: null, ...problem })]),
  );
}

test('what is wrong with a row is said in words of the app', () => {
  expect(
    problemsOf({
      external_key: 'a key',
      name: '',
      description: 'x'.repeat(1025),
      is_active: 'perhaps',
      valid_from: 'yesterday',
      metadata: '[1]',
      rfid_tags: 'E28|',
    }),
  ).toEqual({
    external_key: 'Use letters, digits and hyphens only',
    name: 'Enter a name',
    description: 'Use at most 1024 characters',
    is_active: 'Write true or false',
    valid_from: 'Enter a valid date and time',
    metadata: 'Write a JSON object, such as {"color":"red"}',
    rfid_tags: 'A tag: Enter a value',
  });
  expect(problemsOf({ name: 'a\nb', metadata: '{' })).toEqual({
    name: 'Remove the line breaks or control characters',
    metadata: 'Write a JSON object, such as {"color":"red"}',
  });
});

test.each([
  ['external_key PUMP-1 duplicates line 1234', 'This key duplicates line 1,234'],
  ['tag rfid:E28:1 duplicates line 3', 'Tag E28:1 duplicates line 3'],
  ['tag ble:AC:23 already exists', 'Tag AC:23 is already attached to another asset or location'],
  ['parent_external_key "HALL" not found', 'There is no location HALL'],
  [
    'parent_external_key "A" would create a self-referential cycle',
    'A location can’t be in itself or in its own sublocation',
  ],
  [
    'parent_external_key "A" would create a cycle through location B',
    'A location can’t be in itself or in its own sublocation',
  ],
  ['locations can be nested 64 levels deep', 'Locations can be nested at most 64 levels deep.'],
  ['container_external_key "CART" not found', 'There is no asset CART'],
  ['container_external_key "BOX" is in the asset itself', 'An asset can’t be put into itself, or into what is in it.'],
  ['assets can be in each other at most 4 levels deep', 'Assets can be in each other at most 4 levels deep.'],
  ['container_external_key "CART" can hold at most 1000 assets', 'CART can hold at most 1,000 assets'],
  ['12 assets are put into CART', 'Puts 12 assets into CART'],
  ['1 assets are taken out of their containers', 'Takes 1 asset out of their containers'],
  ['the parent was moved or deleted after the check', 'This location was moved or deleted after the check'],
  ['asset with external_key A-1 was changed after the check', 'This row’s item was changed after the check'],
])('of %s a person reads %s', (message, text) => {
  expect(problemText({ column: 'parent_external_key', message, reason: null })).toBe(text);
});
