import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { compareFunctions } from '../../scripts/migration/compare-functions.js';
import { checkMigrationName, migrationName, writeFunctionMigration } from '../../scripts/migration/write-migration.js';
import { migrate } from '../../server/kernel/database/migrate.js';
import { createLog } from '../../server/kernel/log.js';
import { projectRoot } from '../../server/kernel/project-root.js';
import { createTestFolder } from '../support/folder.js';
import { createEmptyDatabase } from '../support/postgres.js';

const log = createLog('silent');
const nowMs = Date.UTC(2026, 1, 3, 4, 5, 6);
const equal = { changed: [], dropped: [], script: '', obstacles: [] };

const sqlFunction = (head: string, result: string) =>
  `CREATE OR REPLACE FUNCTION ${head} LANGUAGE sql IMMUTABLE RETURN ${result};\n`;
const double = sqlFunction('double(n int) RETURNS int', 'n * 2');
const half = sqlFunction('half(n int) RETURNS int', 'n / 2');
const checkThing = `CREATE OR REPLACE FUNCTION check_thing() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RETURN NEW;
END
$$;
`;
const trigger = 'CREATE TRIGGER check_thing BEFORE INSERT ON things FOR EACH ROW EXECUTE FUNCTION check_thing();';
const index = 'CREATE INDEX things_double ON things (double(id));';
const initial = ['CREATE TABLE things (id int);', double, half, checkThing, trigger, index].join('\n');

/** A database made by one migration, and a folder with that migration and a file for each of its functions. */
async function createProject() {
  const database = await createEmptyDatabase();
  const { url } = database;
  const folder = createTestFolder('migration');
  const functions = path.join(folder.path, 'functions');
  const migrations = path.join(folder.path, 'migrations');
  mkdirSync(functions);
  mkdirSync(path.join(migrations, '20260101000000_initial'), { recursive: true });
  writeFileSync(path.join(migrations, '20260101000000_initial', 'migration.sql'), initial);
  await migrate({ url, log, folder: migrations });
  const write = (name: string, script: string) => writeFileSync(path.join(functions, `${name}.sql`), script);
  write('double', double);
  write('half', half);
  write('check_thing', checkThing);
  return {
    write,
    remove: (name: string) => rmSync(path.join(functions, `${name}.sql`)),
    compare: () => compareFunctions({ url, folder: functions }),
    writeMigration: (name = 'functions') => writeFunctionMigration({ url, prismaFolder: folder.path, name, nowMs }),
    migrate: () => migrate({ url, log, folder: migrations }),
    migrations: () => readdirSync(migrations).toSorted(),
    read: (file: string) => readFileSync(path.join(folder.path, file), 'utf8'),
    prepend: (file: string, statement: string) => {
      const script = readFileSync(path.join(folder.path, file), 'utf8');
      writeFileSync(path.join(folder.path, file), `${statement}\n${script}`);
    },
    async [Symbol.asyncDispose]() {
      folder[Symbol.dispose]();
      await database[Symbol.asyncDispose]();
    },
  };
}

test('no migration is written if the functions equal their files', async () => {
  await using project = await createProject();
  expect(await project.writeMigration()).toEqual(equal);
  expect(project.migrations()).toEqual(['20260101000000_initial']);
});

test('comments above a function and line endings are ignored', async () => {
  await using project = await createProject();
  project.write('check_thing', `-- Checks nothing.\n${checkThing}`.replaceAll('\n', '\r\n'));
  expect(await project.compare()).toEqual(equal);
});

test('a changed function is replaced, and its dependents stay', async () => {
  await using project = await createProject();
  const changed = `-- Doubles a number.\n${double.replace('n * 2', 'n + n')}`;
  project.write('double', changed);
  expect(await project.writeMigration()).toEqual({
    changed: ['double(integer)'],
    dropped: [],
    script: changed,
    obstacles: [],
    file: 'migrations/20260203040506_functions/migration.sql',
  });
  expect(project.read('migrations/20260203040506_functions/migration.sql')).toMatch(
    /^-- Locks: [^]*\n\n-- Doubles a number\.\nCREATE OR REPLACE FUNCTION double\(n int\) [^\n]+;\n$/,
  );
  expect(await project.migrate()).toEqual(['20260203040506_functions']);
  expect(await project.compare()).toEqual(equal);
});

test('the comparison does not change the database', async () => {
  await using project = await createProject();
  project.write('double', double.replace('n * 2', 'n + n'));
  project.remove('half');
  const first = await project.compare();
  expect(first).toMatchObject({ changed: ['double(integer)'], dropped: ['half(integer)'] });
  expect(await project.compare()).toEqual(first);
});

test('new functions are created after the functions that they call', async () => {
  await using project = await createProject();
  project.write('eightfold', sqlFunction('eightfold(n int) RETURNS int', 'double(fourfold(n))'));
  project.write('fourfold', sqlFunction('fourfold(n int) RETURNS int', 'double(double(n))'));
  const { changed, obstacles } = await project.writeMigration();
  expect({ changed, obstacles }).toEqual({ changed: ['fourfold(integer)', 'eightfold(integer)'], obstacles: [] });
  await project.migrate();
  expect(await project.compare()).toEqual(equal);
});

