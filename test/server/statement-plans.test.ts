import path from 'node:path';
import { expect, it } from 'vitest';
import { createTestDatabase } from '../support/postgres.js';
import { planRecord } from '../support/sql-record/plan-shape.js';
import { printStatements, readRecord, recordPath } from '../support/sql-record/record.js';

it('the statements on record have the plans on record', async () => {
  await using database = await createTestDatabase();
  const root = path.resolve('.');
  for (const [file, statements] of await planRecord(database.url, readRecord(root))) {
    await expect.soft(printStatements(statements)).toMatchFileSnapshot(recordPath(root, file));
  }
});
