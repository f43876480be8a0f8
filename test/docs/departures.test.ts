import { expect, test } from 'vitest';
import {
  absentMessages,
  absentTexts,
  departureFields,
  departureWords,
  goneTexts,
} from '../../server/tracking/readers/departures.js';
import { readProjectFile, sectionOf, tableRowsOf } from './markdown.js';

const section = sectionOf(readProjectFile('docs', 'readers', 'README.md'), 'When a message says that a tag is gone');
const codesIn = (text = '') => [...text.matchAll(/`([^`]+)`/g)].map(([, code]) => code);

test('the table of departures is the one that the service uses', () => {
  const rows = new Map(tableRowsOf(section).map(([what = '', fields, values]) => [what, { fields, values }]));
  for (const [what, fields] of Object.entries(departureFields)) {
    expect([what, codesIn(rows.get(what)?.fields)]).toEqual([what, fields]);
  }
  expect(codesIn(rows.get('presence')?.values)).toEqual(absentTexts);
  expect(codesIn(rows.get('absence')?.values)).toEqual(goneTexts);
  expect(codesIn(rows.get('message')?.values)).toEqual(absentMessages);
  expect(codesIn(/^The words are .+$/m.exec(section)?.[0])).toEqual(departureWords);
});