test('a function without a file is dropped', async () => {
  await using project = await createProject();
  project.remove('half');
  expect(await project.writeMigration()).toMatchObject({
    changed: [],
    dropped: ['half(integer)'],
    script: 'DROP FUNCTION half(integer);\n',
    obstacles: [],
  });
  await project.migrate();
  expect(await project.compare()).toEqual(equal);
});

test('the dependents of a dropped function are reported, and the migration works if it removes them first', async () => {
  await using project = await createProject();
  project.remove('check_thing');
  const { obstacles, file = '' } = await project.writeMigration();
  expect(obstacles).toEqual([
    'cannot drop function check_thing() because other objects depend on it: ' +
      'trigger check_thing on table things depends on function check_thing()',
  ]);
  await expect(project.migrate()).rejects.toThrow('cannot drop function check_thing()');
  project.prepend(file, 'DROP TRIGGER check_thing ON things;');
  await project.migrate();
  expect(await project.compare()).toEqual(equal);
});

test('a function with another result type or other parameter names is dropped and created again', async () => {
  await using project = await createProject();
  const changed = sqlFunction('half(n int) RETURNS numeric', 'n / 2.0');
  project.write('half', changed);
  expect(await project.writeMigration()).toMatchObject({
    changed: ['half(integer)'],
    dropped: [],
    script: `DROP FUNCTION half(integer);\n\n${changed}`,
    obstacles: [],
  });
  await project.migrate();
  expect(await project.compare()).toEqual(equal);

  project.write('double', double.replaceAll(/\bn\b/g, 'number'));
  expect((await project.compare()).obstacles[0]).toBe(
    'cannot drop function double(integer) because other objects depend on it: ' +
      'index things_double depends on function double(integer)',
  );
});

test('a function with other parameter types replaces the previous one', async () => {
  await using project = await createProject();
  project.write('half', half.replace('n int', 'n bigint').replace('RETURNS int', 'RETURNS bigint'));
  expect(await project.writeMigration()).toMatchObject({
    changed: ['half(bigint)'],
    dropped: ['half(integer)'],
    obstacles: [],
  });
  await project.migrate();
  expect(await project.compare()).toEqual(equal);
});

test.each([
  ['without OR REPLACE', double.replace(' OR REPLACE', ''), 'double.sql has no CREATE OR REPLACE FUNCTION'],
  [
    'of another function',
    half.replace('half', 'third'),
    'double.sql must be one statement that creates the function double',
  ],
  [
    'with a second statement',
    `${double}SELECT 1;\n`,
    'double.sql must be one statement that creates the function double',
  ],
  [
    'that calls a function which does not exist',
    double.replace('n * 2', 'triple(n)'),
    'double.sql cannot be created: function triple(integer) does not exist',
  ],
])('a file %s is rejected', async (_, script, message) => {
  await using project = await createProject();
  project.write('double', script);
  await expect(project.writeMigration()).rejects.toThrow(message);
  expect(project.migrations()).toEqual(['20260101000000_initial']);
});

test('a migration is named after the time, and always sorts after the existing ones', () => {
  expect(migrationName('one', [], nowMs)).toBe('20260203040506_one');
  expect(migrationName('one', ['20260101000000_initial', 'migration_lock.toml'], nowMs)).toBe('20260203040506_one');
  expect(migrationName('one', ['20260228235959_later'], nowMs)).toBe('20260301000000_one');
});

test.each(['', 'Fold', '1_one', 'two words', '../up', 'end_'])('the name %j is rejected', (name) => {
  expect(() => checkMigrationName(name)).toThrow('lower-case words joined by _');
});

test('npm run migration writes into the project, and reports what it wrote', { timeout: 60_000 }, () => {
  using folder = createTestFolder('project');
  for (const source of ['package.json', 'package-lock.json', 'prisma', 'scripts', 'server']) {
    cpSync(path.join(projectRoot(), source), path.join(folder.path, source), { recursive: true });
  }
  symlinkSync(path.join(projectRoot(), 'node_modules'), path.join(folder.path, 'node_modules'), 'junction');
  const migrations = path.join(folder.path, 'prisma', 'migrations');
  const before = readdirSync(migrations);
  const script = path.join(folder.path, 'scripts', 'migration.mjs');
  const run = (...args: string[]) => spawnSync(process.execPath, [script, ...args], { encoding: 'utf8' });

  expect(run()).toMatchObject({ status: 1, stderr: 'Usage: npm run migration -- <name>\n' });

  const added = path.join(folder.path, 'prisma', 'functions', 'double.sql');
  writeFileSync(added, double);
  const { status, stdout, stderr } = run('double_numbers');
  const written = readdirSync(migrations).filter((name) => !before.includes(name));
  expect({ status, stdout, stderr }).toEqual({
    status: 0,
    stdout: `Wrote prisma/migrations/${written[0]}/migration.sql\n  creates double(integer)\n`,
    stderr: '',
  });
  expect(written).toEqual([expect.stringMatching(/^\d{14}_double_numbers$/)]);
  expect(readFileSync(path.join(migrations, written[0] ?? '', 'migration.sql'), 'utf8')).toContain(double);

  expect(run('again')).toMatchObject({
    status: 0,
    stdout: 'The functions of the migrations equal prisma/functions/. No migration is needed.\n',
  });
});
