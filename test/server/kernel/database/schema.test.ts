import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '../../../../server/kernel/project-root.js';
import { createTestDatabase } from '../../../support/postgres.js';
import { scriptFromDatabaseToSchema } from '../../../support/schema-engine.js';

const schemaFile = path.join(projectRoot(), 'prisma', 'schema.prisma');

test('the migrations make the database that the schema describes', async () => {
  await using database = await createTestDatabase();
  const script = await scriptFromDatabaseToSchema(database.url, schemaFile);
  expect(script.replace('-- This is an empty migration.', '').trim()).toBe('');
});

test('a column that only the schema has is seen', async () => {
  await using database = await createTestDatabase();
  const folder = mkdtempSync(path.join(tmpdir(), 'schema-'));
  try {
    const changed = path.join(folder, 'schema.prisma');
    const schema = readFileSync(schemaFile, 'utf8');
    writeFileSync(changed, schema.replace('model Organization {', 'model Organization {\n  motto String?'));
    expect(await scriptFromDatabaseToSchema(database.url, changed)).toContain(
      'ALTER TABLE "organizations" ADD COLUMN     "motto" TEXT',
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
});
