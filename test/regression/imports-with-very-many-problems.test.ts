import { expect, test } from 'vitest';
import { sharedScanWorld } from '../support/scan-world.js';
import { checkFile } from '../server/app/imports/import-file.js';

// More problems than a call takes arguments, each a tag that stands in the file already.
test('a file with 160,000 problems is checked, and all of them are counted', { timeout: 120_000 }, async () => {
  const world = await sharedScanWorld();
  const org = await world.organization();
  const tags = Array.from({ length: 80 }, (_, at) => `T${at}`).join('|');
  const rows = Array.from({ length: 2001 }, (_, at) => [`A-${at}`, 'n', tags]);
  const checked = await checkFile(await org.as('manager'), { columns: ['external_key', 'name', 'rfid_tags'], rows });
  expect(checked).toMatchObject({ status: 'checked', failure: null, problem_count: 160_000, problem_lines: 2000 });
});
