import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '../../server/kernel/project-root.js';
import { createTestFolder, type TestFolder } from '../support/folder.js';
import { createEmptyDatabase, createStartedDatabase, query } from '../support/postgres.js';

const secret = 'the secret of the service on this machine';

/** Runs a command in a folder that is not the data's, as an operator does on the machine of the service. */
async function runAdmin(folder: TestFolder, args: readonly string[], env: Record<string, string> = {}) {
  const { PATH = '', HOME = folder.path } = process.env;
  const child = spawn(process.execPath, [path.join(projectRoot(), 'dist', 'admin.js'), ...args], {
    cwd: folder.path,
    env: { HOME, PATH: `${folder.path}/bin:${PATH}`, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let messages = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (messages += text));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, messages };
}

/** Puts a systemctl on the path that knows a unit as systemd shows it. */
function installUnit(folder: TestFolder, lines: readonly string[]): void {
  const file = path.join(folder.path, 'bin', 'systemctl');
  mkdirSync(path.dirname(file));
  writeFileSync(file, `#!/bin/sh\ncat <<'END'\n${lines.join('\n')}\nEND\n`);
  chmodSync(file, 0o755);
}

function writeSettings(folder: TestFolder, url: string): string {
  const file = path.join(folder.path, 'whereabouts.env');
  writeFileSync(file, `# Settings\nDATABASE_URL="${url}"\nAUTH_SECRET=${secret}\n`);
  return file;
}

const pauses = (url: string) => query(url, 'SELECT FROM outbound_pause');

test.each([['pause-outbound'], ['reset-password', 'ada@example.com'], ['backup'], ['restore', 'all.tar.gz']])(
  '%s makes no database where there is none',
  async (...args) => {
    using folder = createTestFolder();
    const { code, messages } = await runAdmin(folder, args);
    const data = path.join(folder.path, '.data');
    expect([code, messages]).toEqual([1, expect.stringContaining(`Database: ${data}\n${data} has no database`)]);
    expect(readdirSync(folder.path)).toEqual([]);
  },
);

test('a command makes no tables in an empty database', async () => {
  await using database = await createEmptyDatabase();
  using folder = createTestFolder();
  const env = { DATABASE_URL: database.url, AUTH_SECRET: secret };
  const { code, messages } = await runAdmin(folder, ['pause-outbound'], env);
  expect([code, messages]).toEqual([1, expect.stringContaining('has no data of Whereabouts')]);
  expect(await query(database.url, `SELECT FROM pg_tables WHERE schemaname = 'public'`)).toEqual([]);
});

test('a command acts on the database of the unit that runs the service from its folder, and says so', async () => {
  await using database = await createStartedDatabase();
  using folder = createTestFolder();
  const file = writeSettings(folder, database.url);
  installUnit(folder, [
    'Environment=NODE_ENV=production "DATA_DIR=/var/lib/where abouts" DATABASE_URL=postgresql://overridden/by-the-file',
    `EnvironmentFiles=${file} (ignore_errors=no)`,
    `WorkingDirectory=${projectRoot()}`,
  ]);
  const paused = await runAdmin(folder, ['pause-outbound']);
  expect(paused).toEqual({
    code: 0,
    messages: expect.stringMatching(
      new RegExp(`^Database: the database .*${new URL(database.url).pathname} .*whereabouts.service, ${file}\\)\n`),
    ),
  });
  expect(await pauses(database.url)).toHaveLength(1);
  // What the operator names is what counts.
  const named = await runAdmin(folder, ['release-outbound'], { DATA_DIR: path.join(folder.path, 'copy') });
  expect(named).toEqual({ code: 1, messages: expect.stringContaining('copy has no database') });
  expect(await pauses(database.url)).toHaveLength(1);
});

test('the data folder of a unit is the one of its commands, and a unit of another folder is none of them', async () => {
  using folder = createTestFolder();
  const unit = (directory: string) => ['Environment="DATA_DIR=/var/lib/where abouts"', `WorkingDirectory=${directory}`];
  installUnit(folder, unit(projectRoot()));
  expect((await runAdmin(folder, ['backup'])).messages).toContain('Database: /var/lib/where abouts (');
  using other = createTestFolder();
  installUnit(other, unit('/opt/another'));
  expect((await runAdmin(other, ['backup'])).messages).toContain(`Database: ${path.join(other.path, '.data')}\n`);
});

test('--env-file names the settings of the service', async () => {
  await using database = await createStartedDatabase();
  using folder = createTestFolder();
  const file = writeSettings(folder, database.url);
  expect(await runAdmin(folder, ['pause-outbound', '--env-file', file])).toMatchObject({ code: 0 });
  expect(await pauses(database.url)).toHaveLength(1);
  // Some versions of Node.js read the option as well, and refuse a missing file before the command does.
  const { code, messages } = await runAdmin(folder, ['pause-outbound', '--env-file', `${file}.gone`]);
  expect(code).toBeGreaterThan(0);
  expect(messages).toMatch(/^.*whereabouts\.env\.gone.*\n$/);
});
