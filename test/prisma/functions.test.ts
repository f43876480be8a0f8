import path from 'node:path';
import { expect, test } from 'vitest';
import { compareFunctions } from '../../scripts/migration/compare-functions.js';
import { projectRoot } from '../../server/kernel/project-root.js';
import { createTestDatabase } from '../support/postgres.js';

test('the migrations make the functions that prisma/functions/ defines, and no others', async () => {
  await using database = await createTestDatabase();
  const folder = path.join(projectRoot(), 'prisma', 'functions');
  expect(await compareFunctions({ url: database.url, folder })).toEqual({
    changed: [],
    dropped: [],
    script: '',
    obstacles: [],
  });
});
