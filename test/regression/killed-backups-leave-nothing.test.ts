import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { expect, test } from 'vitest';
import { projectRoot } from '../../server/kernel/project-root.js';
import { createTestFolder, type TestFolder } from '../support/folder.js';
import { createTestDatabase } from '../support/postgres.js';

function runAdmin(folder: TestFolder, { args, url }: { args: readonly string[]; url: string }) {
  const { PATH = '', HOME = folder.path } = process.env;
  const env = { PATH, HOME, DATABASE_URL: url, AUTH_SECRET: 'the secret of the service that is backed up' };
  const command = [path.join(projectRoot(), 'dist', 'admin.js'), ...args];
  const child = spawn(process.execPath, command, { cwd: folder.path, env, stdio: ['ignore', 'ignore', 'pipe'] });
  let messages = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (messages += text));
  return { child, ended: once(child, 'close').then(([code]) => ({ code: code as number | null, messages })) };
}

test('a backup that is stopped leaves no file, and one that is killed leaves none to the next one', async () => {
  await using database = await createTestDatabase();
  using folder = createTestFolder();
  const blocker = new pg.Client({ connectionString: database.url });
  await blocker.connect();
  try {
    // The backup waits for this table, and has begun its file.
    await blocker.query('BEGIN; LOCK TABLE organizations IN ACCESS EXCLUSIVE MODE');
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGKILL'] as const) {
      const { child, ended } = runAdmin(folder, { args: ['backup', 'all.tar.gz'], url: database.url });
      await expect.poll(() => readdirSync(folder.path)).toHaveLength(1);
      child.kill(signal);
      if (signal === 'SIGKILL') await ended;
      else
        expect(await ended).toMatchObject({
          code: 1,
          messages: expect.stringMatching(`^.*\nstopped by ${signal}: nothing was kept\n$`),
        });
      expect(readdirSync(folder.path)).toHaveLength(signal === 'SIGKILL' ? 1 : 0);
    }
  } finally {
    await blocker.end();
  }
  const { ended } = runAdmin(folder, { args: ['backup', 'all.tar.gz'], url: database.url });
  expect(await ended).toMatchObject({ code: 0 });
  expect(readdirSync(folder.path)).toEqual(['all.tar.gz']);
});

test('a missing backup is reported by its name', async () => {
  await using database = await createTestDatabase();
  using folder = createTestFolder();
  const { ended } = runAdmin(folder, { args: ['restore', 'nothing.tar.gz'], url: database.url });
  expect(await ended).toEqual({
    code: 1,
    messages: expect.stringMatching(/^Database: .*\nthe backup nothing.tar.gz does not exist\n$/),
  });
});
